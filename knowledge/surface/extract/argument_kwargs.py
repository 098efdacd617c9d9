"""What vLLM's `get_kwargs` makes of a config class: the argparse keywords of each field.

The rules changed between releases. What changed is read from the release's own `engine/arg_utils.py` into a
`Dialect`; the rules themselves are restated here.
"""

import ast
from collections.abc import Callable
from dataclasses import dataclass, field

from knowledge.surface.extract.classes import Classes, Field
from knowledge.surface.extract.hints import Hint, Hints
from knowledge.surface.extract.source import Module
from knowledge.surface.extract.values import ClassValue, Marker, Value

CONTAINER_KINDS = ("tuple", "list", "set")


class KwargsTable(dict[str, dict[str, Value]]):
    """Field name to its argparse keywords.

    Beside argparse's own, `_field` holds the `Field`, `_class` the name of its config class and `_config` the
    class that the JSON of the flag is validated against, and `_members` the names of the members of an enum.
    """


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one release turns type hints into argparse keywords.

    Attributes:
        none_choice: What an optional choice ends in: None, or the text `None` in older releases.
        open_literals: Whether `Literal[...] | str` accepts any text and so has no choices.
        optional_value: Whether `bool | str | None` is a flag with an optional value.
        number_types: Field name to the function that parses its integer.
        validates_json: Whether a dataclass field is validated as JSON.
    """

    none_choice: str | None
    open_literals: bool
    optional_value: bool
    validates_json: bool
    number_types: dict[str, str] = field(default_factory=dict)


def read_dialect(arg_utils: Module) -> Dialect:
    """Read the dialect of a release from its argument builder."""
    source = ast.unparse(arg_utils.tree)
    return Dialect(
        none_choice="None" if "['choices'].append('None')" in source else None,
        open_literals="'metavar' if contains_type(type_hints, str)" in source,
        optional_value="type_hints == {bool, str, type(None)}" in source,
        validates_json="is_dataclass(th)" in source,
        number_types=dict(_number_types(arg_utils.tree)),
    )


def _number_types(tree: ast.Module) -> list[tuple[str, str]]:
    """Pairs of (field, parser) from tests such as `name in {...}` that set a special integer type."""
    found = []
    sets = {
        ast.unparse(node.targets[0]): node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Set)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Compare) and ast.unparse(node.test.left) == "name":
            parser = _assigned_type(node.body)
            tested = node.test.comparators[0]
            tested = sets.get(ast.unparse(tested), tested)
            if parser:
                found += [(n.value, parser) for n in ast.walk(tested) if isinstance(n, ast.Constant)]
    return [(name, parser) for name, parser in found if isinstance(name, str)]


def _assigned_type(body: list[ast.stmt]) -> str:
    for node in body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).endswith("['type']"):
            return ast.unparse(node.value)
    return ""


class KwargsBuilder:
    """Builds the keywords of config classes of one release."""

    def __init__(self, dialect: Dialect, classes: Classes, hints: Hints, default_of: Callable[[Field], Value]) -> None:
        self._dialect = dialect
        self._classes = classes
        self._hints = hints
        self._default_of = default_of

    def table(self, cls: ClassValue) -> KwargsTable:
        """The keywords of every field of a class, fresh, since callers change them."""
        fields = self._classes.fields(cls)
        return KwargsTable({name: self._kwargs(field, cls) for name, field in fields.items()})

    def _kwargs(self, field: Field, cls: ClassValue) -> dict[str, Value]:
        kwargs: dict[str, Value] = {"help": field.doc, "_field": field, "_class": cls.name}
        default = self._default_of(field)
        if default is not Marker.MISSING:
            kwargs["default"] = default
        hints = self._hints.read(field.annotation, field.module)
        enum = next((hint.cls for hint in hints if hint.kind == "enum" and hint.cls), None)
        if enum:
            kwargs["_members"] = list(self._classes.enum_values(enum))
        kwargs.update(self._typed(field.name, {hint.kind: hint for hint in reversed(hints)}, hints))
        if kwargs.get("choices") and any(hint.kind == "None" for hint in hints):
            kwargs["choices"].append(self._dialect.none_choice)
        return kwargs

    def _typed(self, name: str, kinds: dict[str, Hint], hints: list[Hint]) -> dict[str, Value]:
        """The keywords that depend on the type; the order of the tests is vLLM's."""
        if "dataclass" in kinds and self._dialect.validates_json:
            return {"type": "json", "_config": kinds["dataclass"].cls}
        if kinds.keys() == {"bool", "str", "None"} and self._dialect.optional_value:
            return {"type": "str", "nargs": "?"}
        if "bool" in kinds:
            return {"action": "BooleanOptionalAction", "type": "bool"}
        if "Literal" in kinds:
            return self._literal([option for hint in hints for option in hint.options], is_open="str" in kinds)
        for kind in CONTAINER_KINDS:
            if kind in kinds:
                return self._container(kinds[kind])
        if "int" in kinds:
            return {"type": self._dialect.number_types.get(name, "int")}
        if "float" in kinds:
            return {"type": "float"}
        if "dict" in kinds:
            return {"type": "json or text" if kinds.keys() & {"str", "other", "enum", "type"} else "json"}
        return {"type": "str"}

    def _literal(self, options: list[Value], *, is_open: bool) -> dict[str, Value]:
        distinct = list(dict.fromkeys(options))
        kind = type(distinct[0]).__name__ if distinct else "str"
        ordered = sorted(distinct, key=lambda option: option if kind == "int" else str(option))
        if is_open and self._dialect.open_literals:
            return {"type": kind, "metavar": ordered}
        return {"type": kind, "choices": ordered}

    def _container(self, hint: Hint) -> dict[str, Value]:
        elements = [e for e in hint.elements if not (isinstance(e, ast.Constant) and e.value is Ellipsis)]
        is_fixed = hint.kind == "tuple" and len(elements) == len(hint.elements)
        kwargs: dict[str, Value] = {"nargs": len(elements) if is_fixed and elements else "+", "type": "str"}
        if elements and hint.module:
            inner = self._hints.read(elements[0], hint.module)
            if len(inner) == 1 and inner[0].kind == "Literal":
                # Releases that validate JSON also list the choices of a sequence of literals.
                options = self._literal(list(inner[0].options), is_open=False)
                kwargs |= options if self._dialect.validates_json else {}
            elif len(inner) == 1 and inner[0].kind in {"int", "float", "bool"}:
                kwargs["type"] = inner[0].kind
        return kwargs

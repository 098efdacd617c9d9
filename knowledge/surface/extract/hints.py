"""Take a type annotation apart the way vLLM's argument builder sees it at run time."""

import ast
from dataclasses import dataclass
from typing import Any, Protocol

from knowledge.surface.extract.classes import Classes
from knowledge.surface.extract.source import Defined, External, Module, SourceTree
from knowledge.surface.extract.values import ClassValue, Scope, Value, is_unknown

MAX_DEPTH = 12  # aliases of aliases; deeper is a cycle

_BUILTIN = {"bool", "int", "float", "str"}
_CONTAINERS = {
    "list": "list", "List": "list", "Sequence": "list", "Iterable": "list",
    "set": "set", "Set": "set", "frozenset": "set",
    "tuple": "tuple", "Tuple": "tuple",
    "dict": "dict", "Dict": "dict", "Mapping": "dict",
    "type": "type", "Type": "type",
}  # fmt: skip
_TRANSPARENT = {"Annotated", "SkipValidation", "Required", "NotRequired", "Final", "InstanceOf", "Mutable"}


@dataclass(frozen=True, slots=True)
class Hint:
    """One member of a union.

    Attributes:
        kind: `None`, `bool`, `int`, `float`, `str`, `Literal`, `list`, `set`, `tuple`, `dict`, `type`,
            `dataclass`, `enum` or `other`.
        options: The values of a `Literal`.
        elements: The element types of a container, as expressions of `module`.
        module: Where `elements` stand.
        cls: The class of a `dataclass` or `enum`.
    """

    kind: str
    options: tuple[Value, ...] = ()
    elements: tuple[ast.expr, ...] = ()
    module: Module | None = None
    cls: ClassValue | None = None


class Evaluates(Protocol):
    """What is needed to read the values of a `Literal`."""

    def evaluate(self, node: ast.expr, scope: Scope) -> Value:
        """The value of an expression."""


class Hints:
    """Reads annotations of one release."""

    def __init__(self, tree: SourceTree, classes: Classes, evaluator: Evaluates) -> None:
        self._tree = tree
        self._classes = classes
        self._evaluator = evaluator

    def read(self, node: ast.expr, module: Module, depth: int = 0) -> list[Hint]:
        """The members of the union that an annotation describes, in source order."""
        if depth > MAX_DEPTH:
            return [Hint("other")]
        match node:
            case ast.Constant(value=None):
                return [Hint("None")]
            case ast.Constant(value=str(text)):
                return self.read(ast.parse(text, mode="eval").body, module, depth + 1)
            case ast.BinOp(op=ast.BitOr()):
                return self.read(node.left, module, depth + 1) + self.read(node.right, module, depth + 1)
            case ast.Subscript():
                return self._subscript(node, module, depth)
            case ast.Name() | ast.Attribute():
                return self._named(node, module, depth)
            case _:
                return [Hint("other")]

    def literal_options(self, node: ast.expr, module: Module) -> tuple[Value, ...] | None:
        """The values of the first `Literal` in an annotation."""
        return next((hint.options for hint in self.read(node, module) if hint.kind == "Literal"), None)

    def _subscript(self, node: ast.Subscript, module: Module, depth: int) -> list[Hint]:
        head = ast.unparse(node.value).rpartition(".")[2]
        elements = tuple(node.slice.elts) if isinstance(node.slice, ast.Tuple) else (node.slice,)
        if head == "Optional":
            return [*self.read(elements[0], module, depth + 1), Hint("None")]
        if head == "Union":
            return [hint for element in elements for hint in self.read(element, module, depth + 1)]
        if head in _TRANSPARENT:
            return self.read(elements[0], module, depth + 1)
        if head == "Literal":
            options = [option for element in elements for option in self._options(element, module, depth)]
            return [Hint("Literal", options=tuple(options))]
        if head in _CONTAINERS:
            return [Hint(_CONTAINERS[head], elements=elements, module=module)]
        return [Hint("other")]

    def _options(self, element: ast.expr, module: Module, depth: int) -> list[Value]:
        """The values that one argument of `Literal[...]` stands for; it may be an alias of another."""
        if isinstance(element, ast.Name | ast.Subscript):
            hints = self.read(element, module, depth + 1)
            return [option for hint in hints for option in hint.options]
        if isinstance(element, ast.Starred):
            value = self._evaluator.evaluate(element.value, Scope(module))
            return [] if is_unknown(value) else list(value)
        return [self._evaluator.evaluate(element, Scope(module))]

    def _named(self, node: ast.Name | ast.Attribute, module: Module, depth: int) -> list[Hint]:
        name = ast.unparse(node)
        if name in _BUILTIN:
            return [Hint(name)]
        if name in _CONTAINERS:
            return [Hint(_CONTAINERS[name])]
        found = self._tree.definition(module, node)
        if isinstance(found, Defined):
            if isinstance(found.node, ast.ClassDef):
                return [self._class(ClassValue(found.module, found.node))]
            value = getattr(found.node, "value", None)
            if value is not None:
                return self._alias(value, found.module, depth)
        if isinstance(found, External) and found.dotted.rpartition(".")[2] in _CONTAINERS:
            return [Hint(_CONTAINERS[found.dotted.rpartition(".")[2]])]
        return [Hint("other")]

    def _class(self, cls: ClassValue) -> Hint:
        if self._classes.is_enum(cls):
            return Hint("enum", cls=cls)
        if self._classes.is_dataclass(cls):
            return Hint("dataclass", cls=cls)
        return Hint("dict" if self._classes.is_dict(cls) else "other", cls=cls)

    def _alias(self, value: Any, module: Module, depth: int) -> list[Hint]:
        """The type that a module-level alias or a `NewType` stands for."""
        if isinstance(value, ast.Call):
            if ast.unparse(value.func).endswith("NewType"):
                return self.read(value.args[1], module, depth + 1)
            return [Hint("other")]
        return self.read(value, module, depth + 1)

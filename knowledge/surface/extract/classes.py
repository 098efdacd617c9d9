"""Classes of a release: bases, method resolution order, dataclass fields, enum members, methods."""

import ast
import re
from dataclasses import dataclass, replace
from functools import cache

from knowledge.surface.extract.source import Defined, Module, SourceTree
from knowledge.surface.extract.syntax import text_of
from knowledge.surface.extract.values import ClassValue, FunctionValue

_ENUM_BASE = re.compile(r"\b(Enum|IntEnum|StrEnum|EnumMeta|Flag)\b")
_DATACLASS_DECORATOR = re.compile(r"\b(dataclass|config)\b")
_DICT_BASE = re.compile(r"(dict|Dict|UserDict)\b")
_NOT_A_FIELD = re.compile(r"(typing\.)?(ClassVar|InitVar)\b")


@dataclass(frozen=True, slots=True)
class Field:
    """A dataclass field.

    Attributes:
        module: The module of the class that gives the annotation.
        name: The field.
        annotation: Its type.
        value: The right-hand side, or None.
        value_module: The module of the class that gives the value; a subclass may give another one.
        doc: The string literal below it.
        where: The `file:line` of the assignment that gives the value.
    """

    module: Module
    name: str
    annotation: ast.expr
    value: ast.expr | None
    value_module: Module
    doc: str
    where: str


class Classes:
    """Answers about the classes of one release."""

    def __init__(self, tree: SourceTree) -> None:
        self._tree = tree
        self.fields = cache(self._fields)
        self.mro = cache(self._mro)
        self.is_enum = cache(self._is_enum)

    def find(self, module: Module, expression: ast.expr) -> ClassValue | None:
        """The class that a name in `module` stands for."""
        found = self._tree.definition(module, expression)
        if isinstance(found, Defined) and isinstance(found.node, ast.ClassDef):
            return ClassValue(found.module, found.node)
        return None

    def named(self, dotted_module: str, name: str) -> ClassValue | None:
        """The class that `name` stands for in a module given by its dotted name."""
        module = self._tree.module(dotted_module)
        return self.find(module, ast.Name(name)) if module else None

    def bases(self, cls: ClassValue) -> list[ClassValue]:
        """The base classes that are part of the release."""
        found = (self.find(cls.module, base) for base in cls.node.bases)
        return [base for base in found if base]

    def _mro(self, cls: ClassValue) -> tuple[ClassValue, ...]:
        """The class and its bases, nearest first."""
        order = [cls]
        for base in self.bases(cls):
            order += [ancestor for ancestor in self.mro(base) if ancestor not in order]
        return tuple(order)

    def is_dataclass(self, cls: ClassValue) -> bool:
        """Whether the class itself is decorated as a dataclass or as a vLLM config."""
        return any(_DATACLASS_DECORATOR.search(ast.unparse(d)) for d in cls.node.decorator_list)

    def is_dict(self, cls: ClassValue) -> bool:
        """Whether the class derives from `dict`."""
        return any(_DICT_BASE.match(ast.unparse(base)) for base in cls.node.bases)

    def _is_enum(self, cls: ClassValue) -> bool:
        return any(_ENUM_BASE.search(ast.unparse(base)) for base in cls.node.bases) or any(
            self.is_enum(base) for base in self.bases(cls)
        )

    def enum_values(self, cls: ClassValue) -> dict[str, ast.expr]:
        """Member name to the expression of its value, in order."""
        return {
            target.id: node.value
            for node in cls.node.body
            if isinstance(node, ast.Assign)
            for target in node.targets[:1]
            if isinstance(target, ast.Name) and not target.id.startswith("_")
        }

    def class_attribute(self, cls: ClassValue, name: str) -> tuple[Module, ast.expr] | None:
        """The module and expression of a plain assignment in the class or a base."""
        for owner in self.mro(cls):
            for node in owner.node.body:
                if isinstance(node, ast.Assign) and any(
                    isinstance(target, ast.Name) and target.id == name for target in node.targets
                ):
                    return owner.module, node.value
        return None

    def method(self, cls: ClassValue, name: str, after: ClassValue | None = None) -> FunctionValue | None:
        """The method of that name; `after` starts the search behind a class, as `super()` does."""
        order = self.mro(cls)
        if after is not None and after in order:
            order = order[order.index(after) + 1 :]
        for owner in order:
            # The last definition counts: those before it are `@overload` stubs.
            for node in reversed(owner.node.body):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == name:
                    return FunctionValue(owner.module, node, owner)
        return None

    def _fields(self, cls: ClassValue) -> dict[str, Field]:
        """The dataclass fields in order, inherited ones first."""
        fields = {name: field for base in reversed(self.bases(cls)) for name, field in self.fields(base).items()}
        for node, doc in _with_docs(cls.node.body):
            target = _field_target(node)
            known = fields.get(target)
            if isinstance(node, ast.AnnAssign) and target:
                doc = doc or (known.doc if known else "")
                where = cls.module.where(node)
                fields[target] = Field(cls.module, target, node.annotation, node.value, cls.module, doc, where)
            elif isinstance(node, ast.Assign) and known:
                # A subclass gives another default without repeating the type.
                fields[target] = replace(known, value=node.value, value_module=cls.module, where=cls.module.where(node))
        return fields


def _field_target(node: ast.stmt) -> str:
    """The name that a statement of a class body may declare as a field, or nothing."""
    if isinstance(node, ast.AnnAssign) and _NOT_A_FIELD.match(ast.unparse(node.annotation)):
        return ""
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return targets[0].id if isinstance(targets[0], ast.Name) else ""


def _with_docs(body: list[ast.stmt]) -> list[tuple[ast.stmt, str]]:
    """Each statement with the string literal that stands right below it."""
    below: list[ast.stmt | None] = [*body[1:], None]
    return [(node, _literal_text(after)) for node, after in zip(body, below, strict=True)]


def _literal_text(node: ast.stmt | None) -> str:
    return text_of(node.value) or "" if isinstance(node, ast.Expr) else ""

"""What an expression of vLLM's source can evaluate to, when it is read and not run.

Plain Python values (numbers, text, None, lists, tuples, sets, dicts) stand for themselves. Everything else is
one of the classes below, and what cannot be known without running vLLM is `Unknown`, never a guess.
"""

import ast
import math
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from knowledge.surface.extract.source import Module

Value = Any


class Marker(Enum):
    """Values that are neither plain nor unknown."""

    MISSING = "no default"
    SUPPRESS = "argparse.SUPPRESS"


@dataclass(frozen=True, slots=True)
class Unknown:
    """A value that only running the code would tell; `source` is the expression."""

    source: str


@dataclass(frozen=True, slots=True)
class Symbol(Unknown):
    """A thing from outside the release or a function, known by its dotted name only."""


@dataclass(frozen=True, slots=True)
class ClassValue:
    """A class of the release."""

    module: Module
    node: ast.ClassDef

    @property
    def name(self) -> str:
        """The class's own name."""
        return self.node.name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ClassValue) and self.node is other.node

    def __hash__(self) -> int:
        return id(self.node)


@dataclass(frozen=True, slots=True)
class FunctionValue:
    """A function of the release.

    Attributes:
        owner: The class whose body holds it.
        bound: What it was looked up on: a `ClassValue`, an `Instance` of one, or None.
    """

    module: Module
    node: ast.FunctionDef | ast.AsyncFunctionDef
    owner: ClassValue | None = None
    bound: Value = None


@dataclass(frozen=True, slots=True)
class Instance:
    """An object made by calling a class of the release without arguments.

    Attributes:
        cls: The class.
        call: The call as written when it had arguments.
    """

    cls: ClassValue
    call: str = ""


@dataclass(frozen=True, slots=True)
class EnumMember:
    """A member of an enumeration of the release."""

    cls: str
    name: str
    value: Value


@dataclass(frozen=True, slots=True)
class SuperOf:
    """`super()` inside a method of `owner`, bound to `bound`."""

    owner: ClassValue
    bound: ClassValue


@dataclass(frozen=True, slots=True)
class TypeExpression:
    """An annotation used as a value, for example `int | None`."""

    module: Module
    node: ast.expr


@dataclass(frozen=True, slots=True)
class ParserValue:
    """An argument parser or one of its groups."""

    group: str | None = None


@dataclass(frozen=True, slots=True)
class MethodOf:
    """A method of a plain value or of a parser, looked up but not called yet."""

    owner: Value
    name: str


@dataclass(slots=True)
class Scope:
    """Where an expression is read.

    Attributes:
        module: The module that holds it.
        names: Local names.
        owner: The class whose method is being read.
    """

    module: Module
    names: dict[str, Value] = field(default_factory=dict)
    owner: ClassValue | None = None

    def copy(self) -> "Scope":
        """The same place with names of its own."""
        return Scope(self.module, dict(self.names), self.owner)


def truth(value: Value) -> bool | None:
    """Whether a value counts as true; None when that is not known."""
    if isinstance(value, Unknown):
        return None
    return bool(value)


def is_unknown(value: Value) -> bool:
    """Whether only running the code would tell the value."""
    return isinstance(value, Unknown)


def plain(value: Value) -> Value:
    """Render a value as JSON can hold it.

    An enum member becomes `{"enum", "value"}` with the value as text, an object built at import
    `{"instance"}`, infinity the text `inf`, and what is not known `{"computed"}` with the expression that
    computes it.
    """
    match value:
        case float() if not math.isfinite(value):
            return str(value)
        case None | bool() | int() | float() | str():
            return value
        case list() | tuple():
            return [plain(element) for element in value]
        case set() | frozenset():
            return sorted((plain(element) for element in value), key=str)
        case dict():
            return {str(key): plain(element) for key, element in value.items()}
        case Marker():
            return None if value is Marker.MISSING else "==SUPPRESS=="
        case _:
            return _rendered(value)


def _rendered(value: Value) -> dict[str, Value]:
    """Render what is not plain as a dict that says what it is."""
    match value:
        case EnumMember():
            return {"enum": f"{value.cls}.{value.name}", "value": str(plain(value.value))}
        case Instance():
            return {"instance": value.call or value.cls.name}
        case Unknown():
            return {"computed": value.source[:120]}
        case ClassValue() | FunctionValue():
            return {"computed": value.node.name}
        case TypeExpression():
            return {"computed": ast.unparse(value.node)}
        case _:
            return {"computed": type(value).__name__}

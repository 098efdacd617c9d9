"""What a name or an attribute stands for when a module of the release has been imported."""

import ast
from abc import ABC, abstractmethod

from knowledge.surface.extract.classes import Classes, Field
from knowledge.surface.extract.registry import REGISTER, registered_names
from knowledge.surface.extract.source import Binding, Defined, External, Module, SourceTree
from knowledge.surface.extract.values import (
    ClassValue,
    EnumMember,
    FunctionValue,
    Instance,
    Marker,
    MethodOf,
    ParserValue,
    Scope,
    SuperOf,
    Symbol,
    Unknown,
    Value,
)

_SSL_CONSTANTS = {"ssl.CERT_NONE": 0, "ssl.CERT_OPTIONAL": 1, "ssl.CERT_REQUIRED": 2}


class Names(ABC):
    """Reads the names of one release; the expressions behind them are left to a subclass."""

    def __init__(self, tree: SourceTree) -> None:
        self.tree = tree
        self.classes = Classes(tree)

    @abstractmethod
    def evaluate(self, node: ast.expr, scope: Scope) -> Value:
        """The value of an expression in a scope."""

    def default_of(self, field: Field) -> Value:
        """The default of a dataclass field, `Marker.MISSING` when it has none."""
        if field.value is None:
            return Marker.MISSING
        return self.evaluate(field.value, Scope(field.value_module))

    def binding_value(self, found: Binding | None, name: str) -> Value:
        """The value that a resolved name has at import."""
        match found:
            case None:
                return Symbol(name)
            case Module():
                return found
            case External(dotted="argparse.SUPPRESS"):
                return Marker.SUPPRESS
            case External(dotted="os.environ"):
                return {}  # a default is what holds when no variable is set
            case External(dotted=dotted):
                return _SSL_CONSTANTS.get(dotted, Symbol(dotted))
            case Defined(module=module, node=ast.ClassDef() as node):
                return ClassValue(module, node)
            case Defined(module=module, node=ast.FunctionDef() | ast.AsyncFunctionDef() as node):
                return FunctionValue(module, node)
            case Defined(module=module, node=ast.Assign(targets=[ast.Name()]) as node):
                return self.evaluate(node.value, Scope(module))
            case Defined(module=module, node=ast.AnnAssign(value=ast.expr() as value)):
                return self.evaluate(value, Scope(module))
            case _:
                return Unknown(name)

    def read_name(self, node: ast.Name, scope: Scope) -> Value:
        """The value of a local name, else of a name of the module."""
        if node.id in scope.names:
            return scope.names[node.id]
        return self.binding_value(self.tree.resolve(scope.module, node.id), node.id)

    def read_attribute(self, node: ast.Attribute, scope: Scope) -> Value:
        """The value of an attribute of a module, class, enum member or plain value."""
        owner = self.evaluate(node.value, scope)
        text = ast.unparse(node)
        match owner:
            case Module(dotted="vllm.envs"):
                return self._environment_default(owner, node.attr)
            case Module():
                return self.binding_value(self.tree.resolve(owner, node.attr), text)
            case Symbol():
                return self.binding_value(External(f"{owner.source}.{node.attr}"), text)
            case ClassValue():
                return self._class_attribute(owner, owner, node.attr, text)
            case Instance():
                return self._class_attribute(owner.cls, owner, node.attr, text)
            case SuperOf():
                method = self.classes.method(owner.bound, node.attr, after=owner.owner)
                return _bind(method, owner.bound) if method else Unknown(text)
            case EnumMember():
                return {"value": owner.value, "name": owner.name}.get(node.attr, Unknown(text))
            case ParserValue() | dict() | list() | str() | set() | tuple():
                return MethodOf(owner, node.attr)
            case _:
                return Symbol(text)

    def _environment_default(self, envs: Module, name: str) -> Value:
        """The declared default of an environment variable read as `envs.NAME`, or another of its names."""
        declared = envs.typing_names.get(name)
        if isinstance(declared, ast.AnnAssign) and declared.value is not None:
            return self.evaluate(declared.value, Scope(envs))
        return self.binding_value(self.tree.resolve(envs, name), f"envs.{name}")

    def _class_attribute(self, cls: ClassValue, bound: Value, name: str, text: str) -> Value:
        if name in {"__doc__", "__name__", "__class__"}:
            return {"__doc__": ast.get_docstring(cls.node) or "", "__name__": cls.name, "__class__": cls}[name]
        if self.classes.is_enum(cls) and name in self.classes.enum_values(cls):
            return self.member(cls, name)
        if self.classes.method(cls, REGISTER) and name.endswith("_parsers"):
            return dict.fromkeys(registered_names(self.tree, cls))
        field = self.classes.fields(cls).get(name)
        if field:
            default = self.default_of(field)
            return Unknown(text) if default is Marker.MISSING else default
        method = self.classes.method(cls, name)
        if method:
            return _bind(method, bound)
        assigned = self.classes.class_attribute(cls, name)
        return self.evaluate(assigned[1], Scope(assigned[0])) if assigned else Unknown(text)

    def member(self, cls: ClassValue, name: str) -> EnumMember:
        """A member of an enumeration."""
        value = self.classes.enum_values(cls)[name]
        return EnumMember(cls.name, name, self.evaluate(value, Scope(cls.module)))


def _bind(method: FunctionValue, bound: Value) -> FunctionValue:
    return FunctionValue(method.module, method.node, method.owner, bound)

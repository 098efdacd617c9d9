"""Evaluate calls: the few functions that build command-line arguments, and plain built-ins.

A function of the release is stepped into only when it is handed a parser or a table of argparse keywords;
everything else stays a name.
"""

import ast
import itertools
import json
from abc import abstractmethod
from collections.abc import Callable, ItemsView, KeysView, ValuesView
from typing import Any

from knowledge.surface.extract.argument_kwargs import KwargsBuilder, KwargsTable, read_dialect
from knowledge.surface.extract.evaluate import Evaluator
from knowledge.surface.extract.source import Module, SourceTree
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
    is_unknown,
)

ARG_UTILS = "vllm.engine.arg_utils"

_BUILTINS: dict[str, Callable[..., Value]] = {
    function.__name__: function
    for function in (
        *(int, float, str, bool, list, tuple, set, dict, frozenset, range),
        *(sorted, len, max, min, abs, round),
    )
}
# Methods of plain values that may be called while reading: they need nothing but their arguments.
_METHODS = frozenset(name for kind in (str, list, tuple, dict, set) for name in dir(kind) if not name.startswith("_"))
_VIEWS = (KeysView, ValuesView, ItemsView)


class CallEvaluator(Evaluator):
    """Evaluates calls as well; running a function's body is left to a subclass."""

    def __init__(self, tree: SourceTree) -> None:
        super().__init__(tree)
        arg_utils = tree.module(ARG_UTILS) or Module("", ARG_UTILS, ast.Module([], []))
        self.dialect = read_dialect(arg_utils)
        self._kwargs = KwargsBuilder(self.dialect, self.classes, self.hints, self.default_of)
        self._known_calls: dict[str, Callable[[ast.Call, Scope], Value]] = {
            "get_kwargs": self._get_kwargs,
            "_compute_kwargs": self._get_kwargs,
            "get_field": self._get_field,
            "get_args": self._get_args,
            "field": self._field_default,
            "Field": self._field_default,
            "getenv": self._getenv,
            "loads": lambda node, scope: self.apply(node, json.loads, self.evaluate(node.args[0], scope)),
            "expanduser": lambda node, scope: self.evaluate(node.args[0], scope),
            "join": self._join_path,
            "cast": lambda node, scope: self.evaluate(node.args[1], scope),
            "deepcopy": lambda node, scope: _copied(self.evaluate(node.args[0], scope)),
            "permutations": self._permutations,
        }

    @property
    @abstractmethod
    def is_computing(self) -> bool:
        """Whether a default is being computed, so that every function is stepped into."""

    @abstractmethod
    def invoke(self, function: FunctionValue, node: ast.Call, scope: Scope) -> Value:
        """The result of following the body of a function of the release."""

    @abstractmethod
    def compute(self, node: ast.expr, scope: Scope) -> Value:
        """The value of an expression that computes a default."""

    @abstractmethod
    def parser_call(self, parser: ParserValue, method: str, node: ast.Call, scope: Scope) -> Value:
        """The result of a method of an argument parser."""

    def call(self, node: ast.Call, scope: Scope) -> Value:
        """The value of a call."""
        name = ast.unparse(node.func).rpartition(".")[2]
        if name == "super" and scope.owner:
            bound = scope.names.get("cls") or scope.names.get("self")
            bound = bound.cls if isinstance(bound, Instance) else bound
            return SuperOf(scope.owner, bound if isinstance(bound, ClassValue) else scope.owner)
        callee = self.evaluate(node.func, scope)
        if isinstance(callee, MethodOf):
            return self._method(callee, node, scope)
        if name in self._known_calls:
            return self._known_calls[name](node, scope)
        if isinstance(callee, ClassValue):
            return Instance(callee, ast.unparse(node) if node.args or node.keywords else "")
        if isinstance(callee, FunctionValue):
            return self._function(callee, node, scope)
        if isinstance(callee, Symbol) and callee.source in _BUILTINS:
            return self._builtin(_BUILTINS[callee.source], node, scope)
        return Symbol(ast.unparse(node))

    def keywords(self, node: ast.Call, scope: Scope) -> dict[str, Value]:
        """The named arguments of a call, `**` spread where it is known."""
        values: dict[str, Value] = {}
        for keyword in node.keywords:
            value = self.evaluate(keyword.value, scope)
            if keyword.arg:
                values[keyword.arg] = value
            elif isinstance(value, dict):
                values.update(value)
        return values

    def _method(self, method: MethodOf, node: ast.Call, scope: Scope) -> Value:
        if isinstance(method.owner, ParserValue):
            return self.parser_call(method.owner, method.name, node, scope)
        arguments = self.sequence(node.args, scope)
        if method.name not in _METHODS:
            return Unknown(ast.unparse(node))
        if isinstance(method.owner, str) and any(map(is_unknown, arguments)):
            return Unknown(ast.unparse(node))
        named = self.keywords(node, scope)
        # A container may well hold an unknown value; it is only the operation that must be known.
        made = self.apply(node, lambda: getattr(method.owner, method.name)(*map(_listed, arguments), **named))
        return list(made) if isinstance(made, _VIEWS) else made

    def _builtin(self, function: Callable[..., Value], node: ast.Call, scope: Scope) -> Value:
        arguments = [self._iterated(value) for value in self.sequence(node.args, scope)]
        named = {name: value for name, value in self.keywords(node, scope).items() if name != "key"}
        return self.apply(node, lambda *values: function(*values, **named), *arguments)

    def _iterated(self, value: Value) -> Value:
        """A value as a built-in takes it: an enumeration gives its members, a member its value."""
        if isinstance(value, ClassValue):
            members = self.members(value)
            return value if members is None else members
        return value.value if isinstance(value, EnumMember) else value

    def _function(self, function: FunctionValue, node: ast.Call, scope: Scope) -> Value:
        arguments = [*self.sequence(node.args, scope), *self.keywords(node, scope).values()]
        if any(isinstance(argument, ParserValue | KwargsTable) for argument in arguments):
            return self.invoke(function, node, scope)
        if self.is_computing:
            return self.invoke(function, node, scope)
        constant = _constant_body(function)
        return self.evaluate(constant, Scope(function.module)) if constant else Symbol(ast.unparse(node))

    def _get_kwargs(self, node: ast.Call, scope: Scope) -> Value:
        cls = self.evaluate(node.args[0], scope)
        return self._kwargs.table(cls) if isinstance(cls, ClassValue) else Unknown(ast.unparse(node))

    def _get_field(self, node: ast.Call, scope: Scope) -> Value:
        """`get_field(Config, "name")` copies a field of a config class."""
        cls, name = (self.evaluate(argument, scope) for argument in node.args[:2])
        field = self.classes.fields(cls).get(name) if isinstance(cls, ClassValue) else None
        return self.default_of(field) if field else Unknown(ast.unparse(node))

    def _get_args(self, node: ast.Call, scope: Scope) -> Value:
        options = self.hints.literal_options(node.args[0], scope.module)
        return Unknown(ast.unparse(node)) if options is None else options

    def _field_default(self, node: ast.Call, scope: Scope) -> Value:
        """The default that `field(...)` or pydantic's `Field(...)` gives."""
        named = {keyword.arg: keyword.value for keyword in node.keywords}
        if "default" in named:
            return self.evaluate(named["default"], scope)
        if "default_factory" in named:
            return self._made_by(named["default_factory"], scope)
        if node.args:
            value = self.evaluate(node.args[0], scope)
            return Marker.MISSING if value is Ellipsis else value
        return Marker.MISSING

    def _getenv(self, node: ast.Call, scope: Scope) -> Value:
        """An environment variable, taken as unset: a default is what holds then."""
        return self.evaluate(node.args[1], scope) if len(node.args) > 1 else None

    def _join_path(self, node: ast.Call, scope: Scope) -> Value:
        return self.apply(node, lambda *parts: "/".join(parts), *self.sequence(node.args, scope))

    def _made_by(self, factory: ast.expr, scope: Scope) -> Value:
        if isinstance(factory, ast.Lambda):
            return self.compute(factory.body, scope)
        made = self.compute(ast.Call(factory, [], []), scope)
        if isinstance(made, Instance) and self.classes.is_dict(made.cls):
            return {}
        return made

    def _permutations(self, node: ast.Call, scope: Scope) -> Value:
        named = self.keywords(node, scope)
        return self.apply(
            node,
            lambda pool: list(itertools.permutations(pool, named.get("r"))),
            self.evaluate(node.args[0], scope),
        )


def _constant_body(function: FunctionValue) -> ast.expr | None:
    """The returned expression of a function that takes nothing and does nothing but return."""
    body = [s for s in function.node.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
    if function.node.args.args or len(body) != 1 or not isinstance(body[0], ast.Return):
        return None
    return body[0].value


def _copied(value: Value) -> Value:
    """A copy of the containers of a value; what they hold is never changed in place."""
    if isinstance(value, dict):
        return type(value)({key: _copied(element) for key, element in value.items()})
    return [_copied(element) for element in value] if isinstance(value, list) else value


def _listed(argument: Any) -> Any:
    """An argument as a method of a plain value takes it: enum members give their value, views a list."""
    if isinstance(argument, list):
        return [getattr(element, "value", element) for element in argument]
    return argument

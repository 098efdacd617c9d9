"""Evaluate expressions of a release without running it.

Whatever cannot be told from the source is `Unknown`; an unknown operand makes the whole expression unknown.
"""

import ast
import operator
from abc import abstractmethod
from collections.abc import Callable, Iterable
from typing import Any

from knowledge.surface.extract.hints import Hints
from knowledge.surface.extract.names import Names
from knowledge.surface.extract.operators import BINARY, COMPARE, UNARY
from knowledge.surface.extract.source import SourceTree
from knowledge.surface.extract.values import (
    ClassValue,
    ParserValue,
    Scope,
    Symbol,
    TypeExpression,
    Unknown,
    Value,
    is_unknown,
    truth,
)

# What a wrong guess about a foreign value can raise while an operator or a method is applied to it.
APPLY_ERRORS = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)

_PLAIN = (dict, list, tuple, set, frozenset, str, range)


class Evaluator(Names):
    """Evaluates the expressions of one release; calls are left to a subclass."""

    def __init__(self, tree: SourceTree) -> None:
        super().__init__(tree)
        self.hints = Hints(tree, self.classes, self)
        self._readers: dict[type[ast.expr], Callable[[Any, Scope], Value]] = {
            ast.Constant: lambda node, _: node.value,
            ast.Name: self.read_name,
            ast.Attribute: self.read_attribute,
            ast.Tuple: lambda node, scope: tuple(self.sequence(node.elts, scope)),
            ast.List: lambda node, scope: self.sequence(node.elts, scope),
            ast.Set: lambda node, scope: set(self.sequence(node.elts, scope)),
            ast.Dict: self._dict,
            ast.UnaryOp: self._unary,
            ast.BinOp: self._binary,
            ast.BoolOp: self._boolean,
            ast.Compare: self._compare,
            ast.IfExp: self._conditional,
            ast.JoinedStr: self._joined,
            ast.Subscript: self._subscript,
            ast.ListComp: self._comprehension,
            ast.GeneratorExp: self._comprehension,
            ast.SetComp: lambda node, scope: set(self._comprehension(node, scope)),
            ast.Call: self.call,
            ast.Starred: lambda node, scope: self.evaluate(node.value, scope),
        }

    def evaluate(self, node: ast.expr, scope: Scope) -> Value:
        """The value of an expression in a scope."""
        reader = self._readers.get(type(node))
        return reader(node, scope) if reader else Unknown(ast.unparse(node))

    @abstractmethod
    def call(self, node: ast.Call, scope: Scope) -> Value:
        """The value of a call."""

    def sequence(self, elements: list[ast.expr], scope: Scope) -> list[Value]:
        """The values of a list display or of the arguments of a call, starred ones spread."""
        values: list[Value] = []
        for element in elements:
            value = self.evaluate(element, scope)
            if not isinstance(element, ast.Starred):
                values.append(value)
            elif isinstance(value, _PLAIN):
                values.extend(value)
            else:
                values.append(Unknown(ast.unparse(element)))
        return values

    def members(self, value: Value) -> Iterable[Value] | None:
        """What a loop over a value visits; None when that is not known."""
        if isinstance(value, ClassValue) and self.classes.is_enum(value):
            return [self.member(value, name) for name in self.classes.enum_values(value)]
        if isinstance(value, set | frozenset):
            return sorted(value, key=str)  # a set has no order of its own, and data must not change by chance
        return list(value) if isinstance(value, _PLAIN) else None

    def _dict(self, node: ast.Dict, scope: Scope) -> Value:
        result: dict[Value, Value] = {}
        for key_node, value_node in zip(node.keys, node.values, strict=True):
            value = self.evaluate(value_node, scope)
            if key_node is not None:
                result[self.evaluate(key_node, scope)] = value
            elif isinstance(value, dict):
                result.update(value)
            else:
                return Unknown(ast.unparse(node))
        return result

    def _unary(self, node: ast.UnaryOp, scope: Scope) -> Value:
        value = self.evaluate(node.operand, scope)
        if isinstance(node.op, ast.Not):
            known = truth(value)
            return Unknown(ast.unparse(node)) if known is None else not known
        return self.apply(node, UNARY[type(node.op)], value)

    def _binary(self, node: ast.BinOp, scope: Scope) -> Value:
        left, right = self.evaluate(node.left, scope), self.evaluate(node.right, scope)
        if isinstance(node.op, ast.BitOr) and not isinstance(left, (*_PLAIN, int)):
            return TypeExpression(scope.module, node)
        if isinstance(left, list) and isinstance(right, Unknown) and isinstance(node.op, ast.Add):
            return [*left, right]  # a list of which a part is known
        return self.apply(node, BINARY.get(type(node.op), operator.matmul), left, right)

    def _boolean(self, node: ast.BoolOp, scope: Scope) -> Value:
        is_and = isinstance(node.op, ast.And)
        all_known = True
        value: Value = None
        for operand in node.values:
            value = self.evaluate(operand, scope)
            known = truth(value)
            if known is None:
                all_known = False
            elif known is not is_and:
                # A falsy operand settles an `and` even if an earlier one is unknown.
                return value if all_known else False if is_and else Unknown(ast.unparse(node))
        return value if all_known else Unknown(ast.unparse(node))

    def _compare(self, node: ast.Compare, scope: Scope) -> Value:
        left = self.evaluate(node.left, scope)
        if len(node.ops) > 1:
            return Unknown(ast.unparse(node))
        return self.apply(node, COMPARE[type(node.ops[0])], left, self.evaluate(node.comparators[0], scope))

    def _conditional(self, node: ast.IfExp, scope: Scope) -> Value:
        known = truth(self.evaluate(node.test, scope))
        if known is None:
            return Unknown(ast.unparse(node))
        return self.evaluate(node.body if known else node.orelse, scope)

    def _joined(self, node: ast.JoinedStr, scope: Scope) -> Value:
        """An f-string; parts that are not known stay as `{expression}`."""
        parts = []
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                value = self.evaluate(part.value, scope)
                is_text = isinstance(value, str | int | float)
                parts.append(str(value) if is_text else f"{{{ast.unparse(part.value)}}}")
            elif isinstance(part, ast.Constant):
                parts.append(str(part.value))
        return "".join(parts)

    def _subscript(self, node: ast.Subscript, scope: Scope) -> Value:
        owner = self.evaluate(node.value, scope)
        if not isinstance(owner, _PLAIN):
            is_type = isinstance(owner, Symbol)
            return TypeExpression(scope.module, node) if is_type else Unknown(ast.unparse(node))
        if isinstance(node.slice, ast.Slice):
            edges = [
                self.evaluate(edge, scope) if edge else None
                for edge in (node.slice.lower, node.slice.upper, node.slice.step)
            ]
            return self.apply(node, lambda *ends: _item(owner, slice(*ends)), *edges)
        return self.apply(node, _item, owner, self.evaluate(node.slice, scope))

    def _comprehension(self, node: ast.ListComp | ast.GeneratorExp | ast.SetComp, scope: Scope) -> Value:
        loop = node.generators[0]
        visited = self.members(self.evaluate(loop.iter, scope))
        if visited is None or len(node.generators) > 1:
            return [Unknown(ast.unparse(node))]
        values = []
        for element in visited:
            inner = scope.copy()
            self.assign(loop.target, element, inner)
            kept = [truth(self.evaluate(test, inner)) for test in loop.ifs]
            if None in kept:
                return [Unknown(ast.unparse(node))]
            if all(kept):
                values.append(self.evaluate(node.elt, inner))
        return values

    def assign(self, target: ast.expr, value: Value, scope: Scope) -> None:
        """Bind a name, an item of a known container, or each name of a tuple."""
        if isinstance(target, ast.Name):
            scope.names[target.id] = value
        elif isinstance(target, ast.Subscript):
            container, key = self.evaluate(target.value, scope), self.evaluate(target.slice, scope)
            if isinstance(container, dict | list) and not is_unknown(key):
                container[key] = value
        elif isinstance(target, ast.Tuple | ast.List):
            values = value if isinstance(value, list | tuple) and len(value) == len(target.elts) else None
            for index, element in enumerate(target.elts):
                self.assign(element, values[index] if values else Unknown(ast.unparse(element)), scope)

    def apply(self, node: ast.expr, function: Callable[..., Value], *operands: Value) -> Value:
        """Apply an operator or a built-in to values; unknown when an operand is, or when it does not fit."""
        if any(isinstance(operand, Unknown | ParserValue) for operand in operands):
            return Unknown(ast.unparse(node))
        try:
            return function(*operands)
        except APPLY_ERRORS:
            return Unknown(ast.unparse(node))


def _item(container: Any, key: Any) -> Value:
    return container[key]

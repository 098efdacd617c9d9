"""Follow the statements of the functions that build a parser, and record every argument they add."""

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from knowledge.surface.extract.calls import CallEvaluator
from knowledge.surface.extract.source import Defined, SourceTree
from knowledge.surface.extract.values import (
    ClassValue,
    FunctionValue,
    Instance,
    ParserValue,
    Scope,
    Symbol,
    Value,
    is_unknown,
    truth,
)

MAX_CALL_DEPTH = 15  # the deepest chain seen is 6


class _Jump(BaseException):
    """Control flow of the code that is read, not an error."""


class _Return(_Jump):
    """Leaves a function with its value."""

    def __init__(self, value: Value) -> None:
        super().__init__()
        self.value = value


class _Break(_Jump):
    """Leaves a loop."""


class _Continue(_Jump):
    """Starts the next round of a loop."""


class _Undecided(_Jump):
    """Leaves a computation whose result hangs on something that only running the code would tell."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One `add_argument` call.

    Attributes:
        names: The option strings or the name of a positional argument.
        kwargs: The keywords, evaluated.
        group: The title of the argument group.
        where: The `file:line` of the call.
        guards: Conditions around it that only running the code would tell.
    """

    names: tuple[str, ...]
    kwargs: dict[str, Value]
    group: str | None
    where: str
    guards: tuple[str, ...]


class ParserReader(CallEvaluator):
    """Reads the functions that build a parser."""

    def __init__(self, tree: SourceTree) -> None:
        super().__init__(tree)
        self._arguments: list[Argument] = []
        self._guards: list[str] = []
        self._depth = 0
        self._is_strict = False

    def follow(self, cls: ClassValue, method: str) -> list[Argument] | None:
        """What a method of a class adds to the parser that it is handed, in order.

        Args:
            cls: The class.
            method: A method whose only argument is a parser or a set of subparsers.

        Returns:
            The arguments, or None when the class has no such method.
        """
        found = self.classes.method(cls, method)
        if found is None:
            return None
        is_classmethod = "classmethod" in map(ast.unparse, found.node.decorator_list)
        bound = FunctionValue(found.module, found.node, found.owner, cls if is_classmethod else Instance(cls))
        self._arguments = []
        call = ast.Call(ast.Name(method), [ast.Name("parser")], [])
        self.invoke(bound, call, Scope(found.module, {"parser": ParserValue()}))
        return self._arguments

    @property
    def is_computing(self) -> bool:
        """Whether a default is being computed, so that every function is stepped into."""
        return self._is_strict

    def invoke(self, function: FunctionValue, node: ast.Call, scope: Scope) -> Value:
        """The result of following a function's body."""
        if self._depth >= MAX_CALL_DEPTH:
            return Symbol(ast.unparse(node))
        self._depth += 1
        try:
            self._block(function.node.body, self._call_scope(function, node, scope))
        except _Return as returned:
            return returned.value
        finally:
            self._depth -= 1
        return None

    def compute(self, node: ast.expr, scope: Scope) -> Value:
        """The value of an expression that computes a default, functions stepped into.

        A symbol when that hangs on something that only running the code would tell.
        """
        outer, self._is_strict = self._is_strict, True
        try:
            return self.evaluate(node, scope)
        except _Undecided:
            return Symbol(ast.unparse(node))
        finally:
            self._is_strict = outer

    def parser_call(self, parser: ParserValue, method: str, node: ast.Call, scope: Scope) -> Value:
        """Record an argument, or open a group or a subparser."""
        if method in {"add_argument_group", "add_mutually_exclusive_group"}:
            named = self.keywords(node, scope)
            title = named.get("title") or next(iter(self.sequence(node.args, scope)), parser.group)
            return ParserValue(title if isinstance(title, str) else parser.group)
        if method == "add_parser":
            return ParserValue()
        if method == "add_argument":
            names = tuple(name for name in self.sequence(node.args, scope) if isinstance(name, str))
            self._arguments.append(
                Argument(
                    names,
                    self.keywords(node, scope),
                    parser.group,
                    scope.module.where(node),
                    tuple(self._guards),
                )
            )
        return Symbol(f"parser.{method}")

    def _call_scope(self, function: FunctionValue, node: ast.Call, scope: Scope) -> Scope:
        """The scope of a function's body, its parameters bound to the arguments of the call."""
        signature = function.node.args
        inner = Scope(function.module, {}, function.owner)
        names = [parameter.arg for parameter in [*signature.posonlyargs, *signature.args]]
        defaults = zip(names[len(names) - len(signature.defaults) :], signature.defaults, strict=True)
        keyword_only = zip((p.arg for p in signature.kwonlyargs), signature.kw_defaults, strict=True)
        for name, default in [*defaults, *keyword_only]:
            if default is not None:
                inner.names[name] = self.evaluate(default, Scope(function.module))
        values = [*_receiver(function), *self.sequence(node.args, scope)]
        inner.names.update(zip(names, values, strict=False))
        inner.names.update(self.keywords(node, scope))
        return inner

    def _block(self, body: list[ast.stmt], scope: Scope) -> None:
        for statement in body:
            self._statement(statement, scope)

    def _statement(self, node: ast.stmt, scope: Scope) -> None:  # noqa: C901 - one line a kind of statement
        match node:
            case ast.Assign():
                value = self.evaluate(node.value, scope)
                for target in node.targets:
                    self.assign(target, value, scope)
            case ast.AnnAssign(value=ast.expr() as right):
                self.assign(node.target, self.evaluate(right, scope), scope)
            case ast.AugAssign():
                combined = ast.BinOp(ast.parse(ast.unparse(node.target), mode="eval").body, node.op, node.value)
                self.assign(node.target, self.evaluate(combined, scope), scope)
            case ast.Expr():
                self.evaluate(node.value, scope)
            case ast.Return():
                raise _Return(self.evaluate(node.value, scope) if node.value else None)
            case ast.If():
                self._branch(node, scope)
            case ast.For():
                self._loop(node, scope)
            case ast.Delete():
                self._delete(node, scope)
            case ast.With():
                self._block(node.body, scope)
            case ast.Try():
                self._block([*node.body, *node.orelse, *node.finalbody], scope)
            case ast.Import() | ast.ImportFrom():
                for name, imported in scope.module.bind_imports(node).items():
                    scope.names[name] = self.binding_value(self.tree.resolve_import(imported), name)
            case ast.FunctionDef() | ast.ClassDef():
                scope.names[node.name] = self.binding_value(Defined(scope.module, node), node.name)
            case ast.Break():
                raise _Break
            case ast.Continue():
                raise _Continue
            case ast.While() | ast.Match() if self._is_strict:
                raise _Undecided

    def _branch(self, node: ast.If, scope: Scope) -> None:
        """Follow the branch that is taken; both, under a guard, when that is not known."""
        taken = True if _is_help_test(node.test) else truth(self.evaluate(node.test, scope))
        if taken is not None:
            self._block(node.body if taken else node.orelse, scope)
            return
        if self._is_strict:
            raise _Undecided
        test = ast.unparse(node.test)
        for body, guard in ((node.body, test), (node.orelse, f"not ({test})")):
            with self._guarded(guard):
                self._block(body, scope)

    @contextmanager
    def _guarded(self, guard: str) -> Iterator[None]:
        """Mark what a branch adds; a `return` in it ends the branch only, for it may not be taken."""
        self._guards.append(guard)
        try:
            yield
        except _Return:
            pass
        finally:
            self._guards.pop()

    def _loop(self, node: ast.For, scope: Scope) -> None:
        visited = self.members(self.evaluate(node.iter, scope))
        if visited is None and self._is_strict:
            raise _Undecided
        for element in visited or ():
            self.assign(node.target, element, scope)
            try:
                self._block(node.body, scope)
            except _Continue:
                continue
            except _Break:
                break

    def _delete(self, node: ast.Delete, scope: Scope) -> None:
        for target in node.targets:
            if isinstance(target, ast.Subscript):
                container, key = self.evaluate(target.value, scope), self.evaluate(target.slice, scope)
                if isinstance(container, dict) and not is_unknown(key):
                    container.pop(key, None)


def _is_help_test(test: ast.expr) -> bool:
    """Whether a condition asks if `--help` was typed; what is read here is the parser without it."""
    text = ast.unparse(test)
    return "sys.argv" in text and "--help" in text


def _receiver(function: FunctionValue) -> list[Value]:
    """What `cls` or `self` is bound to, as a list of none or one."""
    decorators = {ast.unparse(decorator) for decorator in function.node.decorator_list}
    bound = function.bound
    if function.owner is None or bound is None or "staticmethod" in decorators:
        return []
    if "classmethod" in decorators:
        cls = bound.cls if isinstance(bound, Instance) else bound
        return [cls if isinstance(cls, ClassValue) else function.owner]
    return [bound] if isinstance(bound, Instance) else []

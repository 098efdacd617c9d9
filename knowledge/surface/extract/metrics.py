"""The Prometheus families that a release can export.

A family is named as Prometheus names it: a counter loses the `_total` that its samples carry. Names built at
run time from another package's constants cannot be seen here.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from knowledge.surface.extract.deprecation import announcement
from knowledge.surface.extract.evaluate import Evaluator
from knowledge.surface.extract.fact import Fact
from knowledge.surface.extract.source import Module, SourceTree
from knowledge.surface.extract.syntax import argument_of, text_of
from knowledge.surface.extract.values import Scope, Value

# A family: not a torch operator (`vllm::op`), not a bare prefix (`vllm:kv_`).
FAMILY = re.compile(r"vllm:[a-zA-Z][a-zA-Z0-9_]*[a-zA-Z0-9]")
# Files that only read what others export.
READERS = ("vllm/benchmarks/", "vllm/v1/metrics/reader.py", "orca_metrics.py")
KINDS = ("gauge", "counter", "histogram", "summary", "info")
ENGINE = "vllm/v1/"
HIDDEN = "show_hidden_metrics"


@dataclass(slots=True)
class Sighting:
    """A place that names a family.

    Attributes:
        name: As written.
        where: The `file:line`.
        kind: What it is registered as there; empty when it is only named.
        labels: Its label names, when visible there.
        guards: Conditions around it.
        deprecated: What its documentation announces.
    """

    name: str
    where: str
    kind: str = ""
    labels: list[str] | None = None
    guards: tuple[str, ...] = ()
    deprecated: dict[str, Any] | None = None


def metric_facts(evaluator: Evaluator) -> list[Fact]:
    """The families that the release registers or names, in order of name."""
    sightings: dict[str, list[Sighting]] = {}
    for module in _modules(evaluator.tree):
        for seen in _Visitor(module, evaluator).read():
            sightings.setdefault(seen.name, []).append(seen)
    facts: dict[str, Fact] = {}
    for name in sorted(sightings):
        fact = _fact(name, sightings[name])
        facts.setdefault(fact.name, fact)
    return sorted(facts.values(), key=lambda fact: fact.name)


def _modules(tree: SourceTree) -> Iterator[Module]:
    """The modules that name a family, or a constant or class that holds one."""
    files = [(path, text) for path, text in tree.files("vllm/") if not any(r in path for r in READERS)]
    holders = {holder for path, text in files if "vllm:" in text for holder in _holders(tree.tree(path))}
    wanted = ["vllm:", *sorted(holders)]
    for path, text in files:
        module = tree.module_at(path) if any(word in text for word in wanted) else None
        if module:
            yield module


def _holders(tree: ast.Module) -> Iterator[str]:
    """Module-level constants and classes whose value or body is a family's name."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and _is_family(node.value) and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id
        body = node.body if isinstance(node, ast.ClassDef) else []
        if any(isinstance(part, ast.Assign) and _is_family(part.value) for part in body):
            yield getattr(node, "name", "")


def _is_family(node: ast.AST | None) -> bool:
    return bool(FAMILY.fullmatch(text_of(node) or ""))


def _fact(name: str, seen: list[Sighting]) -> Fact:
    # Two engines once registered the same names; the one that is still there counts.
    registered = sorted(
        [sighting for sighting in seen if sighting.kind] or seen,
        key=lambda sighting: not sighting.where.startswith(ENGINE),
    )
    first = registered[0]
    attributes: dict[str, Any] = {"kind": first.kind} if first.kind else {}
    labels = next((sighting.labels for sighting in registered if sighting.labels), None)
    if labels:
        attributes["labels"] = labels
    if all(sighting.guards for sighting in registered) and first.kind:
        attributes["guards"] = list(first.guards)
        if any(HIDDEN in guard and not guard.startswith("not ") for guard in first.guards):
            attributes["hidden"] = True
    if first.deprecated:
        attributes["deprecated"] = first.deprecated
    family = name.removesuffix("_total") if first.kind == "counter" else name
    return Fact(family, attributes, first.where)


def _kind(called: ast.expr) -> str:
    """The kind that a call makes, told by the name of what is called; empty for any other expression."""
    return _kind_named(ast.unparse(called.func)) if isinstance(called, ast.Call) else ""


def _kind_named(dotted: str) -> str:
    last = dotted.rpartition(".")[2].lower()
    return next((kind for kind in KINDS if re.search(rf"{kind}(?![a-z]*labels)", last)), "")


@dataclass(slots=True)
class _Visitor:
    """Walks one module and keeps the conditions and local names on the way down."""

    module: Module
    evaluator: Evaluator
    seen: list[Sighting] = field(default_factory=list)
    guards: list[str] = field(default_factory=list)

    def read(self) -> list[Sighting]:
        self._visit_all(self.module.tree.body, Scope(self.module))
        return self.seen

    def _visit_all(self, nodes: list[Any], scope: Scope) -> None:
        for node in nodes:
            self._visit(node, scope)

    def _visit(self, node: ast.AST, scope: Scope) -> None:
        match node:
            case ast.Expr(value=ast.Constant()):
                return  # a docstring
            case ast.If():
                self._visit_branches(node, scope)
                return
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                # A scope with names of its own tells a local assignment from a module's.
                self._visit_all(node.body, Scope(scope.module, {**scope.names, "": None}))
                return
            case ast.Call() if _kind(node):
                self._see_call(node, scope)
            case ast.Dict():
                for key, value in zip(node.keys, node.values, strict=True):
                    if key is not None and _kind(value):
                        self._see(key, value, scope)
            case ast.Assign():
                self._see_assignment(node, scope)
            case ast.Constant() if _is_family(node):
                self._record(text_of(node) or "", node)
        self._visit_all(list(ast.iter_child_nodes(node)), scope)

    def _visit_branches(self, node: ast.If, scope: Scope) -> None:
        test = ast.unparse(node.test)
        for body, guard in ((node.body, test), (node.orelse, f"not ({test})")):
            self.guards.append(guard)
            self._visit_all(body, scope)
            self.guards.pop()

    def _see_assignment(self, node: ast.Assign, scope: Scope) -> None:
        target = node.targets[0]
        if isinstance(target, ast.Subscript) and _kind(node.value):
            self._see(target.slice, node.value, scope)
        elif isinstance(target, ast.Name) and isinstance(node.value, ast.List | ast.Tuple):
            # A table of names whose own name tells what a loop makes of them.
            kind = _kind_named(target.id)
            for part in ast.walk(node.value) if kind else ():
                if _is_family(part):
                    self._record(text_of(part) or "", part, kind)
        if scope.names and isinstance(target, ast.Name | ast.Tuple):
            self.evaluator.assign(target, self.evaluator.evaluate(node.value, scope), scope)

    def _see_call(self, call: ast.Call, scope: Scope) -> None:
        for candidate in (argument_of(call, "name"), *call.args[:1]):
            self._see(candidate, call, scope)

    def _see(self, name: ast.expr | None, call: ast.expr, scope: Scope) -> None:
        """Record a registration when the name is a family's."""
        value = self.evaluator.evaluate(name, scope) if name else None
        if name and isinstance(value, str) and FAMILY.fullmatch(value) and isinstance(call, ast.Call):
            labels, deprecated = self._labels(call, scope), self._deprecation(call, value, scope)
            self._record(value, name, _kind(call), labels, deprecated)

    def _record(
        self,
        name: str,
        node: ast.AST,
        kind: str = "",
        labels: list[str] | None = None,
        deprecated: dict[str, Any] | None = None,
    ) -> None:
        where, guards = self.module.where(node), tuple(self.guards)
        self.seen.append(Sighting(name, where, kind, labels, guards, deprecated))

    def _deprecation(self, call: ast.Call, name: str, scope: Scope) -> dict[str, Any] | None:
        documentation = argument_of(call, "documentation", position=1)
        text = self.evaluator.evaluate(documentation, scope) if documentation else None
        if not isinstance(text, str) or "deprecat" not in text.lower():
            return None
        return announcement(text, own_name=name)

    def _labels(self, call: ast.Call, scope: Scope) -> list[str] | None:
        listed = argument_of(call, "labelnames", position=2)
        value: Value = self.evaluator.evaluate(listed, scope) if listed else None
        is_known = isinstance(value, list | tuple) and all(isinstance(label, str) for label in value)
        return list(value) if is_known else None

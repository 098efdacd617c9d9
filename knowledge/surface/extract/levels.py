"""What each optimisation level (`-O0` to `-O3`) sets."""

import ast
import re
from collections.abc import Iterator
from typing import Any

from knowledge.surface.extract.evaluate import Evaluator
from knowledge.surface.extract.fact import Fact
from knowledge.surface.extract.values import FunctionValue, Scope, Value, plain

CONFIG = "vllm.config.vllm"
_LEVEL = re.compile(r"OPTIMIZATION_LEVEL_0(\d)")


def level_facts(evaluator: Evaluator) -> list[Fact]:
    """One fact a level and key, named `O2.compilation_config.cudagraph_mode`; none before levels existed."""
    module = evaluator.tree.module(CONFIG)
    facts = []
    for name, node in (module.names if module else {}).items():
        level = _LEVEL.fullmatch(name)
        if level and module and isinstance(node, ast.Assign):
            table = evaluator.evaluate(node.value, Scope(module))
            facts += [Fact(key, {"value": value}, module.where(node)) for key, value in _flat(f"O{level[1]}", table)]
    return sorted(facts, key=lambda fact: fact.name)


def _flat(prefix: str, value: Value) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _flat(f"{prefix}.{key}", inner)
    elif isinstance(value, FunctionValue):
        yield prefix, {"decided_by": value.node.name}  # a function of the model and the platform
    else:
        yield prefix, plain(value)

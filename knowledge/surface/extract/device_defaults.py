"""Defaults that hang on the device: batch sizes by memory, and the CUDA-graph capture sizes.

A batch default is a list of rows in source order. A row holds when all its conditions do; among rows of one
`step` the first that holds counts, and a later step overrides an earlier one.
"""

import ast
from collections.abc import Iterator
from typing import Any

from knowledge.surface.extract.evaluate import Evaluator
from knowledge.surface.extract.fact import Fact
from knowledge.surface.extract.source import Module
from knowledge.surface.extract.syntax import integers_in
from knowledge.surface.extract.values import Scope

ARG_UTILS = "vllm.engine.arg_utils"
CONFIGS = ("vllm.config.vllm", "vllm.config", "vllm.config.scheduler")
BATCH_FUNCTIONS = ("get_batch_defaults", "_set_default_args", "_set_default_args_v1")
SETTINGS = ("max_num_batched_tokens", "max_num_seqs")

Function = ast.FunctionDef
Row = dict[str, Any]


def device_default_facts(evaluator: Evaluator) -> list[Fact]:
    """`batch.<setting>` for both batch settings, and `cudagraph.capture_sizes`."""
    return [*_batch_facts(evaluator), *_capture_facts(evaluator)]


def _functions(module: Module | None) -> Iterator[Function]:
    nodes = ast.walk(module.tree) if module else ()
    return (node for node in nodes if isinstance(node, Function))


def _batch_facts(evaluator: Evaluator) -> Iterator[Fact]:
    module = evaluator.tree.module(ARG_UTILS)
    found = {function.name: function for function in _functions(module)}
    function = next((found[name] for name in BATCH_FUNCTIONS if name in found), None)
    if module is None or function is None:
        return
    for setting in SETTINGS:
        placed = list(_rows(function.body, f"default_{setting}", {}, evaluator, module))
        lines = sorted({line for line, _ in placed})
        rows = [{"step": lines.index(line), **row} for line, row in placed]
        if rows:
            yield Fact(f"batch.{setting}", {"rows": rows}, module.where(function))


def _rows(
    body: list[ast.stmt], variable: str, conditions: Row, evaluator: Evaluator, module: Module
) -> Iterator[tuple[int, Row]]:
    """Each assignment of the variable, with the line of the outermost `if` around it as its step."""
    for node in body:
        if isinstance(node, ast.If):
            branches = [(node.body, _conditions(node.test)), (node.orelse, {})]
            for branch, own in branches:
                for _, row in _rows(branch, variable, conditions | own, evaluator, module):
                    yield node.lineno, row
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == variable:
            yield node.lineno, {"when": conditions, "value": _by_context(node.value, evaluator, module)}


def _by_context(value: ast.expr, evaluator: Evaluator, module: Module) -> Any:
    """The value, by usage context when it differs: `OPENAI_API_SERVER` is what `vllm serve` runs in."""
    if not isinstance(value, ast.Dict):
        return _amount(value, evaluator, module)
    pairs = zip(value.keys, value.values, strict=True)
    return {ast.unparse(key).rpartition(".")[2]: _amount(amount, evaluator, module) for key, amount in pairs if key}


def _amount(node: ast.expr, evaluator: Evaluator, module: Module) -> Any:
    """A number, or `{"per_rank": n}` for a number times the world size."""
    value = evaluator.evaluate(node, Scope(module))
    if isinstance(value, int):
        return value
    if isinstance(node, ast.BinOp) and isinstance(node.left, ast.Constant) and "world_size" in ast.unparse(node):
        return {"per_rank": node.left.value}
    return {"computed": ast.unparse(node)}


def _conditions(test: ast.expr) -> Row:
    """A test as named conditions; what is not recognised goes under `other` and makes its row useless."""
    parts = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]
    return {name: value for part in parts for name, value in _condition(part).items()}


def _condition(test: ast.expr) -> Row:
    match test:
        case ast.Compare(
            left=ast.Name(id="device_memory"),
            ops=[ast.GtE()],
            comparators=[ast.BinOp(left=ast.Constant(value=size), right=ast.Name(id="GiB_bytes"))],
        ):
            return {"memory_gib_from": size}
        case ast.Compare(left=ast.Constant(value=str(name)), ops=[ast.NotIn()]):
            return {"device_without": name}
        case ast.Compare(left=ast.Name(id="chip_name"), ops=[ast.Eq()], comparators=[ast.Constant(value=chip)]):
            return {"chip": chip}
        case ast.UnaryOp(op=ast.Not(), operand=ast.Name(id=name)) if name.startswith("is_"):
            return {"not": name.removeprefix("is_")}
        case ast.Call(func=ast.Attribute(attr=name)) if name.startswith("is_"):
            return {"platform": name.removeprefix("is_")}
    return {"other": ast.unparse(test)}


def _capture_facts(evaluator: Evaluator) -> Iterator[Fact]:
    modules = [module for name in CONFIGS if (module := evaluator.tree.module(name))]
    home = next(((m, f) for m in modules for f in _functions(m) if f.name == "_set_cudagraph_sizes"), None)
    if home is None:
        return
    module, function = home
    ceiling = next((c for m in modules for f in _functions(m) if (c := _ceiling(f))), {})
    nodes = list(ast.walk(function))
    small = next((n for n in nodes if isinstance(n, ast.List) and len(n.elts) == 3 and _is_constant(n)), None)
    attributes: dict[str, Any] = {
        "small": ast.literal_eval(small) if small else [],
        "strides": sorted({stride for node in nodes if (stride := _stride(node))}),
        **ceiling,
    }
    interactive = [
        n for n in nodes if isinstance(n, ast.If) and '"interactivity"' in ast.unparse(n.test).replace("'", '"')
    ]
    if interactive:
        attributes["interactivity_up_to"] = max(integers_in(interactive[0].body[0]))
    attributes["strides"] = [list(stride) for stride in attributes["strides"]]
    yield Fact("cudagraph.capture_sizes", attributes, module.where(function))


def _is_constant(node: ast.List) -> bool:
    return all(isinstance(element, ast.Constant) for element in node.elts)


def _stride(node: ast.AST) -> tuple[int, int] | None:
    """The (from, step) of a `range` whose step is above 1."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "range" and len(node.args) == 3:
        first, step = node.args[0], node.args[2]
        if isinstance(first, ast.Constant) and isinstance(step, ast.Constant):
            return int(str(first.value)), int(str(step.value))
    return None


def _ceiling(function: Function) -> Row:
    """The largest size that is captured by default.

    `ceiling` is the fixed cap, by capability family when it differs, `per_sequence` what `max_num_seqs` is
    multiplied by, and `times_decode_length` whether speculative tokens count too.
    """
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "min" and len(node.args) == 2:
            product, cap = node.args
            if "max_num_seqs" in ast.unparse(product) and integers_in(product):
                return {
                    "ceiling": _cap(cap, function),
                    "per_sequence": integers_in(product)[-1],
                    "times_decode_length": "decode_query_len" in ast.unparse(product),
                }
    return {}


def _cap(cap: ast.expr, function: Function) -> Any:
    if isinstance(cap, ast.Constant):
        return cap.value
    assigned = [
        n.value
        for n in ast.walk(function)
        if isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) == ast.unparse(cap)
    ]
    choice = next((value for value in assigned if isinstance(value, ast.IfExp)), None)
    if choice and isinstance(choice.body, ast.Constant) and isinstance(choice.orelse, ast.Constant):
        family = (integers_in(choice.test) or [0])[0]
        return {f"capability_family_{family}": choice.body.value, "otherwise": choice.orelse.value}
    return {"computed": ast.unparse(cap)}

"""`ask models` and `ask gpus`: what the catalog knows, with sources."""

from collections.abc import Iterator
from typing import Any

import msgspec

from knowledge.catalog import catalog
from knowledge.catalog.found import FoundModel
from knowledge.catalog.gpu import Gpu
from knowledge.catalog.model import Model
from knowledge.catalog.params import parameters
from ui.commands.named import gpu_named, model_named
from ui.terminal import write, write_json


def show_models(name: str, *, as_json: bool) -> None:
    """Print one model, or the list of all.

    Args:
        name: A name, an alias, or a path to a `config.json`; "" for the list.
        as_json: Print objects.

    Raises:
        UserError: The name fits none or several; says which.
    """
    if not name:
        _print_list([(m.id, _billions(m)) for m in catalog.models()], as_json=as_json)
        return
    found = model_named(name)
    if as_json:
        write_json({"name": found.name, "basis": found.basis, "quantisation": found.quantisation, "model": found.model})
        return
    write("\n".join(_model_rows(found)) + "\n")


def show_gpus(name: str, *, as_json: bool) -> None:
    """Print one GPU, or the list of all.

    Raises:
        UserError: The name fits none or several; says which.
    """
    if not name:
        _print_list([(gpu.id, _memory(gpu)) for gpu in catalog.gpus()], as_json=as_json)
        return
    found = gpu_named(name)
    if as_json:
        write_json({"count": found.count, "basis": found.basis, "gpu": found.gpu})
        return
    rows = [f"{found.gpu.id}  ({found.basis})", *_field_rows(found.gpu, skip=("id", "sources"))]
    write("\n".join([*rows, "sources:", *(f"  {source}" for source in found.gpu.sources)]) + "\n")


def _model_rows(found: FoundModel) -> Iterator[str]:
    model = found.model
    yield f"{found.name}  ({found.basis})"
    yield f"  {model.architecture or 'architecture unknown'}, {model.layer_count} layers, {_billions(model)}"
    if found.quantisation:
        yield f"  quantised: {_fields(found.quantisation)}"
    for group in model.layers:
        parts = [_fields(part) for part in (group.mixer, group.feed_forward) if part]
        yield f"  {group.count} x {' + '.join(parts)}"
    skip = ("id", "layers", "sources", "checkpoints", "aliases", "architecture", "quantisation")
    yield from _field_rows(model, skip=skip)
    yield "parameters, term by term:"
    yield from (f"  {term.part}: {term.formula} = {term.value:,}" for term in parameters(model).terms)
    yield "sources:"
    yield from (f"  {source}" for source in model.sources)


def _billions(model: Model) -> str:
    count = parameters(model)
    active = f", {count.active / 1e9:.1f} B active" if count.active != count.total else ""
    return f"{count.total / 1e9:.1f} B parameters{active}"


def _memory(gpu: Gpu) -> str:
    return f"{gpu.memory_gb} GB" if gpu.memory_gb is not None else "memory not known"


def _field_rows(value: msgspec.Struct, *, skip: tuple[str, ...]) -> Iterator[str]:
    """Every field that holds something, one a line; what is not known is left out, not shown as zero."""
    for name in value.__struct_fields__:
        held = getattr(value, name)
        if name not in skip and held not in (None, "", (), {}, 0, False):
            yield f"  {name}: {_fields(held)}"


def _fields(value: Any) -> str:
    if not isinstance(value, msgspec.Struct):
        return ", ".join(_fields(each) for each in value) if isinstance(value, tuple) else str(value)
    inner = ", ".join(row.strip() for row in _field_rows(value, skip=()))
    return f"{type(value).__name__}({inner})"


def _print_list(rows: list[tuple[str, str]], *, as_json: bool) -> None:
    if as_json:
        write_json([name for name, _ in rows])
        return
    width = max(len(name) for name, _ in rows)
    write("".join(f"{name:<{width}}  {what}\n" for name, what in rows))

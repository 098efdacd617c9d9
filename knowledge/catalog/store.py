"""Load the catalog's data, and write it in the one form in which it is kept.

The data is JSON with one field of an entry per line, so that a diff shows which fact changed. The decoder
checks every key, so that a misspelt one is an error and not a lost fact.
"""

from functools import cache
from importlib.resources import files

import msgspec

from knowledge.catalog.gpu import Gpu
from knowledge.catalog.model import Incomplete, Model
from knowledge.corpus.claim import Closed

_LINE_CHARS = 100
"""A list that is longer is written with one item per line."""


class ModelFile(Closed, frozen=True):
    """The content of `models.json`."""

    models: tuple[Model, ...]
    incomplete: tuple[Incomplete, ...] = ()


class GpuFile(Closed, frozen=True):
    """The content of `gpus.json`."""

    gpus: tuple[Gpu, ...]


@cache
def model_file() -> ModelFile:
    """Every model of the catalog, those with unknown shapes apart."""
    return msgspec.json.decode(_read("models.json"), type=ModelFile)


@cache
def gpu_file() -> GpuFile:
    """Every GPU of the catalog."""
    return msgspec.json.decode(_read("gpus.json"), type=GpuFile)


def _read(name: str) -> bytes:
    return files("knowledge.catalog").joinpath(name).read_bytes()


def written(content: ModelFile | GpuFile) -> str:
    """The text of a data file: entries in order of their id, one field per line, defaults left out."""
    parts = [f"{_line(key)}: [\n{_entries(entries)}\n]" for key, entries in _lists(content) if entries]
    return "{" + ",\n".join(parts) + "}\n"


def _lists(content: ModelFile | GpuFile) -> list[tuple[str, tuple[Model | Incomplete | Gpu, ...]]]:
    if isinstance(content, GpuFile):
        return [("gpus", content.gpus)]
    return [("models", content.models), ("incomplete", content.incomplete)]


def _entries(entries: tuple[Model | Incomplete | Gpu, ...]) -> str:
    return ",\n".join(_entry(entry) for entry in sorted(entries, key=lambda entry: entry.id.lower()))


def _entry(entry: Model | Incomplete | Gpu) -> str:
    defaults = {field.name: field.default for field in msgspec.structs.fields(entry)}
    fields = {key: value for key, value in msgspec.to_builtins(entry).items() if value != defaults[key]}
    ordered = {"id": fields.pop("id")} | fields
    return "{\n" + ",\n".join(f" {_line(key)}: {_value(value)}" for key, value in ordered.items()) + "\n}"


def _value(value: object) -> str:
    """One line, save lists of objects and of long sentences, which get a line per item."""
    if isinstance(value, list) and value and (isinstance(value[0], dict) or len(_line(value)) > _LINE_CHARS):
        return "[\n  " + ",\n  ".join(_line(item) for item in value) + "\n ]"
    return _line(value)


def _line(value: object) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=0).decode()

"""The catalog's door: look a model or a GPU up by name, or read a model from a local `config.json`."""

from pathlib import Path

from knowledge.catalog.config_json import read_config
from knowledge.catalog.found import Ambiguous, FoundGpu, FoundModel, NotFound
from knowledge.catalog.gpu import Gpu
from knowledge.catalog.gpu_names import find_gpu
from knowledge.catalog.model import Model
from knowledge.catalog.model_names import find_model
from knowledge.catalog.store import gpu_file, model_file


def model(name: str) -> FoundModel | Ambiguous | NotFound:
    """Find a model by name, or read it when the name is a path to a `config.json` or to a folder with one.

    Raises:
        UserError: The file is there but cannot be read as a model.
    """
    path = Path(name).expanduser()
    if name.endswith("config.json") or (path.is_dir() and (path / "config.json").is_file()):
        read = read_config(path)
        return FoundModel(read, read.id, read.quantisation, "read from the file")
    return find_model(name)


def gpu(name: str) -> FoundGpu | Ambiguous | NotFound:
    """Find a GPU by name."""
    return find_gpu(name)


def models() -> tuple[Model, ...]:
    """Every model whose shapes are known."""
    return model_file().models


def gpus() -> tuple[Gpu, ...]:
    """Every GPU."""
    return gpu_file().gpus

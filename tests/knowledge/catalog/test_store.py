import re
import time
from importlib.resources import files

import msgspec
import pytest

from knowledge.catalog.gpu import Gpu
from knowledge.catalog.layers import Attention, Experts
from knowledge.catalog.model import Model
from knowledge.catalog.params import parameters
from knowledge.catalog.store import GpuFile, ModelFile, gpu_file, model_file, written

MODELS = model_file().models
INCOMPLETE = model_file().incomplete
GPUS = gpu_file().gpus
SOURCE = re.compile(
    r"PyPI [\w.-]+ [\d.]+: \S.*"
    r"|GitHub [\w.-]+/[\w.-]+(@[0-9a-f]{7,40}: \S.*|#\d+.*)"
    r"|vLLM 0\.33\.0: \S.*"
    r"|https://\S+( \(.+\))? \(read 2026-\d\d-\d\d\)"
)
LOAD_MS = 50
TOLERANCE = 0.03
by_id = pytest.mark.parametrize("model", MODELS, ids=lambda model: model.id)


def read(name: str) -> str:
    return files("knowledge.catalog").joinpath(name).read_text("utf-8")


def off(model: Model) -> float:
    """Share by which the computed total is off the stated one."""
    return abs(parameters(model).total / 1e9 / model.stated.total_b - 1) if model.stated else 0.0


@by_id
def test_the_total_is_what_is_stated_or_the_data_says_why_not(model: Model) -> None:
    if model.size_note:
        assert off(model) > TOLERANCE, "a note without need hides the next mistake"
    else:
        assert off(model) <= TOLERANCE
    assert off(model) < 0.31


@by_id
def test_shapes_fit(model: Model) -> None:
    assert model.layer_count > 0
    for count, mixer in model.mixers():
        assert count > 0
        if isinstance(mixer, Attention):
            assert mixer.heads % mixer.kv_heads == 0
    for group in model.layers:
        if isinstance(group.feed_forward, Experts):
            assert 0 < group.feed_forward.per_token <= group.feed_forward.experts
    assert parameters(model).active <= parameters(model).total


@by_id
def test_a_checkpoint_says_where_its_format_was_read(model: Model) -> None:
    assert all(SOURCE.fullmatch(checkpoint.basis) for checkpoint in model.checkpoints)


@pytest.mark.parametrize("entry", [*MODELS, *INCOMPLETE, *GPUS], ids=lambda entry: entry.id)
def test_every_entry_has_sources_that_can_be_opened(entry: Model | Gpu) -> None:
    assert entry.sources
    assert [s for s in entry.sources if not SOURCE.fullmatch(s)] == []


def test_nothing_is_from_memory() -> None:
    assert "memory." not in (read("models.json") + read("gpus.json")).lower()
    assert "from memory" not in (read("models.json") + read("gpus.json")).lower()


def test_a_size_is_stated_somewhere_but_for_few() -> None:
    assert sum(1 for model in MODELS if model.stated) > 0.95 * len(MODELS)


def test_there_are_enough_entries() -> None:
    assert len(MODELS) >= 120
    assert len(GPUS) >= 40


@pytest.mark.parametrize("gpu", GPUS, ids=lambda gpu: gpu.id)
def test_a_gpu_fact_is_there_or_listed_as_unread(gpu: Gpu) -> None:
    assert all(getattr(gpu, name) in (None, "") for name in gpu.unread)
    assert set(gpu.unread) <= {field.name for field in msgspec.structs.fields(Gpu)}
    for name in ("memory_gb", "bandwidth_gbps", "bf16_tflops"):
        assert name in gpu.unread or getattr(gpu, name) > 0
    # The driver reports GiB of what is sold as GB, so never as much as the same number of GiB.
    if gpu.usable_gib is not None and gpu.memory_gb is not None:
        assert 0.85 * gpu.memory_gb < gpu.usable_gib * 1.074 < 1.08 * gpu.memory_gb


def test_names_are_unique() -> None:
    names = [name for model in MODELS for name in (model.id, *model.aliases, *(c.id for c in model.checkpoints))]
    names += [name for entry in INCOMPLETE for name in (entry.id, *entry.aliases)]
    assert sorted(n for n in names if names.count(n) > 1) == []
    assert len({gpu.id for gpu in GPUS}) == len(GPUS)


@pytest.mark.parametrize("name", ["models.json", "gpus.json"])
def test_the_data_is_in_its_one_form(name: str) -> None:
    content = model_file() if name == "models.json" else gpu_file()
    assert read(name) == written(content)


def test_a_misspelt_key_is_refused() -> None:
    text = read("gpus.json").replace('"memory_gb"', '"memory_gib"', 1)
    with pytest.raises(msgspec.ValidationError, match=r"memory_gib|memory_gb"):
        msgspec.json.decode(text, type=GpuFile)


def test_an_absent_fact_is_refused() -> None:
    text = read("models.json").replace(' "hidden": ', ' "hiden": ', 1)
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=ModelFile)


def test_all_data_loads_fast() -> None:
    taken = []
    for _ in range(5):
        model_file.cache_clear()
        gpu_file.cache_clear()
        start = time.perf_counter()
        model_file()
        gpu_file()
        taken.append((time.perf_counter() - start) * 1000)
    assert min(taken) < LOAD_MS

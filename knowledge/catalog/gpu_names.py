"""Find the GPU that a name means: `H200`, `NVIDIA_H200`, `8xH200`, `h200 141gb`, a name from the driver."""

import re
from difflib import get_close_matches
from functools import cache
from typing import NamedTuple

from knowledge.catalog.found import Ambiguous, FoundGpu, NotFound
from knowledge.catalog.gpu import Gpu
from knowledge.catalog.store import gpu_file

_MEMORY = re.compile(r"(?<![a-z\d])(\d+)\s*(?:gb|gib|g)\b")
_COUNT_BEFORE = re.compile(r"^(?:([1-9]\d{0,4})\s*[x*]\s*)?([1-9]\d{0,4})\s*(?:[x*]\s*|\s+)(?=[a-z])")
_COUNT_AFTER = re.compile(r"(?<=[\d\s])\s*[x*]\s*([1-9]\d{0,3})$|\s([1-9]\d{0,3})x$")
_SAYS_NOTHING = frozenset(
    {"nvidia", "amd", "intel", "google", "huawei", "instinct", "geforce", "tesla", "graphics", "gpu", "gpus"}
    | {"edition", "hbm2", "hbm2e", "hbm3", "hbm3e", "cloud", "data", "center", "tensor", "core"}
)


class _Asked(NamedTuple):
    """A name taken apart."""

    words: frozenset[str]
    how_many: int | None
    memory_gb: int | None


def find_gpu(name: str) -> FoundGpu | Ambiguous | NotFound:
    """Find a GPU by name; vendor, letter case and separators do not matter.

    Args:
        name: For example `H200`, `8xH200`, `2x8 H100`, `h100 80gb pcie`, `NVIDIA_A100-SXM4-80GB`.
    """
    asked = _take_apart(name)
    if not any(asked.words <= known.words for known, _ in _names()):
        asked = _singular(asked)
    gpus = _named(asked) or _holding(asked)
    if len(gpus) == 1:
        return FoundGpu(gpus[0], asked.how_many, f"{name.strip()!r} is a name of {gpus[0].id}")
    if gpus:
        ids = tuple(sorted(gpu.id for gpu in gpus))
        return Ambiguous(name, ids, "the name fits several products; they differ in memory or links")
    other = {gpu.id for known, gpu in _names() if asked.words and asked.words <= known.words}
    if other:
        reason = f"none of the products of this name has {asked.memory_gb} GB"
        return Ambiguous(name, tuple(sorted(other)), reason)
    near = get_close_matches(name.lower(), [gpu.id.lower() for gpu in gpu_file().gpus], n=3, cutoff=0.5)
    ids = tuple(gpu.id for gpu in gpu_file().gpus if gpu.id.lower() in near)
    return NotFound(name, ids, f"{name!r} is not in the catalog; name one of its GPUs")


def _named(asked: _Asked) -> list[Gpu]:
    """Products with a name of just these words; a name that says its memory needs it said."""
    fitting = [
        gpu
        for known, gpu in _names()
        if known.words == asked.words and (_has_memory(gpu, asked) if asked.memory_gb else known.memory_gb is None)
    ]
    return list(dict.fromkeys(fitting))


def _holding(asked: _Asked) -> list[Gpu]:
    """Products with a name that holds every word asked, and more."""
    fitting = [gpu for known, gpu in _names() if asked.words and asked.words <= known.words and _has_memory(gpu, asked)]
    return list(dict.fromkeys(fitting))


def _has_memory(gpu: Gpu, asked: _Asked) -> bool:
    return asked.memory_gb is None or asked.memory_gb in (gpu.memory_gb, *gpu.other_memory_gb)


def _take_apart(name: str) -> _Asked:
    text = re.sub(r"\((?:r|tm)\)", "", name.lower()).replace("_", " ").replace("\N{MULTIPLICATION SIGN}", "x").strip()
    count = None
    if match := _COUNT_BEFORE.match(text):
        count = int(match[1] or 1) * int(match[2])
        text = text[match.end() :]
    elif match := _COUNT_AFTER.search(text):
        count = int(match[1] or match[2])
        text = text[: match.start()]
    memory = _MEMORY.search(text.replace("-", " "))
    rest = _MEMORY.sub(" ", text.replace("-", " "))
    words = frozenset(word for word in re.split(r"[\s/,()]+", rest) if word and word not in _SAYS_NOTHING)
    return _Asked(frozenset(_plain(word) for word in words), count, int(memory[1]) if memory else None)


def _plain(word: str) -> str:
    """`sxm4` and `sxm5` are one form factor for a given product."""
    return re.sub(r"^(sxm|oam)\d$", r"\1", word)


def _singular(asked: _Asked) -> _Asked:
    """`H100s` are several H100, but an `L40S` is no L40; so this comes after the name as it was asked."""
    return asked._replace(words=frozenset(re.sub(r"(?<=\d)s$", "", word) for word in asked.words))


@cache
def _names() -> tuple[tuple[_Asked, Gpu], ...]:
    return tuple(
        (_take_apart(known), gpu) for gpu in gpu_file().gpus for known in (gpu.id, *gpu.aliases, *gpu.device_names)
    )

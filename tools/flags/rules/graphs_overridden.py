"""CUDA graphs that another flag switches off, or sizes given twice.

## What it looks for
`--enforce-eager` or `-O0` beside sizes or modes of CUDA graphs, a compilation mode without pieces beside piecewise
graphs, and the same size by flag and by key.

## Why it matters
The graphs are gone without a word on the setting, and decoding is slower; a size given twice is refused.

## Not this rule
`-O0` or `--enforce-eager` alone is somebody's choice.

## What to do
Keep one of the two.
"""

from collections.abc import Iterator
from typing import Final

from tools.flags.conflict import Conflict, codes, conflicts, whole
from tools.flags.finding import Finding
from tools.flags.rule import Rule
from tools.flags.subject import Subject

EAGER: Final = "--enforce-eager"
COMPILATION: Final = "--compilation-config"
SIZES: Final = "--cudagraph-capture-sizes"
LARGEST: Final = "--max-cudagraph-capture-size"
UNPIECED: Final = (0, 1, 2, "0", "1", "2", "none", "NONE")
HIGHEST_LEVEL: Final = 3
PIECEWISE: Final = ("PIECEWISE", "piecewise")


def _wants_graphs(subject: Subject) -> bool:
    mode = subject.key(COMPILATION, "cudagraph_mode")
    sizes = subject.key(COMPILATION, "cudagraph_capture_sizes")
    graphs = isinstance(mode, str) and mode.upper() != "NONE"
    return graphs or (isinstance(sizes, list) and bool(sizes)) or subject.given(SIZES) is not None


def _eager(subject: Subject) -> bool:
    return subject.is_on(EAGER) and _wants_graphs(subject)


def _level(subject: Subject) -> int | None:
    use = subject.given("--optimization-level")
    if use is None or not use.known:
        return None
    return int(use.value) if str(use.value).isdecimal() else None


def _unoptimised(subject: Subject) -> bool:
    mode = subject.key(COMPILATION, "cudagraph_mode")
    sizes = subject.given(SIZES) is not None and mode is None
    return _level(subject) == 0 and subject.lacks(EAGER) and (mode in PIECEWISE or sizes)


def _unpieced(subject: Subject) -> bool:
    mode = subject.key(COMPILATION, "mode")
    known = mode in UNPIECED and not isinstance(mode, bool)
    return known and subject.key(COMPILATION, "cudagraph_mode") in PIECEWISE and subject.lacks(EAGER)


def _sizes_twice(subject: Subject) -> bool:
    return subject.given(SIZES) is not None and isinstance(subject.key(COMPILATION, "cudagraph_capture_sizes"), list)


def _largest_twice(subject: Subject) -> bool:
    key = subject.key(COMPILATION, "max_cudagraph_capture_size")
    return subject.given(LARGEST) is not None and whole(key) is not None


def _largest_is_another(subject: Subject) -> bool:
    largest, sizes = whole(subject.sure(LARGEST)), subject.sure(SIZES)
    graphs = subject.lacks(EAGER) and subject.lacks("--optimization-level") and subject.lacks(COMPILATION)
    known = isinstance(sizes, list) and sizes and all(whole(size) is not None for size in sizes)
    return bool(graphs and known and largest is not None and largest != max(sizes))


def _beyond_levels(subject: Subject) -> bool:
    level = _level(subject)
    return level is not None and level > HIGHEST_LEVEL


def _attention_twice(subject: Subject) -> bool:
    key = subject.key("--attention-config", "backend")
    use = subject.given("--attention-backend")
    return use is not None and use.known and use.value != "auto" and isinstance(key, str)


CONFLICTS: Final = (
    Conflict(
        "graphs-off-by-eager",
        "warning",
        ">=0.10.2",
        ("--enforce-eager",),
        _eager,
        "--enforce-eager switches CUDA graphs off, so the sizes or mode set for them do nothing. Take one of them out.",
    ),
    Conflict(
        "graphs-off-by-level",
        "warning",
        ">=0.12",
        ("--optimization-level",),
        _unoptimised,
        "at -O0 there are no piecewise CUDA graphs, so the sizes or mode set for them do nothing. Raise "
        "the level, or take them out.",
    ),
    Conflict(
        "graphs-off-by-mode",
        "warning",
        ">=0.12",
        ("--compilation-config",),
        _unpieced,
        "piecewise CUDA graphs need the compilation mode VLLM_COMPILE and are switched off. Take the mode out.",
    ),
    Conflict(
        "capture-sizes-twice",
        "error",
        ">=0.11.1",
        ("--cudagraph-capture-sizes",),
        _sizes_twice,
        "the capture sizes are given by flag and in --compilation-config, which vLLM refuses. Write them once.",
    ),
    Conflict(
        "largest-size-twice",
        "error",
        ">=0.11.1",
        ("--max-cudagraph-capture-size",),
        _largest_twice,
        "the largest capture size is given by flag and in --compilation-config, which vLLM refuses. Write it once.",
    ),
    Conflict(
        "largest-size-differs",
        "error",
        ">=0.11.1",
        ("--max-cudagraph-capture-size",),
        _largest_is_another,
        "--max-cudagraph-capture-size must be the largest of --cudagraph-capture-sizes. Take it out.",
    ),
    Conflict(
        "level-beyond",
        "error",
        ">=0.12",
        ("--optimization-level",),
        _beyond_levels,
        "there is no such optimisation level; -O3 is the highest.",
        "-O3",
    ),
    Conflict(
        "attention-backend-twice",
        "error",
        ">=0.13",
        ("--attention-backend",),
        _attention_twice,
        "the attention back end is given by flag and in --attention-config, which vLLM refuses. Write it once.",
    ),
)


def check(subject: Subject) -> Iterator[Finding]:
    """Yield the graphs that are switched off and the sizes given twice."""
    yield from conflicts(subject, CONFLICTS)


RULE = Rule(name="graphs-overridden", codes=codes(CONFLICTS), check=check, applies=">=0.10.2")

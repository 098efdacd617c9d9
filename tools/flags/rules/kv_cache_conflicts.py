"""Cache settings that contradict each other.

## What it looks for
A Mamba block size without prefix caching, a cache type that contradicts the model's, and NVFP4 for a latent cache.

## Why it matters
vLLM refuses them at start.

## Not this rule
A cache type that the release does not have is `value-refused`.

## What to do
Change the one that was not meant.
"""

from collections.abc import Iterator
from typing import Final

from tools.flags.conflict import Conflict, codes, conflicts, number
from tools.flags.finding import Finding
from tools.flags.layout import is_latent
from tools.flags.rule import Rule
from tools.flags.subject import Subject

HALVES: Final = ("float16", "half", "bfloat16")


def _no_prefixes(subject: Subject) -> bool:
    return number(subject, "--mamba-block-size") is not None and subject.sure("--enable-prefix-caching") is False


def _two_types(subject: Subject) -> bool:
    cache, model = subject.sure("--kv-cache-dtype"), subject.sure("--dtype")
    if cache not in ("float16", "bfloat16") or model not in HALVES:
        return False
    return bool(cache != ("bfloat16" if model == "bfloat16" else "float16"))


def _latent(subject: Subject) -> bool:
    return subject.sure("--kv-cache-dtype") == "nvfp4" and subject.model is not None and is_latent(subject.model.model)


def _rounding(subject: Subject) -> bool:
    return subject.is_on("--enable-mamba-cache-stochastic-rounding") and subject.sure("--mamba-ssm-cache-dtype") in (
        "auto",
        "float32",
    )


CONFLICTS: Final = (
    Conflict(
        "mamba-blocks-without-prefixes",
        "error",
        ">=0.11.1",
        ("--mamba-block-size",),
        _no_prefixes,
        "--mamba-block-size is refused with --no-enable-prefix-caching. Take one of them out.",
    ),
    Conflict(
        "cache-type-contradicts",
        "error",
        ">=0.33",
        ("--kv-cache-dtype",),
        _two_types,
        "--kv-cache-dtype contradicts --dtype, which vLLM refuses. Write --kv-cache-dtype auto.",
        "--kv-cache-dtype auto",
    ),
    Conflict(
        "nvfp4-cache-of-latent-model",
        "error",
        ">=0.21",
        ("--kv-cache-dtype",),
        _latent,
        "vLLM refuses an NVFP4 cache for a model with latent attention. Write --kv-cache-dtype fp8.",
        "--kv-cache-dtype fp8",
    ),
    Conflict(
        "rounding-needs-half",
        "error",
        ">=0.20",
        ("--enable-mamba-cache-stochastic-rounding",),
        _rounding,
        "stochastic rounding of the Mamba cache needs a half-precision one. Add --mamba-ssm-cache-dtype float16.",
        "--mamba-ssm-cache-dtype float16",
    ),
)


def check(subject: Subject) -> Iterator[Finding]:
    """Yield what contradicts."""
    yield from conflicts(subject, CONFLICTS)


RULE = Rule(name="kv-cache-conflicts", codes=codes(CONFLICTS), check=check)

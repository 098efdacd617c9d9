"""A speculative configuration that is incomplete or contradicts the launch.

## What it looks for
Keys of `--speculative-config` that are missing, contradict each other or the tensor-parallel size.

## Why it matters
vLLM refuses them at start.

## Not this rule
Keys that do not exist are `key-value-refused`. What a draft checkpoint declares itself is not known here.

## What to do
Complete the object as the message says.
"""

from collections.abc import Iterator
from typing import Any, Final

from tools.flags.conflict import Conflict, codes, conflicts, number, whole
from tools.flags.finding import Finding
from tools.flags.rule import Rule
from tools.flags.subject import Subject

FLAG: Final = "--speculative-config"
TP: Final = "--tensor-parallel-size"


def _key(subject: Subject, name: str) -> Any:
    return subject.key(FLAG, name)


def _single_flags(subject: Subject) -> bool:
    """Whether keys may also come from flags of their own."""
    return any(use.name.startswith("--spec-") for use in subject.parsed.given)


def _ngram(subject: Subject) -> bool:
    return _key(subject, "method") in ("ngram", "[ngram]")


def _untold(subject: Subject) -> bool:
    return _ngram(subject) and _key(subject, "num_speculative_tokens") is None and not _single_flags(subject)


def _crossed(subject: Subject) -> bool:
    least, most = whole(_key(subject, "prompt_lookup_min")), whole(_key(subject, "prompt_lookup_max"))
    return least is not None and most is not None and least > most and not _single_flags(subject)


def _draft_size(subject: Subject) -> bool:
    draft, tensor = whole(_key(subject, "draft_tensor_parallel_size")), number(subject, TP)
    model = isinstance(_key(subject, "model"), str)
    return model and draft is not None and tensor is not None and draft not in (1, tensor)


def _tensor_key(subject: Subject) -> bool:
    return whole(_key(subject, "tensor_parallel_size")) is not None


def _draft_model(subject: Subject) -> bool:
    return bool(_key(subject, "method") == "draft_model")


def _fast_prefill(subject: Subject) -> bool:
    method = _key(subject, "method")
    return subject.is_on("--kv-sharing-fast-prefill") and method in ("eagle", "eagle3")


def _no_drafts(subject: Subject) -> bool:
    wanted = subject.sure("--per-request-spec-decode-metrics") in ("summary", "detailed")
    return wanted and subject.lacks(FLAG) and not _single_flags(subject)


CONFLICTS: Final = (
    Conflict(
        "ngram-without-tokens",
        "error",
        ">=0.10.2",
        ("--speculative-config",),
        _untold,
        "n-gram speculation needs num_speculative_tokens. Add it.",
    ),
    Conflict(
        "lookup-bounds-crossed",
        "error",
        ">=0.10.2",
        ("--speculative-config",),
        _crossed,
        "prompt_lookup_min is above prompt_lookup_max, which vLLM refuses. Swap them.",
    ),
    Conflict(
        "draft-parallel-size",
        "error",
        ">=0.10.2",
        ("--speculative-config",),
        _draft_size,
        "draft_tensor_parallel_size must be 1 or --tensor-parallel-size. Take one of these.",
    ),
    Conflict(
        "draft-size-misnamed",
        "error",
        ">=0.15",
        ("--speculative-config",),
        _tensor_key,
        "tensor_parallel_size is refused in --speculative-config. Write draft_tensor_parallel_size.",
        "draft_tensor_parallel_size",
    ),
    Conflict(
        "draft-model-refused",
        "error",
        ">=0.10.2,<=0.14.1",
        ("--speculative-config",),
        _draft_model,
        "this release has no speculation by a draft model. Take EAGLE, MTP or n-grams, or a newer release.",
    ),
    Conflict(
        "fast-prefill-with-eagle",
        "error",
        ">=0.10.2",
        ("--kv-sharing-fast-prefill",),
        _fast_prefill,
        "--kv-sharing-fast-prefill is refused with EAGLE. Take it out.",
    ),
    Conflict(
        "draft-metrics-without-drafts",
        "error",
        ">=0.29",
        ("--per-request-spec-decode-metrics",),
        _no_drafts,
        "--per-request-spec-decode-metrics is refused without speculative decoding. Take it out.",
    ),
)


def check(subject: Subject) -> Iterator[Finding]:
    """Yield what is missing or contradicts."""
    yield from conflicts(subject, CONFLICTS)


RULE = Rule(name="speculation-conflicts", codes=codes(CONFLICTS), check=check, applies=">=0.10.2")

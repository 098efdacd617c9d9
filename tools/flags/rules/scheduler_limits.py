"""Limits of the scheduler that contradict each other.

## What it looks for
`--max-num-batched-tokens`, `--max-num-seqs`, `--max-model-len`, `--long-prefill-token-threshold`,
`--max-num-active-seqs` and the limits on partial prefills, where both sides are written down.

## Why it matters
vLLM refuses most of these at start; of the rest it warns.

## Not this rule
A limit that is left to its default is not judged: it depends on the GPU, the model and the release.

## What to do
Raise the one or lower the other, as the message says.
"""

from collections.abc import Iterator
from typing import Final

from tools.flags.conflict import Conflict, above, codes, conflicts, exceeds, number
from tools.flags.finding import Finding
from tools.flags.rule import Rule
from tools.flags.subject import Subject

TOKENS: Final = "--max-num-batched-tokens"
SEQS: Final = "--max-num-seqs"
LENGTH: Final = "--max-model-len"
CHUNKED: Final = "--enable-chunked-prefill"
LONG: Final = "--long-prefill-token-threshold"
ACTIVE: Final = "--max-num-active-seqs"
PARTIAL: Final = ("--max-num-partial-prefills", "--max-long-partial-prefills")


def _whole_prompts(subject: Subject) -> bool:
    return subject.sure(CHUNKED) is False and exceeds(LENGTH, TOKENS)(subject)


def _beyond_all(subject: Subject) -> bool:
    tokens, seqs, length = number(subject, TOKENS), number(subject, SEQS), number(subject, LENGTH)
    return bool(tokens and seqs and length and length > 0 and tokens > seqs * length)


def _partial(subject: Subject) -> bool:
    return any(above(subject, flag, 1) for flag in PARTIAL)


def _generates(subject: Subject) -> bool:
    return subject.sure(CHUNKED) is False and subject.model is not None and subject.lacks("--runner")


CONFLICTS: Final = (
    Conflict(
        "batched-tokens-below-seqs",
        "error",
        ">=0.8.5",
        (TOKENS,),
        exceeds(SEQS, TOKENS),
        "--max-num-batched-tokens is below --max-num-seqs, which vLLM refuses. Raise it, or lower --max-num-seqs.",
    ),
    Conflict(
        "batched-tokens-below-length",
        "error",
        ">=0.11.1",
        (TOKENS,),
        _whole_prompts,
        "without chunked prefill, --max-num-batched-tokens must not be below --max-model-len. Raise it, or take "
        "--no-enable-chunked-prefill out.",
    ),
    Conflict(
        "long-prefill-above-length",
        "error",
        ">=0.27",
        (LONG,),
        exceeds(LONG, LENGTH),
        "--long-prefill-token-threshold is above --max-model-len, which vLLM refuses. Lower it.",
    ),
    Conflict(
        "active-seqs-above-seqs",
        "error",
        ">=0.31",
        (ACTIVE,),
        exceeds(ACTIVE, SEQS),
        "--max-num-active-seqs is above --max-num-seqs, which vLLM refuses. Lower it.",
    ),
    Conflict(
        "partial-prefills-refused",
        "error",
        ">=0.11.1,<0.27",
        PARTIAL,
        _partial,
        "the V1 engine refuses concurrent partial prefills. Take the flag out.",
    ),
    Conflict(
        "batched-tokens-beyond-all",
        "note",
        ">=0.9",
        (TOKENS,),
        _beyond_all,
        "--max-num-batched-tokens is more than --max-num-seqs requests of --max-model-len can fill. Lower it.",
    ),
    Conflict(
        "chunked-prefill-off",
        "note",
        ">=0.12",
        (CHUNKED,),
        _generates,
        "vLLM does not officially support generation without chunked prefill and warns of crashes or wrong output. "
        "Leave it on.",
    ),
)


def check(subject: Subject) -> Iterator[Finding]:
    """Yield the limits that contradict each other."""
    yield from conflicts(subject, CONFLICTS)


RULE = Rule(name="scheduler-limits", codes=codes(CONFLICTS), check=check)

"""Load balancing of data-parallel ranks that does not start.

## What it looks for
`--data-parallel-hybrid-lb`, `--data-parallel-external-lb` and `--headless` with what they exclude, or
without what they need.

## Why it matters
The node that is wrong stops, and the others wait for it.

## Not this rule
Sizes and ranks that are out of range are `parallel-sizes`.

## What to do
Choose one way of balancing and give each node what it needs.
"""

from collections.abc import Iterator
from typing import Final

from tools.flags.conflict import Conflict, above, codes, conflicts, number, on_without
from tools.flags.finding import Finding
from tools.flags.rule import Rule
from tools.flags.subject import Subject

HYBRID: Final = "--data-parallel-hybrid-lb"
EXTERNAL: Final = "--data-parallel-external-lb"
LOCAL: Final = "--data-parallel-size-local"
RANK: Final = "--data-parallel-rank"
HEADLESS: Final = "--headless"


def _both(subject: Subject) -> bool:
    return subject.is_on(HYBRID) and subject.is_on(EXTERNAL)


def _one_local(subject: Subject) -> bool:
    return subject.is_on(HYBRID) and number(subject, LOCAL) == 1 and not subject.is_on(EXTERNAL)


def _ranks_of_one(subject: Subject) -> bool:
    return number(subject, RANK) is not None and above(subject, LOCAL, 1)


def _dense(subject: Subject) -> bool:
    external = subject.is_on(EXTERNAL) or number(subject, RANK) is not None
    dense = subject.model is not None and subject.model.model.experts() is None
    return external and dense and above(subject, "--data-parallel-size", 1)


def _serves_nothing(subject: Subject) -> bool:
    return subject.is_on(HEADLESS) and not subject.launch.module and above(subject, "--api-server-count", 0)


def _hybrid_headless(subject: Subject) -> bool:
    return subject.is_on(HEADLESS) and not subject.launch.module and subject.is_on(HYBRID)


CONFLICTS: Final = (
    Conflict(
        "two-load-balancers",
        "error",
        ">=0.11.1",
        ("--data-parallel-hybrid-lb",),
        _both,
        "--data-parallel-hybrid-lb and --data-parallel-external-lb exclude each other. Take one out.",
    ),
    Conflict(
        "hybrid-without-local-size",
        "error",
        ">=0.10",
        ("--data-parallel-hybrid-lb",),
        on_without(HYBRID, LOCAL, "--data-parallel-start-rank", HEADLESS),
        "--data-parallel-hybrid-lb is refused without --data-parallel-size-local. Add the ranks of this node.",
    ),
    Conflict(
        "hybrid-becomes-external",
        "warning",
        ">=0.11.1",
        ("--data-parallel-hybrid-lb",),
        _one_local,
        "with one local rank vLLM turns hybrid load balancing into external. Write "
        "--data-parallel-external-lb if that is meant.",
    ),
    Conflict(
        "external-without-rank",
        "error",
        ">=0.11.1",
        ("--data-parallel-external-lb",),
        on_without(EXTERNAL, RANK, "--nnodes", "--node-rank", "--data-parallel-multi-port-external-lb"),
        "--data-parallel-external-lb is refused without a rank. Add --data-parallel-rank.",
    ),
    Conflict(
        "external-rank-of-several",
        "error",
        ">=0.10.2",
        ("--data-parallel-rank",),
        _ranks_of_one,
        "a launch with --data-parallel-rank is one rank, so vLLM refuses --data-parallel-size-local above "
        "1. Take it out.",
    ),
    Conflict(
        "external-ranks-of-dense-model",
        "error",
        ">=0.21",
        (
            "--data-parallel-external-lb",
            "--data-parallel-rank",
        ),
        _dense,
        "vLLM refuses external data-parallel ranks for a model without experts. Start independent servers instead.",
    ),
    Conflict(
        "headless-with-api-servers",
        "error",
        ">=0.9.1",
        ("--api-server-count",),
        _serves_nothing,
        "a --headless node has no API server, so --api-server-count is refused. Take it out.",
    ),
    Conflict(
        "headless-with-hybrid",
        "error",
        ">=0.10",
        ("--headless",),
        _hybrid_headless,
        "--data-parallel-hybrid-lb is refused with --headless. Take one of them out.",
    ),
)


def check(subject: Subject) -> Iterator[Finding]:
    """Yield what does not start."""
    yield from conflicts(subject, CONFLICTS)


RULE = Rule(name="data-parallel-conflicts", codes=codes(CONFLICTS), check=check, applies=">=0.9")

"""Settings that the chosen executor does not take.

## What it looks for
Profiling, device and NUMA settings that need another executor or another flag.

## Why it matters
vLLM refuses them, or ignores them with a line in the log.

## Not this rule
`--nnodes` with ray is `parallel-sizes`; asynchronous scheduling with ray is `async-scheduling-conflicts`.

## What to do
Add what is missing, or take the setting out.
"""

from collections.abc import Iterator
from typing import Final

from tools.flags.conflict import Conflict, above, codes, conflicts
from tools.flags.finding import Finding
from tools.flags.rule import Rule
from tools.flags.subject import Subject

EXECUTOR: Final = "--distributed-executor-backend"
NSIGHT: Final = "--ray-workers-use-nsight"


def _nsight(subject: Subject) -> bool:
    return subject.is_on(NSIGHT) and subject.sure(EXECUTOR) in ("mp", "uni")


def _unbound(subject: Subject) -> bool:
    return subject.lacks("--numa-bind")


def _devices(subject: Subject) -> bool:
    return bool(subject.sure(EXECUTOR) == "ray")


def _loading(subject: Subject) -> bool:
    return above(subject, "--max-parallel-loading-workers", 0)


CONFLICTS: Final = (
    Conflict(
        "nsight-without-ray",
        "error",
        ">=0.8.5",
        ("--ray-workers-use-nsight",),
        _nsight,
        "--ray-workers-use-nsight is refused unless ray runs the workers. Take it out, or write "
        "--distributed-executor-backend ray.",
    ),
    Conflict(
        "numa-lists-without-bind",
        "error",
        ">=0.20",
        (
            "--numa-bind-nodes",
            "--numa-bind-cpus",
        ),
        _unbound,
        "lists of NUMA nodes or CPUs are refused without --numa-bind. Add it.",
        "--numa-bind",
    ),
    Conflict(
        "device-ids-with-ray",
        "warning",
        ">=0.24",
        ("--device-ids",),
        _devices,
        "--device-ids has no effect with the ray executor. Use placement groups.",
    ),
    Conflict(
        "loading-workers-ignored",
        "warning",
        ">=0.11.1",
        ("--max-parallel-loading-workers",),
        _loading,
        "--max-parallel-loading-workers is ignored. Take it out.",
    ),
)


def check(subject: Subject) -> Iterator[Finding]:
    """Yield what the executor does not take."""
    yield from conflicts(subject, CONFLICTS)


RULE = Rule(name="executor-conflicts", codes=codes(CONFLICTS), check=check)

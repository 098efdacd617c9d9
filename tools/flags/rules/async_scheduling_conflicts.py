"""Asynchronous scheduling with something that it does not work with in the release.

## What it looks for
`--async-scheduling` with pipeline parallelism, speculation or an executor that the release does not combine with it;
and, where it is the default, settings that switch it off.

## Why it matters
Asked for by flag, the start is refused. As the default it is switched off, and only the log tells.

## Not this rule
`--no-async-scheduling` is `async-scheduling-off`. Which model runner is chosen at start is not known here.

## What to do
Take one of the two out, or take a release that combines them.
"""

from collections.abc import Callable, Iterator
from typing import Final

from tools.flags.conflict import Conflict, above, codes, conflicts
from tools.flags.finding import Finding
from tools.flags.rule import Rule
from tools.flags.subject import Subject

ASYNC: Final = "--async-scheduling"
STAGES: Final = "--pipeline-parallel-size"
EXECUTOR: Final = "--distributed-executor-backend"
SPECULATION: Final = "--speculative-config"
WAITING: Final = ("ngram", "suffix", "medusa")
"""Methods that draft on the CPU or need the tokens of the last step."""


def _staged(subject: Subject) -> bool:
    return above(subject, STAGES, 1)


def _waits(subject: Subject) -> bool:
    return subject.key(SPECULATION, "method") in WAITING


def _unpadded(subject: Subject) -> bool:
    return subject.key(SPECULATION, "disable_padded_drafter_batch") is True


def _ray(subject: Subject) -> bool:
    return subject.sure(EXECUTOR) == "ray" and subject.setting("VLLM_USE_RAY_V2_EXECUTOR_BACKEND") is None


def _asked(condition: Callable[[Subject], bool]) -> Callable[[Subject], bool]:
    return lambda subject: subject.is_on(ASYNC) and condition(subject)


def _default(condition: Callable[[Subject], bool]) -> Callable[[Subject], bool]:
    return lambda subject: subject.sees_all and subject.given(ASYNC) is None and condition(subject)


PIPELINE: Final = "async-with-pipeline"
DRAFTS: Final = "async-with-speculation"
BACKEND: Final = "async-with-executor"
UNDONE: Final = "async-undone"

CONFLICTS: Final = (
    Conflict(
        PIPELINE,
        "error",
        ">=0.10,<0.15",
        (ASYNC,),
        _asked(_staged),
        "this release refuses --async-scheduling with --pipeline-parallel-size above 1. Take one of them out.",
    ),
    Conflict(
        DRAFTS,
        "error",
        ">=0.10,<=0.11.0",
        (ASYNC,),
        _asked(lambda subject: subject.given(SPECULATION) is not None),
        "this release refuses --async-scheduling with speculative decoding. Take one of them out.",
    ),
    Conflict(
        DRAFTS,
        "error",
        ">=0.11.1,<0.33",
        (ASYNC,),
        _asked(_waits),
        "this release refuses --async-scheduling with this method of speculation. Take the flag out.",
    ),
    Conflict(
        "async-with-unpadded-drafts",
        "error",
        ">=0.11.1,<0.33",
        (ASYNC,),
        _asked(_unpadded),
        "--async-scheduling is refused with disable_padded_drafter_batch. Take one of them out.",
    ),
    Conflict(
        BACKEND,
        "error",
        ">=0.11.1,<0.21",
        (ASYNC,),
        _asked(_ray),
        "this release refuses --async-scheduling with the ray executor. Take the flag out, or use mp.",
    ),
    Conflict(
        BACKEND,
        "error",
        ">=0.10,<=0.10.2",
        (ASYNC,),
        _asked(lambda subject: subject.sure(EXECUTOR) == "uni"),
        "this release refuses --async-scheduling with the uni executor. Write --distributed-executor-backend mp.",
        "--distributed-executor-backend mp",
    ),
    Conflict(
        UNDONE,
        "note",
        ">=0.14,<0.15",
        (STAGES,),
        _default(_staged),
        "with pipeline parallelism this release switches asynchronous scheduling off, which is on by default.",
    ),
    Conflict(
        UNDONE,
        "note",
        ">=0.14,<0.33",
        (SPECULATION,),
        _default(_waits),
        "with this method of speculation this release switches asynchronous scheduling off, which is on by default.",
    ),
    Conflict(
        UNDONE,
        "note",
        ">=0.14,<0.21",
        (EXECUTOR,),
        _default(_ray),
        "with the ray executor this release switches asynchronous scheduling off, which is on by default.",
    ),
)


def check(subject: Subject) -> Iterator[Finding]:
    """Yield what asynchronous scheduling does not work with."""
    yield from conflicts(subject, CONFLICTS)


RULE = Rule(name="async-scheduling-conflicts", codes=codes(CONFLICTS), check=check, applies=">=0.10")

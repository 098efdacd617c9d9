"""Flags that do not go together: one row each, so that a rule is a table of small conditions."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from knowledge.corpus.claim import ClaimId
from tools.flags.finding import Finding, Severity
from tools.flags.subject import Subject


@dataclass(frozen=True, slots=True)
class Conflict:
    """One combination.

    Attributes:
        code: The code that the finding carries.
        severity: `error` when the start is refused, `warning` when a setting is undone, `note` when vLLM only warns.
        applies: The releases that do so.
        flags: The flags it may be about: the finding stands at the first one given, and nothing is found without one.
        holds: Whether the launch has the combination; false for all that is not known.
        message: What is wrong and what to write instead.
        replacement: What to write instead, when it is one phrase.
        claims: Claims that say why.
    """

    code: str
    severity: Severity
    applies: str
    flags: tuple[str, ...]
    holds: Callable[[Subject], bool]
    message: str
    replacement: str = ""
    claims: tuple[ClaimId, ...] = ()


def codes(table: tuple[Conflict, ...]) -> tuple[str, ...]:
    """The codes of a table, each once."""
    return tuple(dict.fromkeys(conflict.code for conflict in table))


def conflicts(subject: Subject, table: tuple[Conflict, ...]) -> Iterator[Finding]:
    """Yield the rows of a table that a launch of the server has."""
    if subject.launch.command != "serve":
        return
    names = {use.name for use in subject.parsed.given}
    for conflict in table:
        use = subject.given(*conflict.flags) if not names.isdisjoint(conflict.flags) else None
        if use is None or not subject.runs(conflict.applies) or not conflict.holds(subject):
            continue
        yield Finding(
            code=conflict.code,
            severity=subject.refusal if conflict.severity == "error" else conflict.severity,
            subject=use.typed,
            message=conflict.message,
            replacement=conflict.replacement,
            claims=conflict.claims,
            line=use.line,
        )


def exceeds(small: str, large: str) -> Callable[[Subject], bool]:
    """Hold when the first flag has a greater number than the second, both known and the second above zero."""

    def holds(subject: Subject) -> bool:
        one, other = number(subject, small), number(subject, large)
        return one is not None and other is not None and 0 < other < one

    return holds


def on_without(switch: str, *needed: str) -> Callable[[Subject], bool]:
    """Hold when a switch is on and none of these flags is."""
    return lambda subject: subject.is_on(switch) and all(subject.lacks(name) for name in needed)


def number(subject: Subject, flag: str) -> int | None:
    """A whole number that a flag has for sure, or None."""
    return whole(subject.sure(flag))


def whole(value: Any) -> int | None:
    """The value when it is a whole number, else None."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def above(subject: Subject, flag: str, least: int) -> bool:
    """Whether a flag is known to have a number above this one."""
    value = number(subject, flag)
    return value is not None and value > least

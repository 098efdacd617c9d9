"""What every tool returns: a frozen result whose numbers are steps that can be shown and checked."""

from typing import Literal

from knowledge.corpus.claim import ClaimId, Closed

Unit = Literal["", "lines", "count", "tokens", "requests", "s", "ms", "B", "GiB", "ratio", "version"]


class Step(Closed, frozen=True):
    """One traced value.

    Attributes:
        name: What was computed, as shown, for example `lines that print it`.
        formula: How, in words or symbols, with the numbers put in.
        value: The result; text when it is a name or a version.
        unit: The unit of `value`.
        claims: Claims that the step rests on.
    """

    name: str
    formula: str
    value: float | int | str
    unit: Unit = ""
    claims: tuple[ClaimId, ...] = ()


class Traced(Closed, frozen=True):
    """Base of every tool result: each number that a person sees is some step's value."""

    steps: tuple[Step, ...] = ()

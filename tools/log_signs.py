"""Look in pasted text for the lines that vLLM prints when a known cause is at work.

The lines are the `logs` of the corpus' signs, so a new sign is a new claim and no code.
"""

from collections.abc import Iterable, Iterator

from knowledge.corpus.claim import Claim, ClaimId, Closed
from tools.contract import Step, Traced

EXCERPT_CHARS = 240
"""Enough to recognise a log line and to show the file name that some of them end in."""

LEFT_CHARS = 80
"""How much of a long line is shown before what was found in it."""


class SignSeen(Closed, frozen=True):
    """A sign found in the text.

    Attributes:
        cause: The cause it speaks for.
        claim: The sign's claim.
        line: 1-based number of the first line that shows it.
        lines: How many lines show it.
        excerpt: That first line, cut to `EXCERPT_CHARS`.
    """

    cause: str
    claim: ClaimId
    line: int
    lines: int
    excerpt: str

    @property
    def step(self) -> str:
        """What the names of its steps begin with; by claim, since two signs may speak for one cause."""
        return f"log_signs.{self.claim}"


class LogSigns(Traced, frozen=True):
    """The signs seen, in the order of their first line: the first fault is often the cause of the later ones."""

    scanned_lines: int = 0
    seen: tuple[SignSeen, ...] = ()


def scan(text: Iterable[str], signs: Iterable[Claim]) -> LogSigns:
    """Look for signs line by line.

    Args:
        text: The lines, without their ends.
        signs: Claims that have a `sign` part; those without `logs` are passed over.

    Returns:
        What was seen. Nothing seen says only that these lines do not show it, not that the cause is absent.
    """
    wanted = [(claim, needle) for claim in signs for needle in _needles(claim)]
    first: dict[ClaimId, SignSeen] = {}
    counts: dict[ClaimId, int] = {}
    number = 0
    for number, line in enumerate(text, start=1):
        found = {claim.id: (claim, needle) for claim, needle in wanted if needle in line}
        for claim, needle in found.values():
            counts[claim.id] = counts.get(claim.id, 0) + 1
            if claim.id not in first:
                first[claim.id] = _seen(claim, number, line, needle)
    seen = tuple(
        SignSeen(cause=s.cause, claim=s.claim, line=s.line, lines=counts[s.claim], excerpt=s.excerpt)
        for s in sorted(first.values(), key=lambda s: s.line)
    )
    return LogSigns(scanned_lines=number, seen=seen, steps=tuple(_steps(number, seen)))


def _needles(claim: Claim) -> tuple[str, ...]:
    return claim.head.sign.logs if claim.head.sign else ()


def _seen(claim: Claim, number: int, line: str, needle: str) -> SignSeen:
    cause = claim.head.sign.cause if claim.head.sign else ""
    return SignSeen(cause=cause, claim=claim.id, line=number, lines=1, excerpt=_excerpt(line.strip(), needle))


def _excerpt(line: str, needle: str) -> str:
    """The part of a line around what was found; a configuration line has thousands of characters before it."""
    if len(line) <= EXCERPT_CHARS:
        return line
    start = max(0, min(line.find(needle) - LEFT_CHARS, len(line) - EXCERPT_CHARS))
    end = start + EXCERPT_CHARS
    return ("…" if start else "") + line[start:end] + ("…" if end < len(line) else "")


def _steps(scanned: int, seen: tuple[SignSeen, ...]) -> Iterator[Step]:
    yield Step(name="log_signs.scanned", formula="lines read", value=scanned, unit="lines")
    for sign in seen:
        claims = (sign.claim,)
        yield Step(
            name=f"{sign.step}.line",
            formula="first line that shows it",
            value=sign.line,
            claims=claims,
        )
        yield Step(
            name=f"{sign.step}.lines",
            formula="lines that show it",
            value=sign.lines,
            unit="lines",
            claims=claims,
        )
        yield Step(name=f"{sign.step}.excerpt", formula="that line", value=sign.excerpt, claims=claims)

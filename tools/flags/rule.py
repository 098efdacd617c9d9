"""A rule of the validator: one fault, one file, which is its documentation too.

The module's docstring has the headings "What it looks for", "Why it matters", "Not this rule" and "What to do".
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from knowledge.corpus.claim import ClaimId
from tools.flags.finding import Finding
from tools.flags.subject import Subject


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule.

    Attributes:
        name: The fault; also the module's name, with dashes.
        codes: The codes that its findings carry; never reused. Names of flags, keys and variables have one each.
        check: Yields what it finds in a subject.
        applies: The releases in which the fault can exist.
        claims: The claims that its findings may cite.
    """

    name: str
    codes: tuple[str, ...]
    check: Callable[[Subject], Iterable[Finding]]
    applies: str = ">=0.8.5"
    claims: tuple[ClaimId, ...] = ()


def run(rule: Rule, subject: Subject) -> tuple[Finding, ...]:
    """What a rule finds; nothing when the release is outside its range."""
    return tuple(rule.check(subject)) if subject.runs(rule.applies) else ()

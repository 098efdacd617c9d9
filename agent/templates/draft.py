"""What every writer, template or model, hands to the check."""

from agent.answer import Command, Finding, Sentence
from knowledge.corpus.claim import Closed


class Draft(Closed, frozen=True):
    """An answer before the check.

    Attributes:
        sentences: In order of reading.
        findings: Causes, those with evidence first.
        commands: Commands named.
        unchecked: What was not looked at.
        next: What to measure next; checked as the sentences are.
    """

    sentences: tuple[Sentence, ...]
    findings: tuple[Finding, ...] = ()
    commands: tuple[Command, ...] = ()
    unchecked: tuple[str, ...] = ()
    next: tuple[Sentence, ...] = ()

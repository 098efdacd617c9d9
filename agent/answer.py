"""What an answer is made of: the same object is printed, shown, posted and graded."""

from typing import Literal

from knowledge.corpus.claim import Claim, ClaimId, Closed
from tools.contract import Step

Form = Literal["heading", "cause", "text", "item", "subitem", "code"]


class Sentence(Closed, frozen=True):
    """One piece of an answer that stands or falls as a whole in the check.

    Attributes:
        text: Markdown, without citations.
        claims: Claims that back it.
        steps: Names of the steps that back it.
        form: `heading`, `cause` (a numbered heading), `text` (a paragraph), `item` and `subitem` (list entries), or
            `code` (a fenced block).
        unit: Sentences that share a unit are shown together or not at all (a lever and its warnings).
    """

    text: str
    claims: tuple[ClaimId, ...] = ()
    steps: tuple[str, ...] = ()
    form: Form = "text"
    unit: str = ""


class Link(Closed, frozen=True):
    """A source as a person opens it."""

    label: str
    url: str


class Citation(Closed, frozen=True):
    """A claim cited, with its sources."""

    id: ClaimId
    title: str
    sources: tuple[Link, ...]
    applies: str
    checked: str


class Finding(Closed, frozen=True):
    """A cause with what speaks for it.

    Attributes:
        cause: Cause id.
        name: The cause in words.
        outcome: `fired` when evidence in the question shows it, `candidate` when only the symptom fits.
        evidence: What was seen, with where.
        claims: Claims that explain it and tell how to see it.
        levers: Claims that tell what to change.
    """

    cause: str
    name: str
    outcome: Literal["fired", "candidate"]
    evidence: tuple[str, ...] = ()
    claims: tuple[ClaimId, ...] = ()
    levers: tuple[ClaimId, ...] = ()


class Command(Closed, frozen=True):
    """A command to run.

    Attributes:
        command: As typed.
        purpose: What it is for.
        reads_only: True when it changes nothing and sends no load.
        claims: Claims it comes from.
    """

    command: str
    purpose: str
    reads_only: bool
    claims: tuple[ClaimId, ...] = ()


class Answer(Closed, frozen=True, omit_defaults=False):
    """The answer to one question.

    Attributes:
        question: As asked, secrets redacted.
        answer: Markdown.
        version: The vLLM release it speaks for.
        version_basis: How that release is known.
        citations: Every claim cited, in order of first use.
        findings: Causes, those with evidence first.
        commands: Commands named, in order of use.
        unchecked: What was not looked at, one sentence each.
        next: What to measure next, one sentence each.
        mode: Who wrote the words.
        seconds: Wall time from question to answer.
        steps: Every traced value behind the answer.
        dropped: Sentences that the check refused, each with the reason; for maintainers.
    """

    question: str
    answer: str
    version: str
    version_basis: str
    citations: tuple[Citation, ...]
    findings: tuple[Finding, ...]
    commands: tuple[Command, ...]
    unchecked: tuple[str, ...]
    next: tuple[str, ...]
    mode: Literal["template", "model"]
    seconds: float
    steps: tuple[Step, ...] = ()
    dropped: tuple[str, ...] = ()


def cite(claim: Claim) -> Citation:
    """A claim as a citation."""
    checked = claim.head.checked
    return Citation(
        id=claim.id,
        title=claim.title,
        sources=tuple(Link(label=source.label(), url=source.url()) for source in claim.head.sources),
        applies=claim.head.applies,
        checked=f"{checked.version}, {checked.date}",
    )

"""The evidence of a turn: everything that a template or a model may build sentences from."""

from collections.abc import Iterable, Iterator

from agent.intake.profile import Profile
from agent.parts import Parts
from agent.plan import Plan
from knowledge.corpus.claim import Claim, ClaimId, Closed
from tools.contract import Step, Traced
from tools.flags.launch_checks import LaunchChecks
from tools.flags.standing import Standings
from tools.flags.upgrade import Upgraded
from tools.log_signs import LogSigns, SignSeen


class Seen(Closed, frozen=True):
    """A sign of a cause in what was pasted.

    Attributes:
        text: Where and what.
        claim: The sign's claim.
        steps: Steps that hold the numbers and the line.
    """

    text: str
    claim: ClaimId
    steps: tuple[str, ...]


class CauseEvidence(Closed, frozen=True):
    """A cause that may be at work.

    Attributes:
        cause: Cause id.
        seen: What shows it; empty for a mere candidate.
        explaining: Claims that explain it.
        showing: Claims that tell how to see it.
        levers: Claims that tell what to change, most urgent first.
    """

    cause: str
    seen: tuple[Seen, ...] = ()
    explaining: tuple[Claim, ...] = ()
    showing: tuple[Claim, ...] = ()
    levers: tuple[Claim, ...] = ()


class Found(Closed, frozen=True):
    """A claim found by search, with how near it is.

    Attributes:
        claim: The claim.
        near: Cosine similarity to the question, or None when only words matched.
        named: Whether it holds a name of the question to the letter.
    """

    claim: Claim
    near: float | None
    named: bool


class Evidence(Closed, frozen=True):
    """What a turn knows.

    Attributes:
        question: The person's words, redacted.
        plan: What kind of question it is.
        release: The vLLM release to speak for.
        basis: How that release is known.
        profile: The deployment as told.
        symptom: The symptom's claim, when one was recognised.
        causes: Causes to show, those with evidence first.
        found: Claims found by search, best first.
        missing: Causes that no claim covers for this release.
        pasted: Kinds of paste in the message.
        steps: Every traced value of the turn.
        levers: For a goal, the claims that move its metric.
        standing: Claims that a template always shows, by use (`restart`, `window`, `workload`).
        standings: Where the names asked about stand, when they were looked up.
        upgrade: What an upgrade changes, when one was asked about.
        launches: What was found in the launches that came with the question.
        cited: Claims that tool results cite.
    """

    question: str
    plan: Plan
    release: str
    basis: str
    profile: Profile
    symptom: Claim | None = None
    causes: tuple[CauseEvidence, ...] = ()
    found: tuple[Found, ...] = ()
    missing: tuple[str, ...] = ()
    pasted: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    levers: tuple[Claim, ...] = ()
    standing: dict[str, Claim] = {}
    standings: Standings | None = None
    upgrade: Upgraded | None = None
    launches: LaunchChecks | None = None
    cited: dict[ClaimId, Claim] = {}

    def claims(self) -> dict[ClaimId, Claim]:
        """Every claim in here, by id."""
        listed = [found.claim for found in self.found]
        for cause in self.causes:
            listed += [*cause.explaining, *cause.showing, *cause.levers]
        if self.symptom:
            listed.append(self.symptom)
        listed += [*self.levers, *self.standing.values(), *self.cited.values()]
        return {claim.id: claim for claim in listed}


def cause_evidence(cause: str, parts: Parts, signs: LogSigns | None) -> CauseEvidence:
    """Gather what the corpus and the log say about a cause."""
    seen = tuple(_seen(sign) for sign in signs.seen if sign.cause == cause) if signs else ()
    shown_by = {sign.claim for sign in seen}
    showing = sorted(parts.showing(cause), key=lambda claim: claim.id not in shown_by)
    return CauseEvidence(
        cause=cause,
        seen=seen,
        explaining=tuple(parts.explaining(cause)),
        showing=tuple(showing),
        levers=tuple(parts.moving(cause)),
    )


def _seen(sign: SignSeen) -> Seen:
    excerpt = sign.excerpt.replace(
        "`", "'"
    )  # a backtick would end the code span that keeps the line from being Markdown
    return Seen(
        text=f"line {sign.line}, {sign.lines}×: `{excerpt}`",
        claim=sign.claim,
        steps=tuple(f"{sign.step}.{what}" for what in ("line", "lines", "excerpt")),
    )


def all_steps(results: Iterable[Traced]) -> Iterator[Step]:
    """Every traced value of some results."""
    return (step for result in results for step in result.steps)

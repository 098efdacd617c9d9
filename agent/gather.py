"""Gather the evidence of a turn: claims by symptom, cause or goal, claims by search, and tool results."""

from collections.abc import Sequence
from typing import Final, TypeVar

from agent.evidence import CauseEvidence, Evidence, Found, all_steps, cause_evidence
from agent.intake.profile import Profile
from agent.parts import Parts
from agent.plan import Plan
from knowledge.corpus.claim import Claim, ClaimId
from knowledge.search.find import find
from knowledge.search.index import Index
from knowledge.versions import KnownVersion
from tools.contract import Step, Traced
from tools.flags.launch_checks import LaunchChecks
from tools.flags.standing import Standings
from tools.flags.upgrade import Upgraded
from tools.log_signs import LogSigns

FOUND: Final = 8

ResultT = TypeVar("ResultT", bound=Traced)

NEAREST: Final = "search.nearest"
"""The step that holds how near the corpus came to the question."""

TOLD: Final = "profile.told"
"""The step that holds what the conversation told of the deployment."""

STANDING: Final = {
    "restart": "triage.evidence-before-restart",
    "window": "measure.two-scrapes",
    "workload": "measure.workload-first",
}
"""Claims that the templates show whatever was asked; a test holds their ids."""


def gather(
    *,
    question: str,
    topic: str,
    plan: Plan,
    version: KnownVersion,
    profile: Profile,
    pasted: tuple[str, ...],
    results: Sequence[Traced],
    index: Index,
) -> Evidence:
    """Gather what the answer may rest on.

    Args:
        question: The person's words, redacted.
        topic: What to look up: the question, or the one that it follows up.
        plan: What kind of question it is.
        version: The release to speak for.
        profile: The deployment as told.
        pasted: Kinds of paste in the message.
        results: Tool results of this turn.
        index: The open index.
    """
    parts = Parts(index.claims.values(), version.release)
    symptom = index.claims.get(plan.symptom)
    signs = _result(results, LogSigns)
    causes = [cause_evidence(cause, parts, signs) for cause in _causes(symptom, signs)]
    hits = find(index, topic, limit=FOUND, release=version.release)
    said = Step(name="vllm_version", formula=version.basis, value=version.release, unit="version")
    near = max((hit.cosine for hit in hits if hit.cosine is not None), default=0.0)
    facts = profile.facts()
    told = (Step(name=TOLD, formula="told in this conversation", value=facts),) if facts else ()
    nearness = Step(name=NEAREST, formula="cosine similarity of the nearest claim", value=round(near, 2))
    return Evidence(
        question=question,
        plan=plan,
        release=version.release,
        basis=version.basis,
        profile=profile,
        symptom=symptom,
        causes=tuple(sorted((c for c in causes if _covered(c)), key=lambda c: not c.seen)),
        found=tuple(Found(claim=hit.claim, near=hit.cosine, named=hit.named) for hit in hits),
        missing=tuple(c.cause for c in causes if not _covered(c)),
        pasted=pasted,
        steps=(said, *told, nearness, *all_steps(results)),
        levers=tuple(parts.lowering(plan.metric, plan.direction)) if plan.kind == "goal" else (),
        standing=_standing(index, parts),
        standings=_result(results, Standings),
        upgrade=_result(results, Upgraded),
        launches=_result(results, LaunchChecks),
        cited=_cited(results, index, parts),
    )


def _result(results: Sequence[Traced], kind: type[ResultT]) -> ResultT | None:
    return next((result for result in results if isinstance(result, kind)), None)


def _cited(results: Sequence[Traced], index: Index, parts: Parts) -> dict[ClaimId, Claim]:
    """The claims that tool results rest on and that hold for the release."""
    named = dict.fromkeys(claim for step in all_steps(results) for claim in step.claims)
    return {claim: index.claims[claim] for claim in named if parts.holds(claim)}


def _causes(symptom: Claim | None, signs: LogSigns | None) -> list[str]:
    """Causes seen in the paste, in the order of their first line, then those of the symptom."""
    seen = [sign.cause for sign in signs.seen] if signs else []
    listed = symptom.head.symptom.causes if symptom and symptom.head.symptom else ()
    return list(dict.fromkeys([*seen, *listed]))


def _covered(cause: CauseEvidence) -> bool:
    return bool(cause.explaining or cause.showing)


def _standing(index: Index, parts: Parts) -> dict[str, Claim]:
    return {use: index.claims[claim] for use, claim in STANDING.items() if parts.holds(claim)}

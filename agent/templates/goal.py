"""How to move a metric: the levers that move it, each as one unit with its cost."""

from typing import Final

from agent.answer import Sentence
from agent.evidence import Evidence
from agent.templates.draft import Draft
from agent.templates.lines import heading, lead, lever
from knowledge.corpus.claim import Claim

LEVERS_SHOWN: Final = 5


def write(evidence: Evidence) -> Draft:
    """Write the levers, those nearest to the question first."""
    first = evidence.standing.get("workload")
    levers = levers_in_order(evidence)[:LEVERS_SHOWN]
    sentences: list[Sentence] = [lead(first)] if first else []
    sentences.append(heading("What to change"))
    for claim in levers:
        sentences += lever(claim)
    window = evidence.standing.get("window")
    return Draft(sentences=tuple(sentences), next=(lead(window),) if window else ())


def levers_in_order(evidence: Evidence) -> list[Claim]:
    """Levers on the metric: as search ranked them, then the others."""
    rank = {found.claim.id: at for at, found in enumerate(evidence.found)}
    return sorted(evidence.levers, key=lambda claim: rank.get(claim.id, len(rank)))

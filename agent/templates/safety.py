"""Is it safe to change something: what can go wrong and how to go back, before what it does."""

from collections.abc import Iterator
from typing import Final

from agent.answer import Sentence
from agent.evidence import Evidence
from agent.templates.draft import Draft
from agent.templates.explain import NEARLY_AS_GOOD, covers
from agent.templates.lines import heading, lead
from knowledge.corpus.claim import Claim

LEVERS_SHOWN: Final = 3
FACTS_SHOWN: Final = 3


def write(evidence: Evidence) -> Draft:
    """Write the risks of each lever that is meant, then the facts that bear on it."""
    if not covers(evidence.found):
        return Draft(sentences=())
    best = evidence.found[0]
    floor = (best.near or 0.0) - NEARLY_AS_GOOD
    near = [found.claim for found in evidence.found if found.named or (found.near or 0.0) >= floor]
    levers = [claim for claim in near if claim.head.lever][:LEVERS_SHOWN]
    facts = [claim for claim in near if not claim.head.lever][:FACTS_SHOWN]
    sentences = [sentence for claim in levers for sentence in _risks(claim)]
    if facts:
        sentences += [heading("What bears on it"), *(lead(claim, form="item") for claim in facts)]
    if levers and (restart := evidence.standing.get("restart")):
        sentences += [heading("Before a restart"), lead(restart)]
    return Draft(sentences=tuple(sentences))


def _risks(claim: Claim) -> Iterator[Sentence]:
    """A lever as one unit, its risks first."""
    part = claim.head.lever
    if part is None:
        return
    rows = [f"**Careful:** {warning}" for warning in part.warnings]
    rows += [
        f"**Costs:** {part.cost}",
        f"**Undo:** {part.rollback}",
        f"**Verify:** {part.verify}",
        f"**What it does ({'needs a restart' if part.restart else 'no restart'}):** {claim.lead}",
    ]
    yield Sentence(text=claim.title, claims=(claim.id,), form="heading", unit=claim.id)
    yield from (Sentence(text=row, claims=(claim.id,), form="item", unit=claim.id) for row in rows)

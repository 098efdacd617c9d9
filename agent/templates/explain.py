"""What something is or does: the claim that says it, then what bears on it."""

from typing import Final

from agent.answer import Sentence
from agent.evidence import Evidence, Found
from agent.templates.draft import Draft
from agent.templates.lines import heading, lead, lever
from agent.templates.unknown import only_tells

NEAR_ENOUGH: Final = 0.35
"""Cosine below which a claim is about something else; measured on tests/knowledge/search/questions.toml."""

NEARLY_AS_GOOD: Final = 0.12
"""A further claim is shown when it is at most this much less similar than the best one."""

NAMED_BONUS: Final = 0.06
"""A claim that holds a name of the question to the letter may be so much less similar; the name alone is no reason."""

ALSO_SHOWN: Final = 3


def covers(found: tuple[Found, ...]) -> bool:
    """Whether the corpus speaks about the question at all."""
    return bool(found) and (found[0].named or any((f.near or 0.0) >= NEAR_ENOUGH for f in found[:3]))


def write(evidence: Evidence) -> Draft:
    """Write the best claim, and up to three more that are nearly as close."""
    if only_tells(evidence) or not covers(evidence.found):
        return Draft(sentences=(), unchecked=())
    best, *others = evidence.found
    floor = (best.near or 0.0) - NEARLY_AS_GOOD
    also = [f for f in others if (f.near or 0.0) >= floor - (NAMED_BONUS if f.named else 0.0)][:ALSO_SHOWN]
    sentences: list[Sentence] = [Sentence(text=best.claim.title, claims=(best.claim.id,), form="heading")]
    if best.claim.head.lever:
        sentences += lever(best.claim)
    else:
        paragraphs = best.claim.body.split("\n\n")
        sentences += [Sentence(text=" ".join(p.split()), claims=(best.claim.id,)) for p in paragraphs]
    if also:
        sentences.append(heading("Also"))
        for found in also:
            sentences += lever(found.claim) if found.claim.head.lever else [lead(found.claim, form="item")]
    return Draft(sentences=tuple(sentences))

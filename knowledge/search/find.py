"""Find claims: lexical, dense and by name, fused."""

from dataclasses import dataclass
from typing import Final

from knowledge.corpus.claim import Claim
from knowledge.search.dense import ASKED
from knowledge.search.everyday import in_field_words
from knowledge.search.fuse import fuse
from knowledge.search.index import Index
from knowledge.versions import in_range

DEPTH: Final = 40
"""How deep each list is read before fusing."""

NAME_WEIGHT: Final = 1.0
"""A claim that holds a name of the question to the letter gains as much as a first place in another list."""

NAMED_WORDS_WEIGHT: Final = 2.0
NAMED_DENSE_WEIGHT: Final = 0.5
"""A question that holds a name or a pasted line is matched by its letters rather than by its sense."""

QUERY_CHARS: Final = 2000
"""More than this is a paste, not a question; the encoder cuts at its token limit anyway."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A claim found.

    Attributes:
        claim: The claim.
        score: Fused score; only its order means anything.
        cosine: Similarity to the question, -1 to 1; None when the dense half did not list it.
        named: Whether it holds a name of the question to the letter.
    """

    claim: Claim
    score: float
    cosine: float | None
    named: bool


def find(
    index: Index, query: str, *, limit: int = 5, release: str | None = None, topic: str | None = None
) -> list[Hit]:
    """Find the claims that answer a question.

    Args:
        index: The open index.
        query: The question in the operator's words; names match in any spelling.
        limit: How many to return.
        release: Only claims whose range holds for this release.
        topic: Only claims of this topic.

    Returns:
        At most `limit` hits, best first; withdrawn claims are never found.
    """
    query = query.strip()[:QUERY_CHARS]
    if not query:
        return []
    naming = index.lexical.naming(query, DEPTH)
    if not naming:
        query = in_field_words(query)
    (vector,) = index.encoder.queries([query])
    whole = index.dense.ranked(vector, DEPTH, release=release, topic=topic)
    asked = index.dense.ranked(vector, DEPTH, kind=ASKED, release=release, topic=topic)
    by_words, by_sense = (NAMED_WORDS_WEIGHT, NAMED_DENSE_WEIGHT) if naming else (1.0, 1.0)
    fused = fuse(
        [
            (by_words, index.lexical.ranked(query, DEPTH)),
            (by_sense, [claim_id for claim_id, _ in whole]),
            (by_sense, [claim_id for claim_id, _ in asked]),
            (NAME_WEIGHT, naming),
        ]
    )
    cosines = {**dict(asked), **dict(whole)}
    hits = (Hit(index.claims[claim_id], score, cosines.get(claim_id), claim_id in naming) for claim_id, score in fused)
    return [hit for hit in hits if _wanted(hit.claim, release, topic)][:limit]


def _wanted(claim: Claim, release: str | None, topic: str | None) -> bool:
    if claim.head.withdrawn:
        return False
    if topic is not None and claim.topic != topic:
        return False
    return release is None or in_range(release, claim.head.applies)

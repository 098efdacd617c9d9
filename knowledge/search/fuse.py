"""Fuse ranked lists by reciprocal rank (Cormack, Clarke and Buettcher, SIGIR 2009)."""

from collections.abc import Iterable, Sequence
from typing import Final

K: Final = 20
"""Damping: how little the first places outweigh the next ones. The paper's 60 is for lists of a thousand; with lists of
forty the first places mean more (benchmarks/retrieval.py)."""


def fuse(rankings: Iterable[tuple[float, Sequence[str]]]) -> list[tuple[str, float]]:
    """Add up weight / (K + rank) over the lists.

    Args:
        rankings: Pairs of weight and ids, best first.

    Returns:
        Ids with their score, best first; ties in the order of first appearance.
    """
    scores: dict[str, float] = {}
    for weight, ids in rankings:
        for rank, item in enumerate(ids, start=1):
            scores[item] = scores.get(item, 0.0) + weight / (K + rank)
    return sorted(scores.items(), key=lambda pair: -pair[1])

"""Questions as operators write them: a right claim among the first five, by style, for the search and its halves.

The pairs were written from the claims, before any search result was seen. When the search misses one, mend the search
or the claim's own words (title, `asked_as`, first paragraph), never a pair.
"""

import statistics
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.common import Row
from knowledge.search.find import find
from knowledge.search.index import Index, open_index
from knowledge.settings import Settings

QUESTIONS = Path("tests/knowledge/search/questions.toml")
PAIRS = Path("benchmarks/retrieval_pairs.toml")
FIRST = 5
DEPTH = 20
BAR = 29
RECALL_BARS = {"terse": 0.95, "fragment": 0.95, "paraphrase": 0.80}
LATENCY_MS = 20.0

Search = Callable[[Index, str], Sequence[str]]


def run() -> Iterator[Row]:
    """Recall and mean reciprocal rank by style, then the thirty questions and the time of a search."""
    pairs = tomllib.loads(PAIRS.read_text("utf-8"))["pair"]
    asked = tomllib.loads(QUESTIONS.read_text("utf-8"))["question"]
    with tempfile.TemporaryDirectory() as home:
        index = open_index(Settings(home=Path(home)))
        for style, bar in RECALL_BARS.items():
            wanted = [pair for pair in pairs if pair["style"] == style]
            halves = {name: recall(index, search, wanted) for name, search in SEARCHES.items()}
            for name, (share, mean_rank) in halves.items():
                is_hybrid = name == "hybrid"
                best = max(other for other, _ in halves.values())
                met = not is_hybrid or (share >= bar and share >= best)
                yield (
                    f"{style} ({len(wanted)}), {name}: recall@{FIRST}, MRR",
                    f"{share:.3f}, {mean_rank:.3f}",
                    f">= {bar}, best" if is_hybrid else "-",
                    met,
                )
        hits = sum(bool(set(_hybrid(index, q["ask"])[:FIRST]) & set(q["claims"])) for q in asked)
        yield (
            f"thirty questions, hybrid: right claim in the first {FIRST}",
            f"{hits}/{len(asked)}",
            f">= {BAR}",
            hits >= BAR,
        )
        each_ms = statistics.median(_milliseconds(index, pair["ask"]) for pair in pairs)
        yield "search, median", f"{each_ms:.1f} ms", f"< {LATENCY_MS:g} ms", each_ms < LATENCY_MS
        index.close()


def recall(index: Index, search: Search, pairs: Sequence[dict[str, Any]]) -> tuple[float, float]:
    """The share of pairs with a right claim among the first five, and the mean reciprocal rank of the first one."""
    ranks = [rank_of(search(index, pair["ask"]), pair["claims"]) for pair in pairs]
    return sum(rank <= FIRST for rank in ranks) / len(ranks), statistics.fmean(1 / rank for rank in ranks)


def rank_of(found: Sequence[str], right: Sequence[str]) -> float:
    """The place of the first right claim, 1-based; infinite when there is none."""
    return next((float(at) for at, claim in enumerate(found, start=1) if claim in right), float("inf"))


def _milliseconds(index: Index, query: str) -> float:
    began = time.perf_counter()
    find(index, query, limit=FIRST)
    return (time.perf_counter() - began) * 1000


def _hybrid(index: Index, query: str) -> list[str]:
    return [hit.claim.id for hit in find(index, query, limit=DEPTH)]


def _lexical(index: Index, query: str) -> list[str]:
    return list(index.lexical.ranked(query, DEPTH))


def _dense(index: Index, query: str) -> list[str]:
    (vector,) = index.encoder.queries([query])
    return [claim_id for claim_id, _ in index.dense.ranked(vector, DEPTH)]


SEARCHES: dict[str, Search] = {"hybrid": _hybrid, "lexical": _lexical, "dense": _dense}

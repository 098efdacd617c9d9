"""The thirty questions: a right claim among the first five, for the hybrid search and for either half alone."""

import tempfile
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path

from benchmarks.common import Row
from knowledge.search.find import find
from knowledge.search.index import Index, open_index
from knowledge.settings import Settings

QUESTIONS = Path("tests/knowledge/search/questions.toml")
FIRST = 5
BAR = 29


def run() -> Iterator[Row]:
    """Hits among the first five."""
    asked = tomllib.loads(QUESTIONS.read_text("utf-8"))["question"]
    with tempfile.TemporaryDirectory() as home:
        index = open_index(Settings(home=Path(home)))
        began = time.perf_counter()
        hybrid = sum(bool(_hybrid(index, q["ask"]) & set(q["claims"])) for q in asked)
        each_ms = (time.perf_counter() - began) * 1000 / len(asked)
        yield f"hybrid: right claim in the first {FIRST}", f"{hybrid}/{len(asked)}", f">= {BAR}", hybrid >= BAR
        for name, half in (("lexical", _lexical), ("dense", _dense)):
            hits = sum(bool(half(index, q["ask"]) & set(q["claims"])) for q in asked)
            yield f"{name} alone, for comparison", f"{hits}/{len(asked)}", "-", True
        yield "search, mean", f"{each_ms:.1f} ms", "< 20 ms", each_ms < 20
        index.close()


def _hybrid(index: Index, query: str) -> set[str]:
    return {hit.claim.id for hit in find(index, query, limit=FIRST)}


def _lexical(index: Index, query: str) -> set[str]:
    return set(index.lexical.ranked(query, FIRST))


def _dense(index: Index, query: str) -> set[str]:
    (vector,) = index.encoder.queries([query])
    return {claim_id for claim_id, _ in index.dense.ranked(vector, FIRST)}

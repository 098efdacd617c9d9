"""The pairs of the retrieval benchmark: whole, and pointing at claims that stand."""

import tomllib
from collections import Counter
from pathlib import Path

from knowledge.corpus.read import read_corpus

PAIRS = tomllib.loads(Path("benchmarks/retrieval_pairs.toml").read_text("utf-8"))["pair"]


def test_every_claim_named_stands() -> None:
    known = {claim.id for claim in read_corpus()}
    assert {claim for pair in PAIRS for claim in pair["claims"]} <= known
    assert all(pair["claims"] for pair in PAIRS)


def test_there_are_enough_of_each_style_and_none_twice() -> None:
    assert min(Counter(pair["style"] for pair in PAIRS).values()) >= 50
    assert set(Counter(pair["style"] for pair in PAIRS)) == {"terse", "fragment", "paraphrase"}
    assert len({pair["ask"] for pair in PAIRS}) == len(PAIRS)

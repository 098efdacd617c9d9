"""The guide's items: each is covered by claims that stand, and what no longer holds says what does."""

from collections import Counter
from pathlib import Path

import pytest

from knowledge.corpus.coverage import Item, read_coverage
from knowledge.corpus.read import read_corpus
from knowledge.errors import CorpusError

ITEMS = read_coverage()
STANDING = {claim.id for claim in read_corpus() if not claim.head.withdrawn}
ITEMS_MIN = 150
SAYS_MAX_WORDS = 15
NOW_MAX_WORDS = 25
FITTING = '[[item]]\nsays = "a"\nclaims = ["b.c"]\nstands = "holds"\n'


def test_the_whole_guide_is_listed() -> None:
    assert len(ITEMS) >= ITEMS_MIN


def test_no_item_is_listed_twice() -> None:
    counted = Counter(item.says.casefold() for item in ITEMS)
    assert [says for says, times in counted.items() if times > 1] == []


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.says)
def test_an_item_is_covered_by_claims_that_stand(item: Item) -> None:
    assert item.claims
    assert [claim for claim in item.claims if claim not in STANDING] == []
    assert len(set(item.claims)) == len(item.claims)


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.says)
def test_what_does_not_hold_says_what_does(item: Item) -> None:
    assert bool(item.now) == (item.stands != "holds")


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.says)
def test_an_item_is_short(item: Item) -> None:
    assert 0 < len(item.says.split()) <= SAYS_MAX_WORDS
    assert len(item.now.split()) <= NOW_MAX_WORDS


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (FITTING + "page = 3\n", "unknown field"),
        (FITTING.replace("holds", "perhaps"), "Invalid enum value"),
        (FITTING.replace('claims = ["b.c"]\n', ""), "missing required field"),
        (FITTING + "[[item", "coverage.toml"),
        ("", "missing required field"),
    ],
    ids=["unknown key", "unknown standing", "no claims", "not TOML", "empty"],
)
def test_a_file_that_does_not_fit_is_refused(tmp_path: Path, text: str, what: str) -> None:
    path = tmp_path / "coverage.toml"
    path.write_text(text)
    with pytest.raises(CorpusError, match=what):
        read_coverage(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"gone\.toml"):
        read_coverage(tmp_path / "gone.toml")

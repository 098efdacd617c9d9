"""The lexical half alone."""

import datetime as dt
import sqlite3
from pathlib import Path

import pytest

from knowledge.corpus.claim import Checked, Claim, Head
from knowledge.search.lexical import Lexical, write_claims


def claim(claim_id: str, title: str, body: str = "") -> Claim:
    checked = Checked(version="0.33.0", date=dt.date(2026, 12, 1))
    head = Head(id=claim_id, kind="fact", applies=">=0.11", checked=checked, sources=())
    return Claim(head=head, title=title, body=body)


CLAIMS = [
    claim("a.flag", "Set `--max-num-seqs`"),
    claim("a.words", "Other", "the max num of seqs"),
    claim("a.tps", "Throughput is low"),
]


@pytest.fixture
def lexical(tmp_path: Path) -> Lexical:
    write_claims(tmp_path / "claims.db", CLAIMS, "print")
    return Lexical(tmp_path / "claims.db")


def test_what_was_written_is_read(lexical: Lexical) -> None:
    assert list(lexical.claims().values()) == CLAIMS
    assert (lexical.fingerprint(), lexical.count()) == ("print", 3)


def test_a_name_is_told_from_its_parts(lexical: Lexical) -> None:
    assert lexical.ranked("MAX_NUM_SEQS", 5) == ["a.flag", "a.words"]
    assert lexical.naming("MAX_NUM_SEQS", 5) == ["a.flag"]
    assert lexical.naming("max num seqs", 5) == []


@pytest.mark.parametrize(
    ("query", "found"),
    [("tok/s", ["a.tps"]), ("our TPS", ["a.tps"]), ("https", []), ("httpserver", [])],
)
def test_the_glossary_finds_whole_words_only(lexical: Lexical, query: str, found: list[str]) -> None:
    assert lexical.ranked(query, 5) == found


def test_an_unfinished_build_has_no_fingerprint(tmp_path: Path) -> None:
    write_claims(tmp_path / "claims.db", CLAIMS, "print")
    base = sqlite3.connect(tmp_path / "claims.db")
    with base:
        base.execute("DELETE FROM meta")
    base.close()
    assert Lexical(tmp_path / "claims.db").fingerprint() == ""

"""The lexical half: BM25 over terms, in SQLite's FTS5, with the claims themselves beside it."""

import re
import sqlite3
import tomllib
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path

import msgspec

from knowledge.corpus.claim import Claim
from knowledge.search.terms import names, words

_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE claims (id TEXT PRIMARY KEY, json BLOB NOT NULL);
CREATE VIRTUAL TABLE terms USING fts5(
    id UNINDEXED, names, title, asked, body, tokenize = "porter unicode61 tokenchars '_'"
);
"""
_WEIGHTS = "0.0, 6.0, 3.0, 2.0, 1.0"
"""BM25 column weights in the order of `terms`: a name outweighs a title word, a title word a body word."""


def write_claims(path: Path, claims: Iterable[Claim], fingerprint: str) -> None:
    """Create the claims file: each claim as JSON, and its terms.

    Args:
        path: A file that does not exist yet.
        claims: What to store.
        fingerprint: What the index was built from; read back to see that the file is whole.
    """
    base = sqlite3.connect(path)
    try:
        with base:
            base.executescript(_SCHEMA)
            for claim in claims:
                base.execute("INSERT INTO claims VALUES (?, ?)", (claim.id, msgspec.json.encode(claim)))
                base.execute("INSERT INTO terms VALUES (?, ?, ?, ?, ?)", (claim.id, *_columns(claim)))
            base.execute("INSERT INTO meta VALUES ('fingerprint', ?)", (fingerprint,))
    finally:
        base.close()


def _columns(claim: Claim) -> tuple[str, str, str, str]:
    text = claim.text()
    return (
        " ".join(names(text)),
        " ".join(words(claim.title)),
        " ".join(words(" ".join((*claim.head.asked_as, *claim.head.lay_as)))),
        " ".join(words(text)),
    )


class Lexical:
    """Reads a claims file.

    Args:
        path: Made by `write_claims`; opened read-only and past any lock, since nobody changes a file once built.

    Raises:
        sqlite3.DatabaseError: The file is missing or damaged.
    """

    def __init__(self, path: Path) -> None:
        self._base = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False
        )

    def close(self) -> None:
        """Close the file."""
        self._base.close()

    def fingerprint(self) -> str:
        """What the index was built from; empty when the build did not finish."""
        row = self._base.execute("SELECT value FROM meta WHERE key = 'fingerprint'").fetchone()
        return str(row[0]) if row else ""

    def count(self) -> int:
        """Number of claims."""
        return int(self._base.execute("SELECT count(*) FROM claims").fetchone()[0])

    def claims(self) -> dict[str, Claim]:
        """All claims by id, in the order they were written.

        Raises:
            msgspec.MsgspecError: A row is no claim.
        """
        rows = self._base.execute("SELECT id, json FROM claims ORDER BY rowid")
        decoder = msgspec.json.Decoder(Claim)
        return {str(claim_id): decoder.decode(raw) for claim_id, raw in rows}

    def ranked(self, query: str, limit: int) -> list[str]:
        """Claim ids by BM25, best first; empty when no term of the query occurs anywhere."""
        terms = _query_terms(query)
        if not terms:
            return []
        match = " OR ".join(f'"{term}"' for term in terms)
        rows = self._base.execute(
            f"SELECT id FROM terms WHERE terms MATCH ? ORDER BY bm25(terms, {_WEIGHTS}) LIMIT ?",  # noqa: S608
            (match, limit),
        )
        return [str(row[0]) for row in rows]

    def naming(self, query: str, limit: int) -> list[str]:
        """Claim ids that hold a name of the query to the letter, those with it in their title first."""
        wanted = names(query)
        if not wanted:
            return []
        match = " OR ".join(f'"{name}"' for name in wanted)
        rows = self._base.execute(
            f"SELECT id FROM terms WHERE names MATCH ? ORDER BY bm25(terms, {_WEIGHTS}) LIMIT ?",  # noqa: S608
            (match, limit),
        )
        return [str(row[0]) for row in rows]


QUERY_TERMS_MAX = 64
"""A pasted log is not a query: beyond this many distinct terms the first ones stand for all."""


def _query_terms(query: str) -> Sequence[str]:
    asked = words(query)
    expanded = [*names(query), *asked]
    for term, pattern, others in _glossary():
        if term.lower() in asked or pattern.search(query):
            expanded += words(" ".join((term, *others)))
    return tuple(dict.fromkeys(expanded))[:QUERY_TERMS_MAX]


@cache
def _glossary() -> tuple[tuple[str, re.Pattern[str], list[str]], ...]:
    """Each term with a pattern that finds its other forms as whole words (`tps` is not in `https`)."""
    terms = tomllib.loads(files("knowledge").joinpath("glossary.toml").read_text("utf-8"))
    return tuple(
        (term, re.compile(rf"\b(?:{'|'.join(map(re.escape, others))})\b", re.IGNORECASE), others)
        for term, others in terms.items()
    )

"""The dense half: a vector for each claim as a whole and one for each way to ask for it, kept in Chroma."""

import contextlib
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from knowledge.corpus.claim import Claim
from knowledge.search.encoder import Vectors
from knowledge.versions import in_range, releases

SYNC_THRESHOLD: Final = 1000  # Chroma's default
ADDED_AT_ONCE: Final = 1000  # below what SQLite takes in one statement


WHOLE: Final = "claims"
ASKED: Final = "asked"
COLLECTIONS: Final = (WHOLE, ASKED)
"""One collection a kind: filtering one by kind takes several times as long as searching."""

ASKED_DEPTH: Final = 3
"""Phrasings of one claim stand close together: so many times the claims wanted are read to get that many claims."""


@dataclass(frozen=True, slots=True)
class VectorText:
    """One text that is embedded.

    Attributes:
        claim: Position of its claim.
        kind: The collection, `WHOLE` or `ASKED`.
        text: The text.
    """

    claim: int
    kind: str
    text: str


def vector_texts(claims: Sequence[Claim]) -> list[VectorText]:
    """What is embedded: each claim as a whole, and each way to ask for it by itself."""
    wholes = [
        VectorText(at, WHOLE, "\n".join((claim.title, *claim.head.asked_as, claim.lead)))
        for at, claim in enumerate(claims)
    ]
    asked = [
        VectorText(at, ASKED, phrase)
        for at, claim in enumerate(claims)
        for phrase in (*claim.head.asked_as, *claim.head.lay_as)
    ]
    return wholes + asked


def write_vectors(folder: Path, claims: Sequence[Claim], texts: Sequence[VectorText], vectors: Vectors) -> None:
    """Create the Chroma collections in a folder.

    Args:
        folder: Chroma's folder; created.
        claims: The claims.
        texts: N texts.
        vectors: `(N, D) float32`, row i belongs to text i.
    """
    client = _client(folder)
    facts = [{"topic": claim.topic, **_span(claim.head.applies)} for claim in claims]
    try:
        for kind in COLLECTIONS:
            collection = client.create_collection(
                kind,
                # Below the threshold Chroma restores a lost segment folder from its SQLite file; above, it loses it.
                configuration={"hnsw": {"space": "cosine", "sync_threshold": max(SYNC_THRESHOLD, len(texts) + 1)}},
                embedding_function=None,
            )
            rows = [row for row, text in enumerate(texts) if text.kind == kind]
            for at in range(0, len(rows), ADDED_AT_ONCE):
                part = rows[at : at + ADDED_AT_ONCE]
                collection.add(
                    ids=[f"{claims[texts[row].claim].id}#{row}" for row in part],
                    embeddings=vectors[part],
                    metadatas=[facts[texts[row].claim] for row in part],
                )
    finally:
        client.close()


def _span(applies: str) -> dict[str, int]:
    """The first and last release, as positions, for which a range holds.

    A range with a hole is widened to its span here; the caller filters exactly afterwards.
    """
    held = [at for at, release in enumerate(releases()) if in_range(release, applies)]
    return {"first": held[0], "last": held[-1]} if held else {"first": -1, "last": -1}


class Dense:
    """Reads the collection.

    Chroma writes on opening and waits for minutes on a lock, so a folder that is read-only or locked is read through a
    copy of our own; nobody changes a folder once it is built.

    Raises:
        chromadb.errors.ChromaError: The collection is missing or damaged.
        sqlite3.DatabaseError: The file is missing or damaged.
        OSError: The folder cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        with contextlib.ExitStack() as opened:
            if not _is_ours_to_open(folder):
                copy = Path(opened.enter_context(tempfile.TemporaryDirectory(prefix="vllm-ask-"))) / folder.name
                folder = shutil.copytree(folder, copy, copy_function=shutil.copyfile)
                _make_writable(folder)
            client = opened.enter_context(contextlib.closing(_client(folder)))
            self._collections = {kind: client.get_collection(kind, embedding_function=None) for kind in COLLECTIONS}
            self._opened = opened.pop_all()

    def close(self) -> None:
        """Close the client, and remove the copy if there is one."""
        self._opened.close()

    def count(self) -> int:
        """Number of vectors."""
        return sum(int(collection.count()) for collection in self._collections.values())

    def ranked(
        self, vector: Vectors, limit: int, *, kind: str = WHOLE, release: str | None = None, topic: str | None = None
    ) -> list[tuple[str, float]]:
        """Claim ids with their cosine similarity to `(D,) float32`, best first.

        Args:
            vector: The question's.
            limit: How many claims.
            kind: The collection: `WHOLE` compares with claims as a whole, `ASKED` with the nearest way to ask for them.
            release: Only claims that hold for it.
            topic: Only claims of it.
        """
        conditions: list[dict[str, object]] = []
        if release is not None:
            at = releases().index(release)
            conditions += [{"first": {"$lte": at}}, {"last": {"$gte": at}}]
        if topic is not None:
            conditions.append({"topic": topic})
        where = {"$and": conditions} if len(conditions) > 1 else conditions[0] if conditions else None
        found = self._collections[kind].query(
            query_embeddings=[vector],
            n_results=limit if kind == WHOLE else limit * ASKED_DEPTH,
            where=where,
            include=["distances"],
        )
        distances = (found["distances"] or [[]])[0]
        nearest: dict[str, float] = {}
        for text_id, distance in zip(found["ids"][0], distances, strict=True):
            nearest.setdefault(text_id.partition("#")[0], 1.0 - distance)
        return list(nearest.items())[:limit]


def _is_ours_to_open(folder: Path) -> bool:
    """Whether the folder may be written and nobody holds its file; raises when the file is damaged.

    The damage is found here because Chroma keeps a client that failed to start, for the life of the process.
    """
    path = folder / "chroma.sqlite3"
    base = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
    with contextlib.closing(base):
        (verdict,) = base.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise sqlite3.DatabaseError(f"{path}: {verdict}")
    if not all(os.access(place, os.W_OK) for place in (folder, path)):
        return False
    base = sqlite3.connect(path, timeout=0)
    with contextlib.closing(base), contextlib.suppress(sqlite3.OperationalError):
        base.execute("BEGIN IMMEDIATE")
        return True
    return False


def _make_writable(folder: Path) -> None:
    """`copytree` gives folders the permissions of their originals."""
    for place in (folder, *folder.rglob("*")):
        if place.is_dir():
            place.chmod(0o700)


def _client(folder: Path):  # type: ignore[no-untyped-def]
    import chromadb
    from chromadb.config import Settings as ChromaSettings

    return chromadb.PersistentClient(str(folder), settings=ChromaSettings(anonymized_telemetry=False))

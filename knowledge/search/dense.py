"""The dense half: one vector a claim, kept in Chroma."""

import contextlib
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from knowledge.corpus.claim import Claim
from knowledge.search.encoder import Vectors
from knowledge.versions import in_range, releases

COLLECTION: Final = "claims"
SYNC_THRESHOLD: Final = 1000  # Chroma's default


def vector_text(claim: Claim) -> str:
    """What of a claim is embedded: the statement, how people ask for it, and the paragraph that stands alone."""
    return "\n".join((claim.title, *claim.head.asked_as, claim.lead))


def write_vectors(folder: Path, claims: Sequence[Claim], vectors: Vectors) -> None:
    """Create the Chroma collection in a folder.

    Args:
        folder: Chroma's folder; created.
        claims: N claims.
        vectors: `(N, D) float32`, row i belongs to claim i.
    """
    client = _client(folder)
    try:
        collection = client.create_collection(
            COLLECTION,
            # Below the threshold Chroma restores a lost segment folder from its SQLite file; above, it loses vectors.
            configuration={"hnsw": {"space": "cosine", "sync_threshold": max(SYNC_THRESHOLD, len(claims) + 1)}},
            embedding_function=None,
        )
        collection.add(
            ids=[claim.id for claim in claims],
            embeddings=vectors,
            metadatas=[{"topic": claim.topic, **_span(claim.head.applies)} for claim in claims],
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
            self._collection = client.get_collection(COLLECTION, embedding_function=None)
            self._opened = opened.pop_all()

    def close(self) -> None:
        """Close the client, and remove the copy if there is one."""
        self._opened.close()

    def count(self) -> int:
        """Number of vectors."""
        return int(self._collection.count())

    def ranked(
        self, vector: Vectors, limit: int, *, release: str | None = None, topic: str | None = None
    ) -> list[tuple[str, float]]:
        """Claim ids with their cosine similarity to `(D,) float32`, best first."""
        conditions: list[dict[str, object]] = []
        if release is not None:
            at = releases().index(release)
            conditions += [{"first": {"$lte": at}}, {"last": {"$gte": at}}]
        if topic is not None:
            conditions.append({"topic": topic})
        where = {"$and": conditions} if len(conditions) > 1 else conditions[0] if conditions else None
        found = self._collection.query(query_embeddings=[vector], n_results=limit, where=where, include=["distances"])
        distances = (found["distances"] or [[]])[0]
        return [(claim_id, 1.0 - distance) for claim_id, distance in zip(found["ids"][0], distances, strict=True)]


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

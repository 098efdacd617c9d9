"""The dense half: one vector a claim, kept in Chroma."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from knowledge.corpus.claim import Claim
from knowledge.search.encoder import Vectors
from knowledge.versions import in_range, releases

COLLECTION: Final = "claims"


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
            COLLECTION, configuration={"hnsw": {"space": "cosine"}}, embedding_function=None
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

    Raises:
        chromadb.errors.ChromaError: The folder is missing or damaged.
    """

    def __init__(self, folder: Path) -> None:
        self._client = _client(folder)
        self._collection = self._client.get_collection(COLLECTION, embedding_function=None)

    def close(self) -> None:
        """Close the client."""
        self._client.close()

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


def _client(folder: Path):  # type: ignore[no-untyped-def]
    import chromadb
    from chromadb.config import Settings as ChromaSettings

    return chromadb.PersistentClient(str(folder), settings=ChromaSettings(anonymized_telemetry=False))

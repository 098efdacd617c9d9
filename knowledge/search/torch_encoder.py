"""Encode through sentence-transformers itself: slow to import, and the measure the export is held against."""

from typing import TYPE_CHECKING

import numpy as np

from knowledge.errors import UserError
from knowledge.search.encoder import BATCH, EncoderFacts, Vectors, model_source

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


def load_model(embed_model: str) -> "SentenceTransformer":
    """Load a sentence-transformers model on the CPU; nothing is fetched when it is a local folder.

    Raises:
        UserError: No such model here or at the hub.
    """
    source = model_source(embed_model)
    from sentence_transformers import SentenceTransformer
    from transformers.utils.logging import disable_progress_bar

    disable_progress_bar()  # type: ignore[no-untyped-call]  # transformers types only part of itself
    try:
        return SentenceTransformer(source, device="cpu")
    except (OSError, ValueError) as exc:
        raise UserError(
            f"the embedding model {embed_model!r} cannot be loaded: {exc}; "
            "set ASK_EMBED_MODEL to a sentence-transformers folder or name, or unset it for the bundled one"
        ) from exc


class TorchEncoder:
    """Encodes with the model as sentence-transformers runs it."""

    def __init__(self, facts: EncoderFacts) -> None:
        self._facts = facts
        self._model = load_model(facts.model)

    def queries(self, texts: list[str]) -> Vectors:
        """Encode questions."""
        return self._encode([self._facts.query_prompt + text for text in texts])

    def documents(self, texts: list[str]) -> Vectors:
        """Encode statements."""
        return self._encode([self._facts.document_prompt + text for text in texts])

    def _encode(self, texts: list[str]) -> Vectors:
        vectors = self._model.encode(
            texts, batch_size=BATCH, normalize_embeddings=True, show_progress_bar=False, prompt=""
        )
        return np.asarray(vectors, dtype=np.float32)

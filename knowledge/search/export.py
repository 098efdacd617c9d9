"""Export a sentence-transformers model to ONNX, once, so that questions need neither torch nor transformers."""

import contextlib
import io
import logging
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from knowledge.search.encoder import EncoderFacts
from knowledge.search.torch_encoder import load_model

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


def export_encoder(embed_model: str, folder: Path) -> None:
    """Write model.onnx, tokenizer.json and encoder.json into an existing folder.

    A model that torch cannot export is recorded as such, and sentence-transformers will encode for it.

    Raises:
        UserError: The model cannot be loaded.
    """
    model = load_model(embed_model).eval()
    tokenizer = model.tokenizer
    exported = hasattr(tokenizer, "backend_tokenizer") and _write_onnx(model, folder / "model.onnx")
    if exported:
        tokenizer.backend_tokenizer.save(str(folder / "tokenizer.json"))
    facts = EncoderFacts(
        model=embed_model,
        max_tokens=int(model.max_seq_length or tokenizer.model_max_length),
        pad_id=int(tokenizer.pad_token_id or 0),
        query_prompt=_prompt(model, "query"),
        document_prompt=_prompt(model, "document"),
        exported=exported,
    )
    (folder / "encoder.json").write_bytes(msgspec.json.encode(facts))


def _prompt(model: "SentenceTransformer", use: str) -> str:
    return model.prompts.get(use) or model.prompts.get(model.default_prompt_name or "") or ""


def _write_onnx(model: "SentenceTransformer", path: Path) -> bool:
    import torch

    class Sentence(torch.nn.Module):
        """Tokens in, one unit vector a text out: the transformer, its pooling and the normalisation as one graph."""

        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
            features = self.model({"input_ids": input_ids, "attention_mask": attention_mask})
            return torch.nn.functional.normalize(features["sentence_embedding"], dim=-1)

    sample = model.tokenizer(["a short one", "and a longer second one"], padding=True, return_tensors="pt")
    sizes = {
        0: torch.export.Dim("batch"),
        1: torch.export.Dim("tokens", max=int(model.max_seq_length or 512)),
    }
    quiet = contextlib.redirect_stdout(io.StringIO())  # the exporter narrates on stdout, which is the answer's
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)  # it warns of torchvision operators, which we have none of
    with quiet, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            torch.onnx.export(
                Sentence(),
                (sample["input_ids"], sample["attention_mask"]),
                path,
                input_names=["input_ids", "attention_mask"],
                output_names=["sentence_embedding"],
                dynamic_shapes={"input_ids": sizes, "attention_mask": sizes},
                dynamo=True,
                optimize=False,
                external_data=False,
            )
        except (torch.onnx.errors.OnnxExporterError, RuntimeError):
            return False
    return True

"""Read a local Hugging Face `config.json` into the same facts as a catalogued model.

What the file does not say is not guessed: a missing shape is a `UserError` that names the key. Two defaults
are taken because the format itself defines them: as many key-value heads as heads, and the hidden size over
the heads as head width.
"""

from pathlib import Path
from typing import Any

import msgspec

from knowledge.catalog.config_encoders import encoders, uncounted
from knowledge.catalog.config_feed_forward import feed_forwards
from knowledge.catalog.config_keys import Keys
from knowledge.catalog.config_mixers import mixers
from knowledge.catalog.config_nas import searched_layers
from knowledge.catalog.config_quantisation import quantisation
from knowledge.catalog.layers import Layers
from knowledge.catalog.model import Model
from knowledge.errors import UserError

_TEXT = ("text_config", "llm_config", "language_config", "thinker_config")
_MTP = ("num_nextn_predict_layers", "mtp_num_hidden_layers", "num_mtp_layers", "num_mtp_modules")
_TIED_TYPES = ("gemma", "lfm2")
"""Model types whose class ties the head to the embedding unless the file says otherwise."""

_UNTIED_TYPES = (
    "llama4",
    "mixtral",
    "step3p7",
    "deepseek",
    "minimax",
    "qwen3_vl_moe",
    "qwen3_5",
    "qwen3_next",
)
"""Model types whose class does not; for any other type the key must be in the file."""


def read_config(path: Path) -> Model:
    """Read a `config.json`, or the one in a folder.

    Args:
        path: The file, or the model's folder.

    Raises:
        UserError: The file cannot be read, is no JSON object, or lacks a shape; names what and where.
    """
    file = path / "config.json" if path.is_dir() else path
    values = _with_modelopt_file(_object(file), file.parent)
    return from_config(values, str(file), f"local file {file}")


def from_config(values: dict[str, Any], where: str, source: str) -> Model:
    """Turn the object of a `config.json` into a model.

    Args:
        values: The object.
        where: What to call it, as id and in messages.
        source: What to cite.

    Raises:
        UserError: A shape is missing or absurd; names the key.
    """
    outer = Keys(values, where)
    text = _text_model(outer)
    layers = _layers(text)
    return Model(
        id=where,
        architecture=next(iter(outer.words("architectures")), ""),
        model_type=text.text("model_type") or outer.text("model_type"),
        hidden=text.count("hidden_size"),
        vocab=text.count("vocab_size"),
        tied=_tied(outer, text),
        max_context=text.count_or(0, "max_position_embeddings", "model_max_length") or None,
        layers=layers,
        dtype=text.text("dtype", "torch_dtype") or outer.text("dtype", "torch_dtype") or "bfloat16",
        state_dtype=text.text("mamba_ssm_dtype", "mamba_ssm_cache_dtype"),
        quantisation=quantisation(outer, text, layers),
        mtp_layers=text.count_or(0, *_MTP),
        per_layer_embedding=text.count_or(0, "hidden_size_per_layer_input"),
        encoders=tuple(encoders(outer)),
        notes=tuple(uncounted(outer)),
        sources=(source,),
    )


def _text_model(keys: Keys) -> Keys:
    """The text model's keys: nested in multimodal files, in omni files twice."""
    inner = keys.nested(*_TEXT)
    return _text_model(inner) if inner else keys


def _tied(outer: Keys, text: Keys) -> bool:
    for keys in (text, outer):
        if isinstance(given := keys.values.get("tie_word_embeddings", keys.values.get("tie_embedding")), bool):
            return given
    model_type = text.text("model_type") or outer.text("model_type")
    if model_type.startswith((*_TIED_TYPES, *_UNTIED_TYPES)):
        return model_type.startswith(_TIED_TYPES)
    raise UserError(f"{outer.where}: tie_word_embeddings is missing; add true or false, it is not guessed")


def _layers(keys: Keys) -> tuple[Layers, ...]:
    if keys.has("block_configs"):
        pairs = searched_layers(keys)
    else:
        pairs = list(zip(mixers(keys), feed_forwards(keys), strict=True))
    return tuple(
        Layers(count=pairs.count(pair), mixer=pair[0], feed_forward=pair[1])
        for pair in dict.fromkeys(pairs)
        if pair != (None, None)
    )


def _with_modelopt_file(values: dict[str, Any], folder: Path) -> dict[str, Any]:
    """ModelOpt's older exports describe the quantisation in a file of its own beside `config.json`."""
    beside = folder / "hf_quant_config.json"
    if "quantization_config" in values or not beside.is_file():
        return values
    return values | {"quantization_config": _object(beside)}


def _object(file: Path) -> dict[str, Any]:
    try:
        values = msgspec.json.decode(file.read_bytes())
    except OSError as exc:
        raise UserError(f"{file}: cannot be read: {exc.strerror}; name a config.json or its folder") from exc
    except msgspec.DecodeError as exc:
        raise UserError(f"{file}: is not JSON: {exc}") from exc
    if not isinstance(values, dict):
        raise UserError(f"{file}: holds no JSON object; it must be a model's config.json")
    return values

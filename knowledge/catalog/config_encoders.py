"""Read from a `config.json` the encoders beside the text model, as far as their size goes."""

from collections.abc import Iterator
from typing import Literal

from knowledge.catalog.config_keys import Keys
from knowledge.catalog.model import Encoder

_WIDTH = ("hidden_size", "vt_hidden_size", "embed_dim", "d_model")
_DEPTH = ("num_hidden_layers", "depth", "vt_num_hidden_layers", "encoder_layers")
_INNER = ("intermediate_size", "vt_intermediate_size", "encoder_ffn_dim")
_GATED_TYPES = ("gemma4_vision", "qwen2_5_vl", "pixtral")
_OBJECTS: tuple[tuple[Literal["vision", "audio"], str], ...] = (
    ("vision", "vision_config"),
    ("audio", "audio_config"),
    ("vision", "vit_config"),
)


def encoders(outer: Keys) -> Iterator[Encoder]:
    """Each encoder whose width, depth and inner width the file gives; `uncounted` names the others."""
    for kind, keys in _found(outer):
        if _is_whole(keys):
            yield Encoder(
                kind=kind,
                layers=keys.count(*_DEPTH),
                hidden=keys.count(*_WIDTH),
                intermediate=keys.count(*_INNER),
                matrices=3 if keys.text("model_type").startswith(_GATED_TYPES) else 2,
            )


def uncounted(outer: Keys) -> Iterator[str]:
    """A sentence for each encoder whose size cannot be told from the file."""
    for kind, keys in _found(outer):
        if not _is_whole(keys):
            yield f"the {kind} encoder is not counted: the file lacks its width, depth or inner width"


def _found(outer: Keys) -> Iterator[tuple[Literal["vision", "audio"], Keys]]:
    for holder in (outer, outer.nested("thinker_config")):
        for kind, name in _OBJECTS:
            if holder and (keys := holder.nested(name)):
                yield kind, keys


def _is_whole(keys: Keys) -> bool:
    return all(keys.count_or(0, *names) for names in (_WIDTH, _DEPTH, _INNER))

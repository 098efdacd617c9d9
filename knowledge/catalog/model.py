"""What is known of a model: its shapes, its quantised checkpoints, and where each was read.

A model is a stack of `Layers`, each a count of layers of one kind. Totals, active parameters and cache sizes
are computed from these facts and never stored.
"""

from collections.abc import Iterator
from typing import Literal

import msgspec

from knowledge.catalog.layers import Experts, Layers, Mixer
from knowledge.corpus.claim import Closed

Format = Literal["fp8", "mxfp8", "int8", "nvfp4", "mxfp4", "int4"]
"""How a weight is stored; everything else is stored in the model's own dtype."""

Part = Literal["attention", "linear attention", "dense", "routed experts", "shared experts", "head"]
"""A part of the model that may be stored in a format of its own; named as in the parameter count."""


class Quantisation(Closed, frozen=True):
    """How the weights of a checkpoint are stored.

    Embeddings, norms and routers are never quantised, the head only when `others` says so.

    Attributes:
        format: Format of the linear layers; in mixed checkpoints that of the routed experts or dense part.
        method: What vLLM calls it, for example `modelopt`; "" when only a name told the format.
        group: Weights under one scale: `[128, 128]` is a block, `[32]` a run along the input; () is unknown
            or one scale per tensor or channel.
        others: Parts stored in another format; `kept` is the model's own dtype.
        kv_cache: Format in which the checkpoint asks for the KV cache; "" when it does not.
    """

    format: Format
    method: str = ""
    group: tuple[int, ...] = ()
    others: dict[Part, Format | Literal["kept"]] = msgspec.field(default_factory=dict)
    kv_cache: str = ""


class Checkpoint(Closed, frozen=True):
    """Published weights of the same shapes in another format. `basis` says where the format was read."""

    id: str
    quantisation: Quantisation | None
    basis: str


class Encoder(Closed, frozen=True):
    """A vision or audio encoder: a stack of attention and feed-forward layers beside the text model.

    Attributes:
        kind: What it encodes.
        layers: Its depth.
        hidden: Its width.
        intermediate: Inner width of its feed-forward parts.
        matrices: 3 with a gate, 2 without.
    """

    kind: Literal["vision", "audio"]
    layers: int
    hidden: int
    intermediate: int
    matrices: Literal[2, 3] = 2


class Stated(Closed, frozen=True):
    """The size that the publisher or a recipe states.

    Attributes:
        total_b: Parameters in units of 1e9, as written.
        active_b: Parameters that one token passes, in units of 1e9; None when not stated.
        where: Where it is written.
    """

    total_b: float
    where: str
    active_b: float | None = None


class Model(Closed, frozen=True):
    """One model.

    Attributes:
        id: The Hugging Face id, or the file that was read.
        architecture: The class name in `architectures`; "" when unknown.
        model_type: The text model's `model_type`; "" when unknown.
        hidden: Width of the residual stream.
        vocab: Rows of the embedding.
        tied: The output head is the embedding.
        max_context: Positions the checkpoint declares; None when no source says it.
        layers: Kinds of layers with their counts, in order of first appearance.
        dtype: Stored type of what is not quantised.
        state_dtype: Type the checkpoint asks for linear layers' recurrent state; "" when it does not.
        quantisation: How the checkpoint of this id is stored; None is plain `dtype`.
        mtp_layers: Multi-token-prediction layers in the checkpoint; not part of `layers`.
        per_layer_embedding: Width of an extra embedding per layer (Gemma E models); 0 when none.
        encoders: Encoders beside the text model.
        aliases: Other ids of the same shapes.
        checkpoints: Quantised checkpoints of the same shapes.
        stated: The size that somebody states; None when nobody does.
        size_note: Why the computed total is off the stated one by more than the tolerance.
        notes: What a reader must know before relying on the facts.
        sources: Where the facts were read.
    """

    id: str
    hidden: int
    vocab: int
    tied: bool
    layers: tuple[Layers, ...]
    sources: tuple[str, ...]
    architecture: str = ""
    model_type: str = ""
    max_context: int | None = None
    dtype: str = "bfloat16"
    state_dtype: str = ""
    quantisation: Quantisation | None = None
    mtp_layers: int = 0
    per_layer_embedding: int = 0
    encoders: tuple[Encoder, ...] = ()
    aliases: tuple[str, ...] = ()
    checkpoints: tuple[Checkpoint, ...] = ()
    stated: Stated | None = None
    size_note: str = ""
    notes: tuple[str, ...] = ()

    @property
    def layer_count(self) -> int:
        """Layers of the text model, MTP layers not counted."""
        return sum(group.count for group in self.layers)

    def mixers(self) -> Iterator[tuple[int, Mixer]]:
        """Each kind of mixer with the number of its layers."""
        return ((group.count, group.mixer) for group in self.layers if group.mixer)

    def experts(self) -> Experts | None:
        """The routed experts, None for a dense model."""
        return next((g.feed_forward for g in self.layers if isinstance(g.feed_forward, Experts)), None)


class Incomplete(Closed, frozen=True):
    """A model known by name whose shapes could not be read anywhere.

    Attributes:
        id: The Hugging Face id.
        missing: What no source that could be opened says.
        sources: What was read.
        aliases: Other ids of the same model.
        stated: The size that somebody states.
    """

    id: str
    missing: tuple[str, ...]
    sources: tuple[str, ...]
    aliases: tuple[str, ...] = ()
    stated: Stated | None = None

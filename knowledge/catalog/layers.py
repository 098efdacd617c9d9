"""Kinds of layers: how tokens see each other (the mixer), and what each token passes (feed-forward)."""

from typing import Literal

from knowledge.corpus.claim import Closed


class Attention(Closed, frozen=True, tag="attention"):
    """Softmax attention over cached keys and values: MHA, GQA or MQA.

    Attributes:
        heads: Query heads.
        kv_heads: Heads of keys and values; fewer than `heads` is GQA.
        head_dim: Width of a query and key head.
        value_dim: Width of a value head.
        window: Tokens that a layer looks back at; None when it sees the whole context.
        gated: A gate as wide as the queries multiplies the output.
        keys_are_values: Values are the keys, so they have no projection of their own.
        shares_cache: The layer reads another layer's cache and keeps none.
    """

    heads: int
    kv_heads: int
    head_dim: int
    value_dim: int
    window: int | None = None
    gated: bool = False
    keys_are_values: bool = False
    shares_cache: bool = False


class Indexer(Closed, frozen=True):
    """A small attention that picks the tokens which the large one reads.

    Attributes:
        heads: Index heads.
        head_dim: Width of an index head; one key of this width is cached per token.
        top: Tokens (or blocks) picked per query.
    """

    heads: int
    head_dim: int
    top: int


class LatentAttention(Closed, frozen=True, tag="latent"):
    """Multi-head latent attention (MLA): one latent and one rotary key per token, whatever the heads.

    Attributes:
        heads: Query heads.
        query_rank: Width of the queries' latent; 0 when queries are projected directly.
        kv_rank: Width of the cached latent.
        nope_dim: Width per head without rotary position.
        rope_dim: Width with rotary position, cached once for all heads.
        value_dim: Width of a value head.
        indexer: The token picker of sparse variants.
        gated: A gate as wide as the values multiplies the output.
    """

    heads: int
    query_rank: int
    kv_rank: int
    nope_dim: int
    rope_dim: int
    value_dim: int
    indexer: Indexer | None = None
    gated: bool = False


class CompressedAttention(Closed, frozen=True, tag="compressed"):
    """Attention over a sliding window and, further back, over one cached entry per `ratio` tokens.

    Attributes:
        heads: Query heads.
        head_dim: Width of a head; keys are values, one head is cached.
        query_rank: Width of the queries' latent.
        output_rank: Width of the output's latent, per group.
        output_groups: Groups of the output projection.
        window: Tokens kept uncompressed.
        ratio: Tokens per compressed entry; 0 when the layer keeps the window alone.
        indexer: The picker over compressed entries.
    """

    heads: int
    head_dim: int
    query_rank: int
    output_rank: int
    output_groups: int
    window: int
    ratio: int
    indexer: Indexer | None = None


class GatedDelta(Closed, frozen=True, tag="gated_delta"):
    """Gated delta rule: linear attention with a state of constant size per sequence."""

    key_heads: int
    value_heads: int
    key_dim: int
    value_dim: int
    conv_width: int


class KimiDelta(Closed, frozen=True, tag="kimi_delta"):
    """Kimi delta attention: the delta rule with a gate per channel, of full rank or of rank `head_dim`."""

    heads: int
    head_dim: int
    conv_width: int
    full_rank_gate: bool = False


class Mamba(Closed, frozen=True, tag="mamba"):
    """Mamba-2: a state-space layer with a state of constant size per sequence."""

    heads: int
    head_dim: int
    state: int
    groups: int
    conv_width: int


class ShortConv(Closed, frozen=True, tag="short_conv"):
    """A gated convolution over the last `width` tokens."""

    width: int


Mixer = Attention | LatentAttention | CompressedAttention | GatedDelta | KimiDelta | Mamba | ShortConv


class Dense(Closed, frozen=True, tag="dense"):
    """A feed-forward part that every token passes.

    Attributes:
        intermediate: Its inner width.
        matrices: 3 with a gate (SwiGLU), 2 without.
    """

    intermediate: int
    matrices: Literal[2, 3] = 3


class Experts(Closed, frozen=True, tag="experts"):
    """Routed experts, and what runs beside them for every token.

    Attributes:
        experts: Routed experts in a layer.
        per_token: Routed experts that one token passes.
        intermediate: Inner width of one expert.
        shared_intermediate: Summed inner width of the shared experts; 0 when there are none.
        latent: Width that routed experts read and write when it is not the hidden size; else 0.
        matrices: 3 with a gate (SwiGLU), 2 without.
    """

    experts: int
    per_token: int
    intermediate: int
    shared_intermediate: int = 0
    latent: int = 0
    matrices: Literal[2, 3] = 3


FeedForward = Dense | Experts


class Layers(Closed, frozen=True):
    """`count` layers of one kind; hybrids have layers without a mixer or without a feed-forward part."""

    count: int
    mixer: Mixer | None = None
    feed_forward: FeedForward | None = None

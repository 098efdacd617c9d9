"""What one sequence keeps in the cache, in bytes that grow with its context and bytes that do not.

Layout and padding of a vLLM version or an attention back end are not part of this. The totals are for all
layers and all heads, so a caller divides them over ranks.
"""

from collections.abc import Iterator

from knowledge.catalog.layers import (
    Attention,
    CompressedAttention,
    GatedDelta,
    Indexer,
    KimiDelta,
    LatentAttention,
    Mamba,
    Mixer,
    ShortConv,
)
from knowledge.catalog.model import Model
from knowledge.corpus.claim import Closed

_SCALE_BYTES = 4
_SCALED_ELEMENTS = 128
"""An indexer caches one byte per element and a four-byte scale per 128 of them, whatever the cache dtype."""

_FLOAT32_BYTES = 4
_DTYPE_BYTES = {"float32": 4, "float16": 2, "bfloat16": 2}


class CacheTerm(Closed, frozen=True):
    """One kind of layer's share.

    Attributes:
        what: The kind of layer and how many there are.
        formula: The arithmetic with its numbers.
        value_bytes: Bytes per token of context, or per sequence when `fixed`.
        window: Tokens after which it stops growing; None when it never does.
        fixed: A state of constant size per sequence, not a cache per token.
    """

    what: str
    formula: str
    value_bytes: float
    window: int | None = None
    fixed: bool = False


class CacheCost(Closed, frozen=True):
    """The cache of one sequence, over all layers."""

    terms: tuple[CacheTerm, ...]

    @property
    def per_token_bytes(self) -> float:
        """Bytes that every further token of a long context costs."""
        return sum(t.value_bytes for t in self.terms if not t.fixed and t.window is None)

    @property
    def short_context_per_token_bytes(self) -> float:
        """Bytes per token while the context is inside every window."""
        return sum(t.value_bytes for t in self.terms if not t.fixed)

    @property
    def state_bytes(self) -> float:
        """Bytes of constant state per sequence."""
        return sum(t.value_bytes for t in self.terms if t.fixed)

    def sequence_bytes(self, tokens: int) -> float:
        """Bytes that one sequence of `tokens` tokens keeps."""
        grown = (t.value_bytes * min(tokens, t.window or tokens) for t in self.terms if not t.fixed)
        return sum(grown) + self.state_bytes


def cache_cost(model: Model, element_bytes: float = 2) -> CacheCost:
    """Work out what one sequence keeps.

    Args:
        model: The model; its MTP layers are not included.
        element_bytes: Bytes per cached element, 2 for bf16, 1 for fp8.
    """
    return CacheCost(terms=tuple(t for n, mixer in model.mixers() for t in _terms(model, n, mixer, element_bytes)))


def _terms(model: Model, count: int, mixer: Mixer, size: float) -> Iterator[CacheTerm]:
    match mixer:
        case Attention():
            yield from _attention(count, mixer, size)
        case LatentAttention():
            width = mixer.kv_rank + mixer.rope_dim
            formula = f"{count} layers x (latent {mixer.kv_rank} + rotary {mixer.rope_dim}) x {size:g} bytes"
            yield CacheTerm(what=f"{count} MLA layers", formula=formula, value_bytes=count * width * size)
            if mixer.indexer:
                yield _indexer(count, mixer.indexer, 1)
        case CompressedAttention():
            yield from _compressed(count, mixer, size)
        case GatedDelta() | KimiDelta() | Mamba() | ShortConv():
            yield _state(model, count, mixer)


def _attention(count: int, mixer: Attention, size: float) -> Iterator[CacheTerm]:
    if mixer.shares_cache:
        return
    width = mixer.kv_heads * (mixer.head_dim + mixer.value_dim)
    head = f"(key {mixer.head_dim} + value {mixer.value_dim})"
    formula = f"{count} layers x {mixer.kv_heads} KV heads x {head} x {size:g} bytes"
    kind = "sliding-window" if mixer.window else "full-attention"
    yield CacheTerm(
        what=f"{count} {kind} layers", formula=formula, value_bytes=count * width * size, window=mixer.window
    )


def _compressed(count: int, mixer: CompressedAttention, size: float) -> Iterator[CacheTerm]:
    formula = f"{count} layers x head {mixer.head_dim} x {size:g} bytes"
    value = count * mixer.head_dim * size
    yield CacheTerm(what=f"{count} layers' window", formula=formula, value_bytes=value, window=mixer.window)
    if mixer.ratio:
        what = f"{count} layers' entries of {mixer.ratio} tokens"
        yield CacheTerm(what=what, formula=f"{formula} / {mixer.ratio}", value_bytes=value / mixer.ratio)
    if mixer.indexer:
        yield _indexer(count, mixer.indexer, mixer.ratio)


def _indexer(count: int, indexer: Indexer, ratio: int) -> CacheTerm:
    width = indexer.head_dim + _SCALE_BYTES * indexer.head_dim // _SCALED_ELEMENTS
    formula = f"{count} layers x (index key {indexer.head_dim} + scale) bytes / {ratio} tokens"
    return CacheTerm(what=f"{count} layers' index keys", formula=formula, value_bytes=count * width / ratio)


def _state(model: Model, count: int, mixer: GatedDelta | KimiDelta | Mamba | ShortConv) -> CacheTerm:
    recurrent, conv = _state_elements(model, mixer)
    # Kimi's recurrent state is float32 whatever the settings; others follow the checkpoint's word.
    size = _FLOAT32_BYTES if isinstance(mixer, KimiDelta) else _DTYPE_BYTES.get(model.state_dtype or model.dtype, 2)
    conv_size = _DTYPE_BYTES.get(model.dtype, 2)
    formula = f"{count} layers x (state {recurrent} x {size} + conv {conv} x {conv_size} bytes)"
    value = count * (recurrent * size + conv * conv_size)
    return CacheTerm(what=f"{count} linear layers' state", formula=formula, value_bytes=value, fixed=True)


def _state_elements(model: Model, mixer: GatedDelta | KimiDelta | Mamba | ShortConv) -> tuple[int, int]:
    """Elements of the recurrent state and of the convolution's memory, one layer."""
    match mixer:
        case GatedDelta():
            channels = 2 * mixer.key_heads * mixer.key_dim + mixer.value_heads * mixer.value_dim
            return mixer.value_heads * mixer.key_dim * mixer.value_dim, channels * (mixer.conv_width - 1)
        case KimiDelta():
            return mixer.heads * mixer.head_dim**2, 3 * mixer.heads * mixer.head_dim * (mixer.conv_width - 1)
        case Mamba():
            channels = mixer.heads * mixer.head_dim + 2 * mixer.groups * mixer.state
            return mixer.heads * mixer.head_dim * mixer.state, channels * (mixer.conv_width - 1)
        case ShortConv():
            return 0, model.hidden * (mixer.width - 1)

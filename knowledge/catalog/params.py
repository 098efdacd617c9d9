"""Count parameters from a model's shapes, term by term, so that a reader can follow the arithmetic.

Biases, sinks and per-head norms are left out: together they stay under 0.1 % of any catalogued model.
"""

from collections.abc import Iterator

from knowledge.catalog.layers import (
    Attention,
    CompressedAttention,
    Dense,
    Experts,
    FeedForward,
    GatedDelta,
    Indexer,
    KimiDelta,
    LatentAttention,
    Mamba,
    Mixer,
    ShortConv,
)
from knowledge.catalog.model import Encoder, Model
from knowledge.corpus.claim import Closed

LINEAR = (GatedDelta, KimiDelta, Mamba, ShortConv)
"""Mixers that keep a state of constant size instead of a cache that grows."""


class Term(Closed, frozen=True):
    """One addend: what it is, how it was computed, and its value.

    Attributes:
        part: The part of the model, for example `attention` or `routed experts`.
        formula: The arithmetic with its numbers.
        value: Parameters, over all layers.
        active: Those of them that one token passes.
    """

    part: str
    formula: str
    value: int
    active: int


class Count(Closed, frozen=True):
    """A sum with its addends."""

    terms: tuple[Term, ...]

    @property
    def total(self) -> int:
        """Parameters."""
        return sum(term.value for term in self.terms)

    @property
    def active(self) -> int:
        """Parameters that one token passes, embeddings included."""
        return sum(term.active for term in self.terms)

    def of(self, part: str) -> int:
        """Parameters of one part, 0 when the model has none."""
        return sum(term.value for term in self.terms if term.part == part)


def parameters(model: Model) -> Count:
    """Count the parameters of text model and encoders, MTP layers not included."""
    return Count(terms=(*_embedding_terms(model), *_layer_terms(model), *_encoder_terms(model)))


def mtp_parameters(model: Model) -> int:
    """Count the MTP layers: each is taken as a last layer plus the projection that joins two hidden states.

    A hybrid pairs its last mixer with its last feed-forward part. Embedding and head are shared.
    """
    if not model.mtp_layers:
        return 0
    mixer = [m for _, m in model.mixers()][-1]
    part = [g.feed_forward for g in model.layers if g.feed_forward][-1]
    layer = sum(t.value for t in (*mixer_terms(1, mixer, model.hidden), *_feed_forward_terms(1, part, model.hidden)))
    return model.mtp_layers * (layer + 2 * model.hidden**2)


def _embedding_terms(model: Model) -> Iterator[Term]:
    size = model.vocab * model.hidden
    yield _term("embedding", f"vocab {model.vocab} x hidden {model.hidden}", size)
    if not model.tied:
        yield _term("head", f"vocab {model.vocab} x hidden {model.hidden}", size)
    norms = 2 * model.layer_count + 1
    yield _term("norms", f"(2 x {model.layer_count} layers + 1) x hidden {model.hidden}", norms * model.hidden)
    if model.per_layer_embedding:
        width, layers = model.per_layer_embedding, model.layer_count
        formula = f"{layers} layers x {width} x (vocab {model.vocab} + 3 x hidden {model.hidden})"
        yield _term("embedding", formula, layers * width * (model.vocab + 3 * model.hidden))


def _layer_terms(model: Model) -> Iterator[Term]:
    for group in model.layers:
        if group.mixer:
            yield from mixer_terms(group.count, group.mixer, model.hidden)
        if group.feed_forward:
            yield from _feed_forward_terms(group.count, group.feed_forward, model.hidden)


def _encoder_terms(model: Model) -> Iterator[Term]:
    for encoder in model.encoders:
        size = encoder.layers * _encoder_layer(encoder)
        formula = (
            f"{encoder.layers} layers x (4 x {encoder.hidden}^2 + "
            f"{encoder.matrices} x {encoder.hidden} x {encoder.intermediate})"
        )
        yield _term(f"{encoder.kind} encoder", formula, size)


def _encoder_layer(encoder: Encoder) -> int:
    return 4 * encoder.hidden**2 + encoder.matrices * encoder.hidden * encoder.intermediate


def mixer_terms(count: int, mixer: Mixer, hidden: int) -> Iterator[Term]:
    """Count `count` layers' mixers; `hidden` is the width of the residual stream."""
    part = "linear attention" if isinstance(mixer, LINEAR) else "attention"
    formula, size = _mixer(mixer, hidden)
    yield _term(part, f"{count} layers x ({formula})", count * size)
    indexer = getattr(mixer, "indexer", None)
    if isinstance(indexer, Indexer) and isinstance(mixer, LatentAttention | CompressedAttention):
        yield _indexer_term(count, indexer, mixer, hidden)


def _mixer(mixer: Mixer, hidden: int) -> tuple[str, int]:
    """The formula and the parameters of one mixer."""
    match mixer:
        case Attention():
            return _attention(mixer, hidden)
        case LatentAttention():
            return _latent(mixer, hidden)
        case CompressedAttention():
            return _compressed(mixer, hidden)
        case GatedDelta():
            return _gated_delta(mixer, hidden)
        case KimiDelta():
            return _kimi_delta(mixer, hidden)
        case Mamba():
            return _mamba(mixer, hidden)
        case ShortConv():
            return (
                f"4 x hidden {hidden}^2 + {hidden} x conv {mixer.width}",
                4 * hidden**2 + hidden * mixer.width,
            )


def _attention(mixer: Attention, hidden: int) -> tuple[str, int]:
    queries = mixer.heads * mixer.head_dim * (2 if mixer.gated else 1)
    keys = 0 if mixer.shares_cache else mixer.kv_heads * mixer.head_dim
    values = 0 if mixer.shares_cache or mixer.keys_are_values else mixer.kv_heads * mixer.value_dim
    output = mixer.heads * mixer.value_dim
    formula = f"hidden {hidden} x (queries {queries} + keys {keys} + values {values} + output {output})"
    return formula, hidden * (queries + keys + values + output)


def _latent(mixer: LatentAttention, hidden: int) -> tuple[str, int]:
    query_width = mixer.heads * (mixer.nope_dim + mixer.rope_dim)
    queries = mixer.query_rank * (hidden + query_width) if mixer.query_rank else hidden * query_width
    latent = hidden * (mixer.kv_rank + mixer.rope_dim)
    expand = mixer.kv_rank * mixer.heads * (mixer.nope_dim + mixer.value_dim)
    output = mixer.heads * mixer.value_dim * hidden * (2 if mixer.gated else 1)
    formula = (
        f"queries {queries} + latent {hidden} x {mixer.kv_rank + mixer.rope_dim} + expansion "
        f"{mixer.kv_rank} x {mixer.heads} heads x {mixer.nope_dim + mixer.value_dim} + output {output}"
    )
    return formula, queries + latent + expand + output


def _compressed(mixer: CompressedAttention, hidden: int) -> tuple[str, int]:
    width = mixer.heads * mixer.head_dim
    queries = mixer.query_rank * (hidden + width)
    output = width * mixer.output_rank + mixer.output_groups * mixer.output_rank * hidden
    # Entries of ratio 4 overlap, so their compressor is twice as wide.
    compressor = 2 * hidden * mixer.head_dim * (2 if mixer.ratio == 4 else 1) if mixer.ratio else 0
    cached = hidden * mixer.head_dim
    formula = f"queries {queries} + keys {cached} + output {output} + compressor {compressor}"
    return formula, queries + cached + output + compressor


def _gated_delta(mixer: GatedDelta, hidden: int) -> tuple[str, int]:
    keys, values = mixer.key_heads * mixer.key_dim, mixer.value_heads * mixer.value_dim
    projected = 2 * keys + 3 * values + 2 * mixer.value_heads
    conv = (2 * keys + values) * mixer.conv_width
    inner = f"2 x keys {keys} + 3 x values {values} + 2 x {mixer.value_heads} heads"
    formula = f"hidden {hidden} x ({inner}) + conv {conv}"
    return formula, hidden * projected + conv


def _kimi_delta(mixer: KimiDelta, hidden: int) -> tuple[str, int]:
    width = mixer.heads * mixer.head_dim
    low_rank = mixer.head_dim * (hidden + width)
    gates = low_rank + (hidden * width if mixer.full_rank_gate else low_rank)
    conv = 3 * width * mixer.conv_width
    formula = f"4 x hidden {hidden} x width {width} + gates {gates} + {hidden} x {mixer.heads} heads + conv {conv}"
    return formula, 4 * hidden * width + gates + hidden * mixer.heads + conv


def _mamba(mixer: Mamba, hidden: int) -> tuple[str, int]:
    inner, states = mixer.heads * mixer.head_dim, 2 * mixer.groups * mixer.state
    conv = (inner + states) * mixer.conv_width
    formula = f"hidden {hidden} x (3 x inner {inner} + states {states} + {mixer.heads} heads) + conv {conv}"
    return formula, hidden * (3 * inner + states + mixer.heads) + conv


def _indexer_term(count: int, indexer: Indexer, mixer: LatentAttention | CompressedAttention, hidden: int) -> Term:
    queries = (mixer.query_rank or hidden) * indexer.heads * indexer.head_dim
    # A compressed indexer builds its keys with a compressor of its own, twice as wide and gated.
    keys = hidden * indexer.head_dim * (4 if isinstance(mixer, CompressedAttention) else 1)
    size = queries + keys + hidden * indexer.heads
    formula = f"{count} layers x (index queries {queries} + keys {keys} + {hidden} x {indexer.heads} heads)"
    return _term("attention", formula, count * size)


def _feed_forward_terms(count: int, part: FeedForward, hidden: int) -> Iterator[Term]:
    match part:
        case Dense():
            size = part.matrices * hidden * part.intermediate
            formula = f"{count} layers x {part.matrices} x hidden {hidden} x {part.intermediate}"
            yield _term("dense", formula, count * size)
        case Experts():
            yield from _expert_terms(count, part, hidden)


def _expert_terms(count: int, part: Experts, hidden: int) -> Iterator[Term]:
    width = part.latent or hidden
    one = part.matrices * width * part.intermediate
    formula = f"{count} layers x {part.experts} experts x {part.matrices} x {width} x {part.intermediate}"
    active = count * part.per_token * one
    yield Term(part="routed experts", formula=formula, value=count * part.experts * one, active=active)
    router = count * hidden * part.experts
    yield _term("router", f"{count} layers x hidden {hidden} x {part.experts} experts", router)
    if part.latent:
        formula = f"{count} layers x 2 x hidden {hidden} x latent {part.latent}"
        yield _term("shared experts", formula, count * 2 * hidden * part.latent)
    if part.shared_intermediate:
        size = count * part.matrices * hidden * part.shared_intermediate
        formula = f"{count} layers x {part.matrices} x hidden {hidden} x {part.shared_intermediate}"
        yield _term("shared experts", formula, size)


def _term(part: str, formula: str, value: int) -> Term:
    return Term(part=part, formula=formula, value=value, active=value)

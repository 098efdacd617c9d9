"""Read from a `config.json` which mixer each layer has."""

import msgspec

from knowledge.catalog.config_keys import Keys
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
from knowledge.errors import UserError

FULL, SLIDING, LINEAR, CONV, MAMBA, NONE = "full", "sliding", "linear", "conv", "mamba", "none"

_KIND_OF_TYPE = {
    "full_attention": FULL,
    "attention": FULL,
    "hybrid": FULL,
    "mla": FULL,
    "deepseek_sparse_attention": FULL,
    "indexed_attention": FULL,
    "sliding_attention": SLIDING,
    "hybrid_sliding": SLIDING,
    "chunked_attention": SLIDING,
    "linear_attention": LINEAR,
    "kda": LINEAR,
    "conv": CONV,
    "mamba": MAMBA,
}

_KIND_OF_LETTER = {"M": MAMBA, "*": FULL, "-": NONE, "E": NONE}
_KIND_OF_BLOCK = {"mamba": MAMBA, "attention": FULL, "mlp": NONE, "moe": NONE}
_OVERLAPPING_RATIO = 4
_GATED_TYPES = ("qwen3_next", "qwen3_5", "muse_glimmer")
_INTERLEAVED_TYPES = {"gemma2": 2, "gemma3_text": 6, "cohere2": 4}
"""Types whose older files give the window but not the pattern: every n-th layer sees all (class defaults)."""


def mixers(keys: Keys) -> list[Mixer | None]:
    """The mixer of each layer, in order; None for a layer that has none.

    Raises:
        UserError: A needed key is missing or a layer kind is not known; names it.
    """
    if keys.has("compress_ratios"):
        return [*_compressed(keys)]
    kinds = layer_kinds(keys)
    made = {kind: _mixer(keys, kind) for kind in dict.fromkeys(kinds)}
    row = _with_heads(keys, [made[kind] for kind in kinds])
    own = len(row) - keys.count_or(0, "num_kv_shared_layers")
    if own < 0:
        raise UserError(f"{keys.where}: num_kv_shared_layers is more than the {len(row)} layers")
    return [*row[:own], *(_changed(mixer, shares_cache=True) for mixer in row[own:])]


def layer_kinds(keys: Keys) -> list[str]:
    """The kind of each layer, in transformers' words, or `none` for a layer without a mixer."""
    layers = layer_count(keys)
    for read in (_listed, _patterned, _interval, _windowed):
        if kinds := read(keys, layers):
            if len(kinds) < layers:
                raise UserError(f"{keys.where}: {len(kinds)} layer kinds are listed for {layers} layers")
            return kinds[:layers]
    return [FULL] * layers


def layer_count(keys: Keys) -> int:
    """How many layers; newer hybrids list their blocks and give no number."""
    return (
        keys.count_or(0, "num_hidden_layers") or len(keys.items("layers_block_type")) or keys.count("num_hidden_layers")
    )


def _listed(keys: Keys, layers: int) -> list[str]:
    if keys.has("layers_block_type"):
        return [_named(keys, "layers_block_type", _KIND_OF_BLOCK, word) for word in keys.words("layers_block_type")]
    if pattern := keys.text("hybrid_override_pattern"):
        return [_named(keys, "hybrid_override_pattern", _KIND_OF_LETTER, letter) for letter in pattern]
    if linear := keys.nested("linear_attn_config"):
        full = set(linear.counts("full_attn_layers"))
        return [FULL if number in full else LINEAR for number in range(1, layers + 1)]
    return [_named(keys, "layer_types", _KIND_OF_TYPE, word) for word in keys.words("layer_types")]


def _named(keys: Keys, key: str, words: dict[str, str], word: str) -> str:
    if word not in words:
        raise UserError(f"{keys.where}: {key} holds {word!r}, which is not a layer kind known here")
    return words[word]


def _patterned(keys: Keys, _layers: int) -> list[str]:
    return [SLIDING if sliding == 1 else FULL for sliding in keys.counts("hybrid_layer_pattern")]


def _interval(keys: Keys, layers: int) -> list[str]:
    every = keys.count_or(0, "full_attention_interval") if keys.has("linear_num_value_heads") else 0
    if every:
        return [FULL if number % every == 0 else LINEAR for number in range(1, layers + 1)]
    group = keys.count_or(0, "layer_group_size")
    if group:
        # The layers of a last, unfilled group see the whole context as well.
        filled = layers // group * group
        return [FULL if n % group == 0 or n > filled else LINEAR for n in range(1, layers + 1)]
    return []


def _windowed(keys: Keys, layers: int) -> list[str]:
    if not keys.has("sliding_window") or keys.values.get("use_sliding_window") is False:
        return []
    every = keys.count_or(0, "sliding_window_pattern", "global_attn_every_n_layers")
    every = every or _INTERLEAVED_TYPES.get(keys.text("model_type"), 0)
    if every:
        return [FULL if number % every == 0 else SLIDING for number in range(1, layers + 1)]
    # With the flag on, layers from max_window_layers on slide; without a flag all do.
    full = keys.count_or(0, "max_window_layers") if keys.flag("use_sliding_window") else 0
    return [FULL if number < full else SLIDING for number in range(layers)]


def _mixer(keys: Keys, kind: str) -> Mixer | None:
    match kind:
        case "full":
            return _latent(keys) if keys.has("kv_lora_rank") else _attention(keys)
        case "sliding":
            return _sliding(keys)
        case "linear":
            return _linear(keys)
        case "mamba":
            return _mamba(keys)
        case "conv":
            return ShortConv(width=keys.count("conv_L_cache"))
        case _:
            return None


def _attention(keys: Keys) -> Attention:
    heads = keys.count("num_attention_heads")
    head_dim = keys.count_or(0, "global_head_dim") or _head_dim(keys, heads)
    mixer = Attention(
        heads=heads,
        kv_heads=_kv_heads(keys, heads),
        head_dim=head_dim,
        value_dim=keys.count_or(head_dim, "v_head_dim"),
        gated=_is_gated(keys),
        keys_are_values=keys.flag("attention_k_eq_v"),
    )
    return _checked(keys, mixer)


def _is_gated(keys: Keys) -> bool:
    """Whether a gate as wide as the queries multiplies the output; some classes have one without a key."""
    if keys.flag("attn_output_gate") or keys.flag("attention_output_gate"):
        return True
    return keys.text("model_type").startswith(_GATED_TYPES) or keys.text("gating") == "per-element"


def _kv_heads(keys: Keys, heads: int) -> int:
    if keys.flag("attention_k_eq_v") and keys.has("num_global_key_value_heads"):
        return keys.count("num_global_key_value_heads")
    return keys.count_or(heads, "num_key_value_heads", "multi_query_group_num")


def _sliding(keys: Keys) -> Attention:
    heads = keys.count("swa_num_attention_heads", "num_attention_heads")
    head_dim = keys.count_or(0, "swa_head_dim") or _head_dim(keys, heads)
    mixer = Attention(
        heads=heads,
        kv_heads=keys.count_or(heads, "swa_num_key_value_heads", "num_key_value_heads"),
        head_dim=head_dim,
        value_dim=keys.count_or(head_dim, "swa_v_head_dim", "v_head_dim"),
        window=keys.count("sliding_window", "sliding_window_size", "attention_chunk_size"),
        gated=_is_gated(keys),
    )
    return _checked(keys, mixer)


def _checked(keys: Keys, mixer: Attention) -> Attention:
    if mixer.heads % mixer.kv_heads:
        heads = f"{mixer.heads} attention heads are no multiple of {mixer.kv_heads} key-value heads"
        raise UserError(f"{keys.where}: {heads} (num_attention_heads, num_key_value_heads)")
    return mixer


def _with_heads(keys: Keys, row: list[Mixer | None]) -> list[Mixer | None]:
    """Give each layer its own number of query heads where the file lists them."""
    heads = keys.counts("num_attention_heads_per_layer")
    if not heads:
        return row
    if len(heads) != len(row):
        raise UserError(f"{keys.where}: num_attention_heads_per_layer has {len(heads)} entries for {len(row)} layers")
    return [_changed(mixer, heads=own) for mixer, own in zip(row, heads, strict=True)]


def _changed(mixer: Mixer | None, **changes: int | bool) -> Mixer | None:
    """The same attention with other values; mixers of other kinds stay as they are."""
    return msgspec.structs.replace(mixer, **changes) if isinstance(mixer, Attention) else mixer


def _head_dim(keys: Keys, heads: int) -> int:
    given = keys.count_or(0, "head_dim", "attention_head_dim", "kv_channels")
    if given:
        return given
    hidden = keys.count("hidden_size")
    if hidden % heads:
        raise UserError(f"{keys.where}: head_dim is missing and hidden_size {hidden} is no multiple of {heads} heads")
    return hidden // heads


def _latent(keys: Keys) -> LatentAttention:
    return LatentAttention(
        heads=keys.count("num_attention_heads"),
        query_rank=keys.count_or(0, "q_lora_rank"),
        kv_rank=keys.count("kv_lora_rank"),
        nope_dim=keys.count("qk_nope_head_dim"),
        rope_dim=keys.count_or(0, "qk_rope_head_dim"),
        value_dim=keys.count("v_head_dim"),
        indexer=_indexer(keys),
        gated=keys.flag("mla_use_output_gate"),
    )


def _indexer(keys: Keys) -> Indexer | None:
    if not keys.has("index_topk"):
        return None
    heads, head_dim = keys.count("index_n_heads"), keys.count("index_head_dim")
    return Indexer(heads=heads, head_dim=head_dim, top=keys.count("index_topk"))


def _compressed(keys: Keys) -> list[CompressedAttention]:
    """One mixer per layer; the list may run on into MTP layers, which are cut off."""
    layers = keys.count("num_hidden_layers")
    ratios = keys.counts("compress_ratios")[:layers]
    if len(ratios) < layers:
        raise UserError(f"{keys.where}: compress_ratios has {len(ratios)} entries for {layers} layers")
    return [_compressed_at(keys, ratio) for ratio in ratios]


def _compressed_at(keys: Keys, ratio: int) -> CompressedAttention:
    return CompressedAttention(
        heads=keys.count("num_attention_heads"),
        head_dim=keys.count("head_dim"),
        query_rank=keys.count("q_lora_rank"),
        output_rank=keys.count("o_lora_rank"),
        output_groups=keys.count("o_groups"),
        window=keys.count("sliding_window"),
        ratio=ratio,
        # Only entries of few tokens are many enough to need picking.
        indexer=_indexer(keys) if ratio == _OVERLAPPING_RATIO else None,
    )


def _linear(keys: Keys) -> GatedDelta | KimiDelta:
    if nested := keys.nested("linear_attn_config"):
        return KimiDelta(
            heads=nested.count("num_heads"),
            head_dim=nested.count("head_dim"),
            conv_width=nested.count("short_conv_kernel_size"),
            full_rank_gate=nested.flag("use_full_rank_gate"),
        )
    if not keys.has("linear_num_value_heads"):
        return _kimi_delta_at_top(keys)
    return GatedDelta(
        key_heads=keys.count("linear_num_key_heads"),
        value_heads=keys.count("linear_num_value_heads"),
        key_dim=keys.count("linear_key_head_dim"),
        value_dim=keys.count("linear_value_head_dim"),
        conv_width=keys.count("linear_conv_kernel_dim"),
    )


def _kimi_delta_at_top(keys: Keys) -> KimiDelta:
    """Delta layers whose shapes stand beside the others'; without heads of their own they have as many."""
    return KimiDelta(
        heads=keys.count("linear_num_heads", "num_attention_heads"),
        head_dim=keys.count("linear_head_dim", "head_dim"),
        conv_width=keys.count("short_conv_kernel_size", "linear_conv_kernel_dim"),
    )


def _mamba(keys: Keys) -> Mamba:
    return Mamba(
        heads=keys.count("mamba_num_heads", "mamba_n_heads"),
        head_dim=keys.count("mamba_head_dim", "mamba_d_head"),
        state=keys.count("ssm_state_size", "mamba_d_state"),
        groups=keys.count("n_groups", "mamba_n_groups"),
        conv_width=keys.count("conv_kernel", "mamba_d_conv"),
    )

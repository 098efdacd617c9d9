"""Read from a `config.json` which feed-forward part each layer has."""

from typing import Literal

from knowledge.catalog.config_keys import Keys
from knowledge.catalog.config_mixers import layer_count
from knowledge.catalog.layers import Dense, Experts, FeedForward
from knowledge.errors import UserError

_EXPERTS = ("n_routed_experts", "num_local_experts", "num_experts", "moe_num_experts")
_PER_TOKEN = (
    "num_experts_per_tok",
    "num_experts_per_token",
    "experts_per_token",
    "moe_k",
    "moe_topk",
    "top_k_experts",
)
_EXPERT_WIDTH = ("moe_intermediate_size", "intermediate_size")
_SHARED_WIDTH = (
    "shared_expert_intermediate_size",
    "moe_shared_expert_intermediate_size",
    "shared_intermediate_size",
    "share_expert_dim",
)
_SHARED_COUNT = ("n_shared_experts", "num_shared_experts", "moe_num_shared_experts", "num_shared_expert")
_DENSE_WIDTH = ("dense_intermediate_size", "intermediate_size_mlp", "intermediate_size", "ffn_hidden_size")
_UNGATED = ("relu2", "relu", "gelu_new", "gelu_fast")
"""Activations of feed-forward parts with two matrices; the others gate, and have three."""

DENSE, SPARSE, NONE = "dense", "sparse", "none"


def feed_forwards(keys: Keys) -> list[FeedForward | None]:
    """The feed-forward part of each layer, in order; None for a layer that has none.

    Raises:
        UserError: A needed key is missing; names it.
    """
    kinds = layer_kinds(keys)
    made = {kind: _part(keys, kind) for kind in dict.fromkeys(kinds)}
    parts = [made[kind] for kind in kinds]
    own = len(parts) - keys.count_or(0, "num_kv_shared_layers")
    if keys.flag("use_double_wide_mlp"):
        # Layers that borrow their cache spend the parameters saved on a part twice as wide.
        parts[own:] = [_doubled(part) for part in parts[own:]]
    return parts


def layer_kinds(keys: Keys) -> list[str]:
    """For each layer `dense`, `sparse` (routed experts) or `none`."""
    layers = layer_count(keys)
    blocks = _blocks(keys)
    if blocks:
        return blocks
    if not keys.count_or(0, *_EXPERTS) or keys.values.get("enable_moe_block") is False:
        return [DENSE] * layers
    kinds = _listed(keys) or [SPARSE if _is_sparse(keys, layer) else DENSE for layer in range(layers)]
    if len(kinds) < layers:
        raise UserError(f"{keys.where}: {len(kinds)} feed-forward kinds are listed for {layers} layers")
    return kinds[:layers]


def _blocks(keys: Keys) -> list[str]:
    """Hybrids whose every block is a mixer or a feed-forward part, not both."""
    words = {"mlp": DENSE, "-": DENSE, "moe": SPARSE, "E": SPARSE}
    blocks = keys.words("layers_block_type") or list(keys.text("hybrid_override_pattern"))
    return [words.get(block, NONE) for block in blocks]


def _listed(keys: Keys) -> list[str]:
    if keys.has("mlp_layer_types"):
        return [SPARSE if kind == SPARSE else DENSE for kind in keys.words("mlp_layer_types")]
    if isinstance(keys.values.get("moe_layer_freq"), list):
        return [SPARSE if sparse == 1 else DENSE for sparse in keys.counts("moe_layer_freq")]
    return []


def _is_sparse(keys: Keys, layer: int) -> bool:
    """Whether a layer, counted from 0, routes: not among the first or named dense ones, and every n-th."""
    if layer < keys.count_or(0, "first_k_dense_replace", "num_dense_layers", "moe_layer_start_index"):
        return False
    if keys.has("moe_layers"):
        return layer in keys.counts("moe_layers")
    if layer in keys.counts("mlp_only_layers"):
        return False
    every = keys.count_or(1, "interleave_moe_layer_step", "decoder_sparse_step", "moe_layer_interval", "moe_layer_freq")
    return every > 0 and (layer + 1) % every == 0


def _part(keys: Keys, kind: str) -> FeedForward | None:
    match kind:
        case "dense":
            return Dense(intermediate=keys.count(*_DENSE_WIDTH), matrices=_matrices(keys))
        case "sparse":
            return _experts(keys)
        case _:
            return None


def _doubled(part: FeedForward | None) -> FeedForward | None:
    return Dense(intermediate=2 * part.intermediate, matrices=part.matrices) if isinstance(part, Dense) else part


def _experts(keys: Keys) -> Experts:
    per_token = keys.count(*_PER_TOKEN)
    experts = keys.count(*_EXPERTS)
    if per_token > experts:
        raise UserError(f"{keys.where}: {_PER_TOKEN[0]} {per_token} is more than the {experts} experts of a layer")
    intermediate = keys.count(*_EXPERT_WIDTH)
    return Experts(
        experts=experts,
        per_token=per_token,
        intermediate=intermediate,
        shared_intermediate=_shared(keys, intermediate),
        latent=keys.count_or(0, "moe_latent_size", "routed_expert_hidden_size", "moe_hidden_size"),
        matrices=_matrices(keys),
    )


def _shared(keys: Keys, intermediate: int) -> int:
    """Summed width of what runs beside the routed experts."""
    if keys.flag("enable_moe_block"):
        return keys.count("intermediate_size")  # Gemma 4 adds the dense part to the routed one
    if keys.text("model_type").startswith("llama4"):
        return intermediate  # Llama 4 always has one shared expert and no key for it
    count = keys.count_or(0, *_SHARED_COUNT)
    width = keys.count_or(0, *_SHARED_WIDTH)
    # A given width is the sum over the shared experts, save where it repeats one expert's width.
    return max(width, count * intermediate) if width == intermediate else width or count * intermediate


def _matrices(keys: Keys) -> Literal[2, 3]:
    return 2 if keys.text("mlp_hidden_act", "hidden_act", "hidden_activation") in _UNGATED else 3

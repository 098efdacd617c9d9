"""Read the layers of a model whose every layer was searched by itself (`block_configs` of Nemotron-NAS)."""

from knowledge.catalog.config_keys import Keys
from knowledge.catalog.layers import Attention, Dense, FeedForward, Mixer
from knowledge.errors import UserError

_MULTIPLE = 256
"""Inner widths are rounded up to it, as vLLM's own reader of these files does."""


def searched_layers(keys: Keys) -> list[tuple[Mixer | None, FeedForward | None]]:
    """The mixer and feed-forward part of each layer.

    Raises:
        UserError: A block lacks what its layer needs; names the key.
    """
    layers = keys.count("num_hidden_layers")
    blocks = keys.objects("block_configs")
    if len(blocks) != layers:
        raise UserError(f"{keys.where}: block_configs has {len(blocks)} entries for {layers} layers")
    return [_layer(keys, block) for block in blocks]


def _layer(keys: Keys, block: Keys) -> tuple[Mixer | None, FeedForward | None]:
    attention, feed_forward = block.nested("attention"), block.nested("ffn")
    if attention is None or feed_forward is None:
        raise UserError(f"{block.where}: attention or ffn is missing")
    return _attention(keys, attention), _dense(keys, feed_forward)


def _attention(keys: Keys, block: Keys) -> Attention | None:
    if block.flag("replace_with_linear"):
        raise UserError(f"{block.where}: replace_with_linear is not known here")
    if block.flag("no_op"):
        return None
    heads, hidden = keys.count("num_attention_heads"), keys.count("hidden_size")
    width = hidden // heads
    return Attention(heads=heads, kv_heads=heads // block.count("n_heads_in_group"), head_dim=width, value_dim=width)


def _dense(keys: Keys, block: Keys) -> Dense | None:
    if block.flag("no_op"):
        return None
    factor = block.values.get("ffn_mult")
    if not isinstance(factor, int | float) or factor <= 0:
        raise UserError(f"{block.where}: ffn_mult is {factor!r}, a number above 0 is needed")
    width = int(2 * factor * keys.count("hidden_size") / 3)
    return Dense(intermediate=-(-width // _MULTIPLE) * _MULTIPLE)

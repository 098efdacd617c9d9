from typing import Any

import pytest

from knowledge.catalog.config_keys import Keys
from knowledge.catalog.config_nas import searched_layers
from knowledge.catalog.layers import Attention, Dense
from knowledge.errors import UserError

FULL = {"attention": {"n_heads_in_group": 8}, "ffn": {"ffn_mult": 5.25}}


def keys(*blocks: Any) -> Keys:
    values = {"num_hidden_layers": len(blocks), "hidden_size": 8192, "num_attention_heads": 64}
    return Keys(values | {"block_configs": list(blocks)}, "file")


def test_a_block_by_hand() -> None:
    # 64 heads of 8192 / 64; 2 x 5.25 x 8192 / 3 = 28672, a multiple of 256.
    mixer = Attention(heads=64, kv_heads=8, head_dim=128, value_dim=128)
    assert searched_layers(keys(FULL)) == [(mixer, Dense(intermediate=28672))]


def test_the_inner_width_is_rounded_up() -> None:
    # 2 x 0.5 x 8192 / 3 = 2730.67, so 2816.
    (layer,) = searched_layers(keys(FULL | {"ffn": {"ffn_mult": 0.5}}))
    assert layer[1] == Dense(intermediate=2816)


def test_parts_left_out() -> None:
    nothing = {"attention": {"no_op": True}, "ffn": {"no_op": True}}
    assert searched_layers(keys(nothing)) == [(None, None)]


@pytest.mark.parametrize(
    ("block", "message"),
    [
        ({}, "attention or ffn is missing"),
        (FULL | {"ffn": {"ffn_mult": None, "x": 1}}, "ffn_mult is None"),
        (FULL | {"ffn": {"ffn_mult": -1}}, "ffn_mult is -1"),
        (FULL | {"attention": {"replace_with_linear": True}}, "replace_with_linear"),
        (FULL | {"attention": {"n_heads_in_group": None, "x": 1}}, "n_heads_in_group is missing"),
    ],
)
def test_refusals(block: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        searched_layers(keys(block))

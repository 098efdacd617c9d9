import pytest

from knowledge.catalog.config_json import from_config
from knowledge.catalog.layers import Attention, Dense, Layers
from knowledge.catalog.model import Model, Quantisation
from knowledge.catalog.weights import weights
from tests.knowledge.catalog import config_files as files

LAYER = Layers(
    count=1, mixer=Attention(heads=2, kv_heads=1, head_dim=4, value_dim=4), feed_forward=Dense(intermediate=16)
)
TINY = Model("tiny", hidden=8, vocab=10, tied=False, layers=(LAYER,), sources=("by hand",))
# Kept in bf16: embedding 80, head 80, norms 24. Linear: attention 8 x 24 = 192, dense 3 x 8 x 16 = 384.
KEPT_BYTES = 2 * 184


@pytest.mark.parametrize(
    ("quantisation", "linear_bytes"),
    [
        (None, 2 * 576),
        (Quantisation(format="fp8"), 576),
        (Quantisation(format="fp8", group=(4, 4)), 576 + 576 / 16 * 4),
        (Quantisation(format="int4", group=(32,)), 576 / 2 + 576 / 32 * 2),
        (Quantisation(format="mxfp4"), 576 / 2 + 576 / 32),
        (Quantisation(format="nvfp4"), 576 / 2 + 576 / 16),
        (Quantisation(format="fp8", others={"attention": "kept"}), 2 * 192 + 384),
        (Quantisation(format="fp8", others={"attention": "int4"}), 192 / 2 + 384),
    ],
)
def test_bytes_by_hand(quantisation: Quantisation | None, linear_bytes: float) -> None:
    assert weights(TINY, quantisation).total_bytes == KEPT_BYTES + linear_bytes


def test_the_head_is_quantised_only_when_said() -> None:
    said = weights(TINY, Quantisation(format="fp8", others={"head": "fp8"}))
    assert said.total_bytes == KEPT_BYTES - 80 + 576
    assert {t.part: t.stored for t in said.terms}["embedding"] == "bfloat16"


def test_a_dtype_wider_than_bf16() -> None:
    wide = Model("wide", hidden=8, vocab=10, tied=True, layers=(LAYER,), sources=("by hand",), dtype="float32")
    assert weights(wide, None).total_bytes == 4 * (80 + 24 + 576)


@pytest.mark.parametrize(
    ("values", "gb"),
    # The sizes of the published checkpoints: 16.06 GB, 13.76 GB.
    [(files.LLAMA_8B, 16.06), (files.GPT_OSS_20B, 13.76)],
)
def test_published_checkpoints(values: dict[str, object], gb: float) -> None:
    model = from_config(values, "config.json", "a test")
    assert weights(model, model.quantisation).total_bytes / 1e9 == pytest.approx(gb, rel=0.01)

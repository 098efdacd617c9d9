import pytest

from knowledge.catalog.cache import cache_cost
from knowledge.catalog.config_json import from_config
from knowledge.catalog.layers import Attention, CompressedAttention, Indexer, KimiDelta, LatentAttention, Layers, Mamba
from knowledge.catalog.model import Model
from tests.knowledge.catalog import config_files as files


def read(values: dict[str, object]) -> Model:
    return from_config(values, "config.json", "a test")


def tiny(*layers: Layers, state_dtype: str = "") -> Model:
    return Model("tiny", hidden=8, vocab=10, tied=True, layers=layers, sources=("by hand",), state_dtype=state_dtype)


@pytest.mark.parametrize(
    ("values", "per_token_bytes"),
    [
        # 32 layers x 8 heads x (128 + 128) x 2 bytes.
        (files.LLAMA_8B, 131_072),
        # 48 x 4 x 256 x 2.
        (files.QWEN3_30B_A3B_FP8, 98_304),
        # MLA: 61 x (512 + 64) x 2, whatever the heads.
        (files.DEEPSEEK_V3, 70_272),
        # 16 of 64 layers keep a cache: 16 x 4 x 512 x 2.
        (files.QWEN35_27B, 65_536),
        # 12 full layers: 12 x 8 x 128 x 2; the sliding ones stop at 128 tokens.
        (files.GPT_OSS_20B, 24_576),
    ],
)
def test_bytes_per_token_by_hand(values: dict[str, object], per_token_bytes: int) -> None:
    assert cache_cost(read(values)).per_token_bytes == per_token_bytes


def test_fp8_halves_the_cache_but_not_the_state() -> None:
    model = read(files.QWEN35_27B)
    assert cache_cost(model, 1).per_token_bytes * 2 == cache_cost(model).per_token_bytes
    assert cache_cost(model, 1).state_bytes == cache_cost(model).state_bytes


def test_a_sliding_window_stops_growing() -> None:
    cost = cache_cost(read(files.GPT_OSS_20B))
    assert cost.short_context_per_token_bytes == 2 * 24_576
    assert cost.sequence_bytes(100) == 100 * 2 * 24_576
    assert cost.sequence_bytes(128) == 128 * 2 * 24_576
    assert cost.sequence_bytes(1000) == (1000 + 128) * 24_576
    assert cost.sequence_bytes(0) == 0


def test_a_gated_delta_state_by_hand() -> None:
    # 48 layers; 48 heads of 128 x 128 in float32, and three steps of (2 x 16 + 48) x 128 channels in bf16.
    assert cache_cost(read(files.QWEN35_27B)).state_bytes == 48 * (48 * 128 * 128 * 4 + 3 * 10240 * 2)


def test_the_state_follows_the_checkpoints_word() -> None:
    layer = Layers(count=1, mixer=Mamba(heads=2, head_dim=4, state=16, groups=1, conv_width=4))
    conv_bytes = 3 * (8 + 32) * 2
    assert cache_cost(tiny(layer)).state_bytes == 128 * 2 + conv_bytes
    assert cache_cost(tiny(layer, state_dtype="float32")).state_bytes == 128 * 4 + conv_bytes


def test_kimis_state_is_float32() -> None:
    layer = Layers(count=1, mixer=KimiDelta(heads=2, head_dim=4, conv_width=4))
    assert cache_cost(tiny(layer)).state_bytes == 2 * 16 * 4 + 3 * 8 * 3 * 2


def test_a_layer_that_borrows_its_cache_keeps_none() -> None:
    own = Attention(heads=2, kv_heads=1, head_dim=4, value_dim=4)
    borrowed = Attention(heads=2, kv_heads=1, head_dim=4, value_dim=4, shares_cache=True)
    both = tiny(Layers(count=3, mixer=own), Layers(count=5, mixer=borrowed))
    assert cache_cost(both).per_token_bytes == 3 * 8 * 2


def test_an_indexer_caches_one_byte_and_a_scale() -> None:
    indexer = Indexer(heads=64, head_dim=128, top=2048)
    mixer = LatentAttention(
        heads=128, query_rank=1536, kv_rank=512, nope_dim=128, rope_dim=64, value_dim=128, indexer=indexer
    )
    # 576 x 2 bytes and 128 + 4; the second does not depend on the cache's dtype.
    assert cache_cost(tiny(Layers(count=1, mixer=mixer))).per_token_bytes == 1152 + 132
    assert cache_cost(tiny(Layers(count=1, mixer=mixer)), 1).per_token_bytes == 576 + 132


def test_compressed_entries_and_their_window() -> None:
    mixer = CompressedAttention(
        heads=64, head_dim=512, query_rank=1024, output_rank=1024, output_groups=8, window=128, ratio=128
    )
    cost = cache_cost(tiny(Layers(count=2, mixer=mixer)))
    assert cost.per_token_bytes == 2 * 512 * 2 / 128
    assert cost.sequence_bytes(1280) == 2 * (128 * 1024 + 10 * 1024)


def test_formulas_carry_their_numbers() -> None:
    (term,) = cache_cost(read(files.LLAMA_8B)).terms
    assert "32 layers x 8 KV heads x (key 128 + value 128) x 2 bytes" in term.formula

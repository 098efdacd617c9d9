import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from knowledge.catalog.cache import cache_cost
from knowledge.catalog.config_json import from_config, read_config
from knowledge.catalog.layers import (
    Attention,
    CompressedAttention,
    Dense,
    Experts,
    GatedDelta,
    Indexer,
    KimiDelta,
    LatentAttention,
    Layers,
    Mamba,
)
from knowledge.catalog.model import Encoder, Model, Quantisation
from knowledge.catalog.params import parameters
from knowledge.errors import UserError
from tests.knowledge.catalog import config_files as files


def read(values: dict[str, Any]) -> Model:
    return from_config(values, "config.json", "a test")


def test_dense_with_grouped_queries() -> None:
    model = read(files.LLAMA_8B)
    # head_dim is not in the file: 4096 / 32 = 128.
    mixer = Attention(heads=32, kv_heads=8, head_dim=128, value_dim=128)
    assert model.layers == (Layers(count=32, mixer=mixer, feed_forward=Dense(intermediate=14336)),)
    assert (model.hidden, model.vocab, model.tied, model.max_context) == (4096, 128256, False, 131072)
    assert (model.architecture, model.quantisation, model.encoders) == ("LlamaForCausalLM", None, ())


def test_experts_with_fp8_blocks() -> None:
    model = read(files.QWEN3_30B_A3B_FP8)
    assert model.layers[0].feed_forward == Experts(experts=128, per_token=8, intermediate=768)
    assert model.layer_count == 48
    # The names left out are routers and the head, which are never quantised: nothing is kept besides.
    assert model.quantisation == Quantisation(format="fp8", method="fp8", group=(128, 128))


def test_latent_attention_shared_expert_and_mtp() -> None:
    model = read(files.DEEPSEEK_V3)
    dense, sparse = model.layers
    assert (dense.count, sparse.count, model.mtp_layers) == (3, 58, 1)
    assert dense.mixer == LatentAttention(
        heads=128, query_rank=1536, kv_rank=512, nope_dim=128, rope_dim=64, value_dim=128
    )
    assert sparse.feed_forward == Experts(experts=256, per_token=8, intermediate=2048, shared_intermediate=2048)


def test_sparse_latent_attention_has_an_indexer() -> None:
    model = read(files.DEEPSEEK_V3 | {"index_topk": 2048, "index_n_heads": 64, "index_head_dim": 128})
    mixer = model.layers[0].mixer
    assert isinstance(mixer, LatentAttention)
    assert mixer.indexer == Indexer(heads=64, head_dim=128, top=2048)


def test_hybrid_linear_attention_in_a_multimodal_file() -> None:
    model = read(files.QWEN35_27B)
    linear, full = model.layers
    assert (linear.count, full.count) == (48, 16)
    assert linear.mixer == GatedDelta(key_heads=16, value_heads=48, key_dim=128, value_dim=128, conv_width=4)
    assert full.mixer == Attention(heads=24, kv_heads=4, head_dim=256, value_dim=256, gated=True)
    assert model.encoders == (Encoder(kind="vision", layers=27, hidden=1152, intermediate=4304),)
    assert (model.model_type, model.state_dtype, model.mtp_layers) == ("qwen3_5_text", "float32", 1)


def test_sliding_windows_and_mxfp4_experts() -> None:
    model = read(files.GPT_OSS_20B)
    sliding, full = model.layers
    assert (sliding.count, full.count) == (12, 12)
    assert isinstance(sliding.mixer, Attention)
    assert sliding.mixer.window == 128
    assert isinstance(full.mixer, Attention)
    assert full.mixer.window is None
    assert sliding.feed_forward == Experts(experts=32, per_token=4, intermediate=2880)
    kept = Quantisation(format="mxfp4", method="mxfp4", group=(32,), others={"attention": "kept"})
    assert model.quantisation == kept


def test_quantisation_inside_the_text_config() -> None:
    model = read(files.KIMI_K25_TEXT)
    assert model.quantisation is not None
    assert (model.quantisation.format, model.quantisation.group) == ("int4", (32,))
    assert set(model.quantisation.others) == {"attention", "shared experts", "dense"}
    assert model.encoders[0].layers == 27


def test_blocks_that_are_a_mixer_or_a_feed_forward_part() -> None:
    model = read(files.NEMOTRON_H)
    by_kind = {(type(g.mixer).__name__, type(g.feed_forward).__name__): g for g in model.layers}
    mamba = Mamba(heads=16, head_dim=64, state=128, groups=8, conv_width=4)
    assert by_kind["Mamba", "NoneType"] == Layers(count=2, mixer=mamba)
    experts = Experts(experts=32, per_token=4, intermediate=512, shared_intermediate=768, matrices=2)
    assert by_kind["NoneType", "Experts"] == Layers(count=2, feed_forward=experts)
    assert by_kind["NoneType", "Dense"].feed_forward == Dense(intermediate=2048, matrices=2)
    assert by_kind["Attention", "NoneType"].count == 1


def test_blocks_listed_in_words_need_no_number_of_layers() -> None:
    words = ["mamba", "moe", "attention", "moe", "mlp", "mamba"]
    listed = {k: v for k, v in files.NEMOTRON_H.items() if k not in ("hybrid_override_pattern", "num_hidden_layers")}
    assert read(listed | {"layers_block_type": words}).layers == read(files.NEMOTRON_H).layers


def test_kimi_delta_beside_latent_attention() -> None:
    delta, full = read(files.KIMI_LINEAR).layers
    assert (delta.count, delta.mixer) == (3, KimiDelta(heads=32, head_dim=128, conv_width=4))
    assert isinstance(full.mixer, LatentAttention)
    assert full.mixer.query_rank == 0


def test_compressed_attention_cuts_the_mtp_entry_off() -> None:
    model = read(files.DEEPSEEK_V4)
    ratios = [g.mixer.ratio for g in model.layers if isinstance(g.mixer, CompressedAttention)]
    assert ratios == [0, 4, 128]
    assert [bool(g.mixer.indexer) for g in model.layers if isinstance(g.mixer, CompressedAttention)] == [
        False,
        True,
        False,
    ]
    assert model.quantisation is not None
    assert model.quantisation.format == "mxfp4"
    assert model.quantisation.others == {"attention": "fp8", "shared experts": "fp8"}


def test_gemma_global_layers_and_the_part_beside_its_experts() -> None:
    model = read(files.GEMMA4_MOE)
    sliding, full = model.layers
    assert sliding.mixer == Attention(heads=16, kv_heads=8, head_dim=256, value_dim=256, window=1024)
    assert full.mixer == Attention(heads=16, kv_heads=2, head_dim=512, value_dim=512, keys_are_values=True)
    assert sliding.feed_forward == Experts(experts=128, per_token=8, intermediate=704, shared_intermediate=2112)
    assert model.tied
    assert model.notes == ("the vision encoder is not counted: the file lacks its width, depth or inner width",)


def test_layers_that_borrow_their_cache() -> None:
    text = files.GEMMA4_MOE["text_config"] | {
        "enable_moe_block": False,
        "num_kv_shared_layers": 2,
        "use_double_wide_mlp": True,
    }
    shared = [g for g in read({"text_config": text}).layers if isinstance(g.mixer, Attention) and g.mixer.shares_cache]
    assert sum(group.count for group in shared) == 2
    assert {group.feed_forward for group in shared} == {Dense(intermediate=4224)}


def test_window_from_layer_n_on() -> None:
    values = files.LLAMA_8B | {"sliding_window": 4096, "use_sliding_window": True, "max_window_layers": 28}
    assert [group.count for group in read(values).layers] == [28, 4]
    assert [group.count for group in read(values | {"use_sliding_window": False}).layers] == [32]


def test_heads_per_layer() -> None:
    values = files.LLAMA_8B | {"head_dim": 128, "num_attention_heads_per_layer": [32] * 8 + [64] * 24}
    assert [g.mixer.heads for g in read(values).layers if isinstance(g.mixer, Attention)] == [32, 64]


@pytest.mark.parametrize(
    ("architecture", "key"),
    [
        ("dense-gqa", "hidden_size"),
        ("dense-gqa", "num_hidden_layers"),
        ("dense-gqa", "num_attention_heads"),
        ("dense-gqa", "intermediate_size"),
        ("dense-gqa", "vocab_size"),
        ("dense-gqa", "tie_word_embeddings"),
        ("moe-fp8-block", "num_experts_per_tok"),
        ("mla-mtp", "qk_nope_head_dim"),
        ("mla-mtp", "v_head_dim"),
        ("mamba-moe", "ssm_state_size"),
        ("kimi-delta", "linear_attn_config"),
        ("compressed", "o_lora_rank"),
        ("compressed", "sliding_window"),
    ],
)
def test_a_missing_key_is_named(architecture: str, key: str) -> None:
    values = {k: v for k, v in files.ALL[architecture].items() if k != key}
    if key == "linear_attn_config":
        values["layer_types"] = ["linear_attention"] * 4
        key = "linear_head_dim"
    with pytest.raises(UserError, match=key):
        read(values)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"num_hidden_layers": "32"}, "num_hidden_layers is '32'"),
        ({"num_hidden_layers": 0}, "num_hidden_layers is missing or 0"),
        ({"hidden_size": -1}, "hidden_size is -1"),
        ({"hidden_size": 4096.5}, "hidden_size is 4096.5"),
        ({"hidden_size": True}, "hidden_size is True"),
        ({"vocab_size": 10**12}, "vocab_size"),
        ({"num_key_value_heads": 5}, "no multiple"),
        ({"num_attention_heads": 33, "num_key_value_heads": 33}, "head_dim is missing"),
        ({"layer_types": ["full_attention"] * 3}, "3 layer kinds are listed for 32 layers"),
        ({"layer_types": ["warp"] * 32}, "'warp'"),
        ({"layer_types": "full"}, "a list is needed"),
        ({"num_kv_shared_layers": 33}, "num_kv_shared_layers"),
        (
            {"num_experts": 4, "num_experts_per_tok": 8, "moe_intermediate_size": 64},
            "more than the 4 experts",
        ),
        ({"quantization_config": {"quant_method": "rot13"}}, "bits"),
        ({"quantization_config": {"quant_algo": "FP3"}}, "'FP3' is not known"),
        ({"quantization_config": {"quant_algo": "MIXED_PRECISION"}}, "quantized_layers is missing"),
        ({"block_configs": [{}]}, "1 entries for 32 layers"),
    ],
)
def test_an_absurd_value_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        read(files.LLAMA_8B | change)


def test_a_folder_with_a_config_and_a_modelopt_file(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps(files.LLAMA_8B))
    quantised = {"quantization": {"quant_algo": "FP8", "kv_cache_quant_algo": "FP8", "exclude_modules": ["lm_head"]}}
    (tmp_path / "hf_quant_config.json").write_text(json.dumps(quantised))
    model = read_config(tmp_path)
    assert model.id == str(tmp_path / "config.json")
    assert model.quantisation == Quantisation(format="fp8", method="modelopt", kv_cache="fp8")
    assert model == read_config(tmp_path / "config.json")


@pytest.mark.parametrize(
    ("text", "message"),
    [("{", "is not JSON"), ("[]", "no JSON object"), ("{}", "is missing"), ("\xff", "is not JSON")],
)
def test_a_file_that_is_no_config(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "config.json").write_text(text, "latin-1")
    with pytest.raises(UserError, match=message):
        read_config(tmp_path / "config.json")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read"):
        read_config(tmp_path / "config.json")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 10**10) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(sorted(files.ALL)), st.data())
def test_damaged_files_are_read_or_refused(architecture: str, data: st.DataObject) -> None:
    values = copy.deepcopy(files.ALL[architecture])
    for holder in (values, values.get("text_config", {}), values.get("quantization_config", {})):
        for key in data.draw(st.lists(st.sampled_from(sorted(holder)), max_size=3)) if holder else ():
            holder[key] = data.draw(JSON)
    try:
        model = read(values)
    except UserError as exc:
        assert "config.json" in str(exc)  # noqa: PT017
    else:
        assert parameters(model).total > 0
        assert cache_cost(model).per_token_bytes >= 0

from typing import Any

import pytest

from knowledge.catalog.config_keys import Keys
from knowledge.catalog.config_quantisation import quantisation
from knowledge.catalog.layers import Attention, Dense, Experts, Layers
from knowledge.catalog.model import Quantisation
from knowledge.errors import UserError

MIXER = Attention(heads=2, kv_heads=1, head_dim=4, value_dim=4)
EXPERTS = Experts(experts=4, per_token=2, intermediate=16, shared_intermediate=16)
LAYERS = (
    Layers(count=1, mixer=MIXER, feed_forward=Dense(intermediate=16)),
    Layers(count=3, mixer=MIXER, feed_forward=EXPERTS),
)


def read(config: dict[str, Any], **text: Any) -> Quantisation | None:
    return quantisation(Keys({"quantization_config": config}, "file"), Keys(text, "file"), LAYERS)


def compressed(**weights: Any) -> dict[str, Any]:
    return {"quant_method": "compressed-tensors", "config_groups": {"group_0": {"weights": weights}}}


@pytest.mark.parametrize(
    ("config", "format_", "group"),
    [
        ({"quant_method": "fp8", "weight_block_size": [128, 128]}, "fp8", (128, 128)),
        ({"quant_method": "fp8"}, "fp8", ()),
        ({"quant_method": "awq", "bits": 4, "group_size": 128}, "int4", (128,)),
        ({"quant_method": "gptq", "bits": 8, "group_size": 128}, "int8", (128,)),
        ({"quant_method": "modelopt", "quant_algo": "FP8"}, "fp8", ()),
        ({"quant_algo": "NVFP4", "group_size": 16}, "nvfp4", (16,)),
        ({"quantization": {"quant_algo": "NVFP4"}}, "nvfp4", (16,)),
        ({"quant_method": "mxfp4"}, "mxfp4", (32,)),
        (compressed(type="float", num_bits=8, strategy="channel"), "fp8", ()),
        (compressed(type="float", num_bits=8, block_structure=[128, 128]), "fp8", (128, 128)),
        (compressed(type="float", num_bits=4, group_size=16), "nvfp4", (16,)),
        (compressed(type="float", num_bits=4, group_size=32), "mxfp4", (32,)),
        (compressed(type="int", num_bits=4, group_size=32), "int4", (32,)),
        (compressed(type="int", num_bits=8), "int8", ()),
    ],
)
def test_formats(config: dict[str, Any], format_: str, group: tuple[int, ...]) -> None:
    found = read(config)
    assert found
    assert (found.format, found.group) == (format_, group)


def test_no_key_is_no_quantisation() -> None:
    assert quantisation(Keys({}, "file"), Keys({}, "file"), LAYERS) is None


@pytest.mark.parametrize(
    ("names", "kept"),
    [
        (["lm_head"], set()),
        (["model.layers.0.self_attn.q_proj"], set()),
        ([f"model.layers.{n}.self_attn.q_proj" for n in range(2)], {"attention"}),
        (["re:.*self_attn.*"], {"attention"}),
        (["model.layers.0.mlp.gate_proj"], {"dense"}),
        (["re:.*lm_head", "re:.*mlp\\.gate$", "re:.*mlp.gate[.].*"], set()),
        (["re:.*mlp.gate$", "model.layers.1.mlp.gate", "model.norm", "re:.*router.*"], set()),
        (["re:.*shared_experts.*", "visual.blocks.0.attn.qkv"], {"shared experts"}),
    ],
)
@pytest.mark.parametrize("key", ["modules_to_not_convert", "ignore", "exclude_modules"])
def test_parts_left_out(key: str, names: list[str], kept: set[str]) -> None:
    found = read({"quant_method": "fp8", key: names})
    assert found
    assert found.others == dict.fromkeys(kept, "kept")


@pytest.mark.parametrize(
    ("config", "kv_cache"),
    [
        ({"quant_method": "fp8"}, ""),
        ({"quant_algo": "FP8", "kv_cache_quant_algo": "FP8"}, "fp8"),
        ({"quant_method": "fp8", "kv_cache_scheme": {"type": "float", "num_bits": 8}}, "fp8"),
    ],
)
def test_the_cache_format(config: dict[str, Any], kv_cache: str) -> None:
    found = read(config)
    assert found
    assert found.kv_cache == kv_cache


def test_mixed_precision_is_read_from_its_list() -> None:
    listed = {f"model.layers.{n}.mlp.experts.0.up_proj": {"quant_algo": "NVFP4"} for n in range(1, 4)}
    listed |= {"model.layers.0.self_attn.q_proj": {"quant_algo": "FP8"}, "lm_head": {"quant_algo": "FP8"}}
    found = read({"quant_algo": "MIXED_PRECISION", "quantized_layers": listed})
    assert found
    assert found.format == "nvfp4"
    assert found.others == {"attention": "fp8", "dense": "kept", "shared experts": "kept", "head": "fp8"}


def test_fp4_experts_beside_fp8() -> None:
    found = read({"quant_method": "fp8", "weight_block_size": [128, 128]}, expert_dtype="fp4")
    assert found
    assert (found.format, found.group) == ("mxfp4", (32,))
    assert found.others == {"attention": "fp8", "dense": "fp8", "shared experts": "fp8"}


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"quant_method": "rot13", "bits": 3}, "'rot13' is not known"),
        ({"quant_method": "awq"}, "bits or w_bit is missing"),
        ({"quant_algo": "FP3"}, "'FP3' is not known"),
        (compressed(type="float", num_bits=6), "'compressed-tensors' is not known"),
        (compressed(type="float"), "num_bits is missing"),
        ({"quant_algo": "MIXED_PRECISION"}, "quantized_layers is missing"),
        ({"quant_algo": "MIXED_PRECISION", "quantized_layers": {"lm_head": {"quant_algo": "FP8"}}}, "names no format"),
    ],
)
def test_refusals(config: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        read(config)

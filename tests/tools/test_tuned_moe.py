"""The tuned file that the Triton expert kernels look for."""

import pytest

from knowledge.catalog.found import FoundGpu, FoundModel
from knowledge.catalog.gpu_names import find_gpu
from knowledge.catalog.model_names import find_model
from knowledge.surface.surface import Surface
from tools.tuned_moe import TunedMoe, tuned_moe

RELEASE = Surface.load().at("0.33.0")


def looked_for(model: str, gpu: str, *, shards: int = 1, expert_ranks: int = 1) -> TunedMoe | None:
    found, device = find_model(model), find_gpu(gpu)
    assert isinstance(found, FoundModel)
    assert isinstance(device, FoundGpu)
    return tuned_moe(found, device.gpu, RELEASE, shards=shards, expert_ranks=expert_ranks)


def test_tensor_parallelism_splits_each_expert() -> None:
    # Qwen3-235B: 128 experts, 1536 wide; 1536 / 8 = 192
    wanted = looked_for("Qwen/Qwen3-235B-A22B", "H200", shards=8)
    assert wanted
    assert "E=128,N=192,device_name=NVIDIA_H200" in wanted.names
    assert [step.value for step in wanted.steps] == [128, 192]


def test_expert_parallelism_spreads_whole_experts() -> None:
    # 128 experts / 8 = 16 per rank
    wanted = looked_for("Qwen/Qwen3-235B-A22B", "H200", expert_ranks=8)
    assert wanted
    assert "E=16,N=1536,device_name=NVIDIA_H200" in wanted.names


def test_block_fp8_names_its_blocks() -> None:
    wanted = looked_for("deepseek-ai/DeepSeek-R1", "H200", shards=8)
    assert wanted
    assert "E=256,N=256,device_name=NVIDIA_H200,dtype=fp8_w8a8,block_shape=[128,128]" in wanted.names
    assert wanted.ships


@pytest.mark.parametrize(
    ("model", "shards", "expert_ranks"),
    [
        ("meta-llama/Llama-3.1-8B-Instruct", 1, 1),  # dense
        ("openai/gpt-oss-120b", 8, 1),  # mxfp4 runs on other kernels
        ("Qwen/Qwen3-235B-A22B", 7, 1),  # 1536 / 7 is no size
        ("Qwen/Qwen3-235B-A22B", 1, 3),  # 128 / 3 is no share
    ],
)
def test_what_cannot_be_told_is_not_guessed(model: str, shards: int, expert_ranks: int) -> None:
    assert looked_for(model, "H200", shards=shards, expert_ranks=expert_ranks) is None

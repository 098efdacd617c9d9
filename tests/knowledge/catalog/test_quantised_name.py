import pytest

from knowledge.catalog.model import Format
from knowledge.catalog.quantised_name import strip_quantisation


@pytest.mark.parametrize(
    ("name", "base", "format_"),
    [
        ("Qwen/Qwen3-32B-FP8", "Qwen/Qwen3-32B", "fp8"),
        ("RedHatAI/Qwen3-32B-FP8-dynamic", "RedHatAI/Qwen3-32B", "fp8"),
        ("nvidia/DeepSeek-R1-FP4", "nvidia/DeepSeek-R1", "nvfp4"),
        ("nvidia/DeepSeek-R1-0528-NVFP4-v2", "nvidia/DeepSeek-R1-0528", "nvfp4"),
        ("Qwen/Qwen3-32B-AWQ", "Qwen/Qwen3-32B", "int4"),
        ("Qwen2.5-7B-Instruct-GPTQ-Int4", "Qwen2.5-7B-Instruct", "int4"),
        ("Llama-3.1-8B-Instruct-quantized.w8a8", "Llama-3.1-8B-Instruct", "int8"),
        ("amd/Llama-3.3-70B-Instruct-MXFP4", "amd/Llama-3.3-70B-Instruct", "mxfp4"),
        ("nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16", "nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B", None),
    ],
)
def test_the_shortest_base_comes_first(name: str, base: str, format_: Format | None) -> None:
    first = strip_quantisation(name)[0]
    assert first.base == base
    assert (first.quantisation.format if first.quantisation else None) == format_


@pytest.mark.parametrize("name", ["Qwen/Qwen3-32B", "fp8", "", "some/Model-FP4", "Model-v2", "Model-dynamic"])
def test_a_name_that_says_no_format(name: str) -> None:
    assert strip_quantisation(name) == []


def test_fp8_blocks_have_their_usual_edge() -> None:
    stripped = strip_quantisation("RedHatAI/Qwen3-8B-FP8-BLOCK")[0].quantisation
    assert stripped
    assert (stripped.format, stripped.group) == ("fp8", (128, 128))


def test_every_base_is_offered() -> None:
    assert [s.base for s in strip_quantisation("A-v2-FP8-dynamic")] == ["A", "A-v2"]

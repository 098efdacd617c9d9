"""Which release a launch is for."""

import pytest

from knowledge.versions import newest
from tools.flags.launch import Launch
from tools.flags.target import of_image, target


@pytest.mark.parametrize(
    ("image", "release", "exact"),
    [
        ("vllm/vllm-openai:v0.27.1", "0.27.1", True),
        ("vllm/vllm-openai:v0.19.0-cu130", "0.19.0", True),
        ("registry.local:5000/vllm/vllm-openai:v0.28.0", "0.28.0", True),
        ("rocm/7.0:rocm7.0_ubuntu_22.04_vllm_0.10.1_instinct_rc1", "0.10.1", True),
        ("vllm/vllm-openai:nightly-0123abcd", newest(), False),
        ("vllm/vllm-openai:model-perf-x86_64-13.0.1-8b00f41", newest(), False),
        ("vllm/vllm-openai@sha256:0123", newest(), False),
        ("vllm/vllm-openai:latest", newest(), False),
    ],
)
def test_an_image_names_its_release(image: str, release: str, exact: bool) -> None:
    known = of_image(image)
    assert (known.release, known.exact) == (release, exact)
    assert image in known.basis


def test_what_a_person_says_wins_over_the_image() -> None:
    launch = Launch(words=(), image="vllm/vllm-openai:v0.27.1")
    assert target(launch)[0].release == "0.27.1"
    assert target(launch, image="vllm/vllm-openai:v0.28.0")[0].release == "0.28.0"
    assert target(launch, "0.20.0", "vllm/vllm-openai:v0.28.0")[0].release == "0.20.0"


@pytest.mark.parametrize(
    ("version", "image", "fork"),
    [
        (None, "vllm/vllm-openai:v0.27.1", ""),
        (None, "vllm/vllm-openai-rocm:v0.27.1", ""),
        (None, "acme/llm:1", "the image acme/llm:1"),
        ("0.13.0rc1 (vllm-ascend)", "", "vllm-ascend"),
        ("fork build (banner 0.11.2)", "", "fork build"),
        ("0.33.0", "", ""),
    ],
)
def test_a_build_of_others_is_told(version: str | None, image: str, fork: str) -> None:
    assert target(Launch(words=(), image=image), version)[1] == fork

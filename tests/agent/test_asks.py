"""What questions ask about names, upgrades and launches."""

import pytest

from agent.asks import asked_names, asked_upgrade, holds_launch, is_about_a_name, launch_words
from knowledge.versions import newest


@pytest.mark.parametrize(
    ("question", "releases"),
    [
        ("what does upgrading from 0.22 break for us", ("0.22.0", newest())),
        ("what changed between 0.25 and v0.33", ("0.25.0", "0.33.0")),
        ("0.25.1 -> 0.33.0 breaking changes?", ("0.25.1", "0.33.0")),
        ("what's new in 0.33", ("0.32.0", "0.33.0")),
        ("we moved from 0.27 back to 0.25.1, what differs", ("0.25.1", "0.27.0")),
        ("is it safe to upgrade from 0.30.0", ("0.30.0", newest())),
    ],
)
def test_an_upgrade_is_two_releases(question: str, releases: tuple[str, str]) -> None:
    assert asked_upgrade(question) == releases


def test_the_running_version_may_be_told_earlier() -> None:
    assert asked_upgrade("what breaks when we upgrade to 0.33", "0.28.0") == ("0.28.0", "0.33.0")
    assert asked_upgrade("what breaks when we upgrade to 0.33") is None


@pytest.mark.parametrize(
    "question",
    [
        "raise gpu-memory-utilization from 0.90 to 0.95",
        "TTFT went from 0.30 to 0.31 s",
        "why is ITL spiking on 0.31",
        "upgrade advice",
        "what changed between 0.25 and 0.25",
    ],
)
def test_other_numbers_are_no_upgrade(question: str) -> None:
    assert asked_upgrade(question) is None


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("does --swap-space still exist", ("--swap-space",)),
        ("is max_num_partial_prefills gone", ("max_num_partial_prefills",)),
        ("is VLLM_USE_V1 still needed, and vllm:gpu_cache_usage_perc", ("VLLM_USE_V1", "vllm:gpu_cache_usage_perc")),
        ("is my_own_thing gone", ()),
    ],
)
def test_names_are_found_with_and_without_dashes(question: str, names: tuple[str, ...]) -> None:
    assert asked_names(question) == names
    assert is_about_a_name(question)


def test_a_launch_is_known_by_its_command() -> None:
    assert holds_launch("docker run vllm/vllm-openai:v0.27.1 --model m")
    assert not holds_launch("why does vllm serve badly"[:12])
    assert launch_words("will this start: vllm serve m --port 1?") == ["vllm serve m --port 1"]
    assert launch_words("why is ITL spiking") == []

"""Where names stand."""

import pytest

from tools.flags.standing import NAMES_AT_MOST, standings


@pytest.mark.parametrize(
    ("name", "release", "has", "says"),
    [
        ("--swap-space", "0.33.0", False, "0.17.1 was the last release with it"),
        ("swap_space", "0.17.1", True, "has the flag `--swap-space`"),
        ("--gpu-memory-utilization", "0.33.0", True, "default is `0.92`"),
        ("--gpu-memory-utilization", "0.19.1", True, "default is `0.9`"),
        ("--max-num-active-seqs", "0.30.0", False, "came with 0.31.0"),
        ("vllm:gpu_cache_usage_perc", "0.12.0", False, "`vllm:kv_cache_usage_perc`"),
        ("VLLM_ATTENTION_BACKEND", "0.29.0", False, "--attention-backend"),
        ("--disable-log-requests", "0.20.0", False, "accepted again from 0.33.0"),
        ("--max-num-seqq", "0.33.0", False, "nearest name is `--max-num-seqs`"),
    ],
)
def test_a_name_has_its_verdict(name: str, release: str, has: bool, says: str) -> None:
    (one,) = standings([name], release).names
    assert one.has is has
    assert says in one.verdict


def test_every_sentence_is_a_step() -> None:
    result = standings(["--gpu-memory-utilization", "--swap-space"], "0.33.0")
    values = {step.name: step.value for step in result.steps}
    for number, one in enumerate(result.names):
        assert values[f"standing.{number}"] == one.verdict
        assert [values[f"standing.{number}.{at}"] for at in range(len(one.events))] == list(one.events)


def test_a_name_is_looked_up_once_and_not_too_many() -> None:
    assert len(standings(["--port"] * 3, "0.33.0").names) == 1
    assert len(standings([f"--x{n}" for n in range(50)], "0.33.0").names) == NAMES_AT_MOST

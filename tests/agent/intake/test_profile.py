"""What a message tells of a deployment, and what it does not."""

import pytest

from agent.intake.profile import Profile, read_profile


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("vLLM 0.27.0 is slow", "0.27.0"),
        ("vllm==0.8.5.post1", "0.8.5.post1"),
        ("image: vllm/vllm-openai:v0.31.0", "0.31.0"),
        ("vLLM API server version 0.25.1", "0.25.1"),
        ("Initializing a V1 LLM engine (v0.25.1) with config", "0.25.1"),
        ("no, it is 0.31 on B200", "0.31"),
        ("upgrade from 0.22 to 0.33", "0.33"),
        ("vllm 0.28.0rc1", "0.28.0rc1"),
        ("gpu memory utilization is 0.95", ""),
        ("gpu_memory_utilization to 0.30", ""),
        ("TTFT went up to 0.5 s", ""),
        ("watermark is 0.10", ""),
        ("why is ITL spiking", ""),
    ],
)
def test_version(text: str, version: str) -> None:
    assert read_profile(text).version == version


@pytest.mark.parametrize(
    ("text", "gpus"),
    [
        ("on 8xH200", "8x H200"),
        ("on 8×H200 nodes", "8x H200"),
        ("2 x A100 80GB", "2x A100"),
        ("an H100 80GB", "H100"),
        ("MI300X", "MI300X"),
        ("no accelerator named", ""),
    ],
)
def test_gpus(text: str, gpus: str) -> None:
    assert read_profile(text).gpus == gpus


@pytest.mark.parametrize(
    ("text", "model"),
    [
        ("serving deepseek-ai/DeepSeek-V3 badly", "deepseek-ai/DeepSeek-V3"),
        ("Qwen3-235B-A22B is slow", "Qwen3-235B-A22B"),
        ("see vllm-project/vllm#54919", ""),
        ("2000 tok/s", ""),
    ],
)
def test_model(text: str, model: str) -> None:
    assert read_profile(text).model == model


def test_a_launch_command_is_read_whole_and_prose_with_care() -> None:
    command = read_profile("vllm serve m --max-num-seqs 64 --enable-prefix-caching --dtype=bfloat16")
    assert command.flags == {"--max-num-seqs": "64", "--enable-prefix-caching": "", "--dtype": "bfloat16"}
    assert read_profile("does --swap-space still exist").flags == {"--swap-space": ""}
    assert read_profile("we set --max_num_seqs 64.").flags == {"--max-num-seqs": "64"}


def test_variables_slos_and_endpoints() -> None:
    told = read_profile("VLLM_USE_V1=1 at http://10.0.0.7:8000/metrics, p95 TTFT < 500 ms")
    assert told.env == {"VLLM_USE_V1": "1"}
    assert told.endpoints == ("http://10.0.0.7:8000",)
    assert told.slos == ("p95 TTFT < 500 ms",)


def test_what_a_person_writes_wins_over_what_they_paste() -> None:
    assert read_profile("we run vllm 0.31.0", "vLLM API server version 0.25.1").version == "0.31.0"


def test_a_later_message_wins_and_keeps_the_rest() -> None:
    before = Profile(version="0.27.0", gpus="8x H200", flags={"--max-num-seqs": "64"})
    after = before.updated(Profile(version="0.31.0", flags={"--dtype": "bfloat16"}))
    assert (after.version, after.gpus) == ("0.31.0", "8x H200")
    assert after.flags == {"--max-num-seqs": "64", "--dtype": "bfloat16"}

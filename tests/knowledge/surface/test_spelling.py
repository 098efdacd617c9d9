"""Spellings: every way to write a name comes to the name that vLLM has."""

import pytest

from knowledge.surface.spelling import Asked, family_of, readings

FAMILIES = {
    "vllm:prompt_tokens": frozenset({"counter"}),
    "vllm:iteration_tokens_total": frozenset({"histogram"}),
    "vllm:num_requests_running": frozenset({"gauge"}),
}


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("--swap-space", Asked("flags", "--swap-space")),
        ("--swap_space", Asked("flags", "--swap-space")),
        ("swap_space", Asked("flags", "--swap-space")),
        ("swap-space", Asked("flags", "--swap-space")),
        ("--no-enable-prefix-caching", Asked("flags", "--no-enable-prefix-caching")),
        ("--max-model-len=8k", Asked("flags", "--max-model-len")),
        ("`--max-model-len 8k`", Asked("flags", "--max-model-len")),
        ("-tp", Asked("flags", "-tp")),
        ("-O3", Asked("flags", "-O")),
        ("-O=3", Asked("flags", "-O")),
        ("-O", Asked("flags", "-O")),
        ("-cc.mode=3", Asked("flags", "-cc", ("mode",))),
        (
            "--compilation_config.pass_config.fuse_x",
            Asked("flags", "--compilation-config", ("pass_config", "fuse_x")),
        ),
        ("--json-arg.key4+", Asked("flags", "--json-arg", ("key4",))),
        ("CompilationConfig.mode", Asked("config_keys", "CompilationConfig", ("mode",))),
        ("VLLM_USE_V1", Asked("env", "VLLM_USE_V1")),
        ("VLLM_USE_V1=1", Asked("env", "VLLM_USE_V1")),
        ('vllm:x_total{engine="0"}', Asked("metrics", "vllm:x_total")),
    ],
)
def test_the_likeliest_reading(typed: str, first: Asked) -> None:
    assert readings(typed)[0] == first


def test_a_bare_word_may_also_be_a_metric() -> None:
    assert Asked("metrics", "vllm:kv_cache_usage_perc") in readings("kv_cache_usage_perc")


@pytest.mark.parametrize(
    ("sample", "family"),
    [
        ("vllm:prompt_tokens", "vllm:prompt_tokens"),
        ("vllm:prompt_tokens_total", "vllm:prompt_tokens"),
        ("vllm:iteration_tokens_total", "vllm:iteration_tokens_total"),
        ("vllm:iteration_tokens_total_bucket", "vllm:iteration_tokens_total"),
        ("vllm:iteration_tokens_total_count", "vllm:iteration_tokens_total"),
        ("vllm:num_requests_running", "vllm:num_requests_running"),
        ("vllm:num_requests_running_total", None),
        ("vllm:prompt_tokens_bucket", None),
        ("vllm:nothing", None),
    ],
)
def test_the_family_of_a_sample(sample: str, family: str | None) -> None:
    assert family_of(sample, FAMILIES) == family

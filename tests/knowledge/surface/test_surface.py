"""The surface: what exists in which release, under whatever spelling."""

import pytest

from knowledge.errors import UserError
from knowledge.surface.existence import Existence, Exists, Gone, NotYet, Unknown
from knowledge.surface.surface import Surface
from knowledge.versions import newest, releases

SURFACE = Surface.load()


@pytest.mark.parametrize(
    ("spelling", "release", "answer"),
    [
        # The last release that has it, and the first without.
        ("--swap-space", "0.17.1", Exists()),
        ("--swap-space", "0.18.0", Gone("0.17.1")),
        ("swap_space", "0.33.0", Gone("0.17.1")),
        ("--num-lookahead-slots", "0.11.2", Exists()),
        ("--num-lookahead-slots", "0.12.0", Gone("0.11.2")),
        ("--cuda-graph-sizes", "0.8.5.post1", NotYet("0.9.0")),
        ("--cuda-graph-sizes", "0.13.0", Gone("0.12.0")),
        ("--task", "0.13.0", Gone("0.12.0")),
        # Gone in between, back as the opposite of another flag.
        ("--disable-log-requests", "0.16.0", Exists()),
        ("--disable-log-requests", "0.20.0", Gone("0.16.0", back="0.33.0")),
        ("--disable-log-requests", "0.33.0", Exists()),
        # Negations, short names and aliases.
        ("--no-enable-prefix-caching", "0.33.0", Exists()),
        ("--disable-prefix-caching", "0.32.0", NotYet("0.33.0")),
        ("--disable-prefix-caching", "0.33.0", Exists()),
        ("-tp", "0.33.0", Exists()),
        ("-cc", "0.11.2", NotYet("0.12.0")),
        ("--device-memory-utilization", "0.30.0", NotYet("0.31.0")),
        ("--help", "0.33.0", Exists()),
        # -O was short for --compilation-config and then for --optimization-level.
        ("-O3", "0.11.2", Exists()),
        ("-O3", "0.33.0", Exists()),
        ("--optimization-level", "0.11.2", NotYet("0.12.0")),
        # Keys behind a flag.
        ("--compilation-config.cudagraph_mode", "0.33.0", Exists()),
        ("-cc.mode=3", "0.33.0", Exists()),
        ("--compilation-config.pass_config.fuse_norm_quant", "0.33.0", Exists()),
        ("--compilation-config.pass_config.nothing", "0.33.0", Unknown()),
        ("--compilation-config.level", "0.33.0", Gone("0.17.1")),
        ("CompilationConfig.mode", "0.11.0", NotYet("0.11.1")),
        ("--speculative-config.num_speculative_tokens", "0.9.0", Exists()),
        ("--hf-overrides.rope_theta", "0.33.0", Exists()),
        ("--kv-transfer-config.kv_connector_extra_config.any_key", "0.33.0", Exists()),
        ("--max-model-len.x", "0.33.0", Unknown()),
        # Environment variables and metrics.
        ("VLLM_ATTENTION_BACKEND", "0.14.1", Exists()),
        ("VLLM_ATTENTION_BACKEND", "0.15.0", Gone("0.14.1")),
        ("VLLM_SNAPSHOT_TIMEOUT_S", "0.33.0", Exists()),
        ("VLLM_NOTHING", "0.33.0", Unknown()),
        ("vllm:gpu_cache_usage_perc", "0.11.2", Exists()),
        ("gpu_cache_usage_perc", "0.12.0", Gone("0.11.2")),
        ("vllm:kv_cache_usage_perc", "0.9.1", NotYet("0.9.2")),
        ("vllm:prompt_tokens_total", "0.33.0", Exists()),
        ("vllm:time_to_first_token_seconds_bucket", "0.33.0", Exists()),
        ("vllm:time_to_first_token_seconds_total", "0.33.0", Unknown()),
        ("--invented", "0.33.0", Unknown()),
    ],
)
def test_existence(spelling: str, release: str, answer: Existence) -> None:
    assert SURFACE.exists(spelling, release) == answer


@pytest.mark.parametrize(
    ("spelling", "command", "answer"),
    [
        ("--num-prompts", "", Exists()),
        ("--num-prompts", "bench serve", Exists()),
        ("--num-prompts", "serve", Unknown()),
        ("--num-prompts", "bench latency", Unknown()),
        ("--tensor-parallel-size", "bench latency", Exists()),
        ("--tensor-parallel-size", "bench serve", Unknown()),
        ("--uvicorn-log-level", "bench latency", Unknown()),
    ],
)
def test_a_command_narrows_the_flags(spelling: str, command: str, answer: Existence) -> None:
    assert SURFACE.exists(spelling, "0.33.0", command) == answer


def test_an_unknown_release_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UserError, match=r"0\.1\.0 is not known here; known are 0\.8\.5\.post1 to"):
        SURFACE.exists("--swap-space", "0.1.0")


@pytest.mark.parametrize("release", releases())
def test_every_release_has_flags_variables_and_metrics(release: str) -> None:
    at = SURFACE.at(release)
    assert len(at.flags) >= 137
    assert len(at.env) >= 109
    assert len(at.metrics) >= 30
    assert len(at.moe_configs) >= 154
    assert {"serve", "latency", "throughput"} <= at.bench.keys()


def test_every_spelling_of_a_release_is_of_one_flag_only() -> None:
    flags = SURFACE.at(newest()).flags.values()
    spellings = [spelling for facts in flags for spelling in facts.all_spellings]
    assert len(spellings) == len(set(spellings))


def test_batch_defaults_by_device() -> None:
    rows = SURFACE.at("0.33.0").device_defaults["batch.max_num_batched_tokens"].rows
    assert rows[0] == {
        "step": 0,
        "when": {"memory_gib_from": 160},
        "value": {"LLM_CLASS": 16384, "OPENAI_API_SERVER": 16384},
    }
    assert rows[1]["when"] == {"memory_gib_from": 70, "device_without": "a100", "not": "gb10"}
    assert rows[2]["when"] == {}
    assert rows[2]["value"]["OPENAI_API_SERVER"] == 2048


def test_capture_sizes_and_levels() -> None:
    at = SURFACE.at("0.33.0")
    capture = at.device_defaults["cudagraph.capture_sizes"]
    assert capture.ceiling == {"capability_family_100": 1024, "otherwise": 512}
    assert (capture.small, capture.strides) == ((1, 2, 4), ((8, 8), (256, 16)))
    assert at.levels["O2.compilation_config.cudagraph_mode"]["enum"] == "CUDAGraphMode.FULL_AND_PIECEWISE"

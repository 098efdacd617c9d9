"""History: when things came, changed, were deprecated, went, and what replaced them."""

import pytest

from knowledge.surface.history import describe, history
from knowledge.surface.surface import Surface

SURFACE = Surface.load()


def told(spelling: str) -> list[tuple[str, str, str]]:
    life = history(SURFACE, spelling)
    assert life is not None
    return [(event.release, event.what, event.attribute) for event in life.events]


def test_swap_space_went_with_no_replacement() -> None:
    assert told("--swap-space") == [("0.8.5.post1", "came", ""), ("0.18.0", "went", "")]
    life = history(SURFACE, "--swap-space")
    assert life is not None
    assert life.events[-1].place.release == "0.17.1"
    assert [rename.new for rename in life.replaced_by] == [()]


def test_num_lookahead_slots_went() -> None:
    assert told("num_lookahead_slots") == [("0.8.5.post1", "came", ""), ("0.12.0", "went", "")]


def test_cuda_graph_sizes_was_deprecated_and_renamed() -> None:
    life = history(SURFACE, "--cuda-graph-sizes")
    assert life is not None
    assert told("--cuda-graph-sizes") == [
        ("0.9.0", "came", ""),
        ("0.10.0", "changed", "default"),
        ("0.11.1", "changed", "default"),
        ("0.11.1", "deprecated", ""),
        ("0.13.0", "went", ""),
    ]
    assert life.events[1].before == [512]
    assert life.events[3].after == {"removal": "0.13.0", "mentions": ["--cudagraph-capture-sizes"]}
    assert life.replaced_by[0].new == ("--cudagraph-capture-sizes",)


def test_a_metric_was_hidden_before_it_went() -> None:
    life = history(SURFACE, "gpu_cache_usage_perc")
    assert life is not None
    assert [(e.release, e.what) for e in life.events][-2:] == [("0.11.1", "changed"), ("0.12.0", "went")]
    assert life.replaced_by[0].new == ("vllm:kv_cache_usage_perc",)


def test_a_flag_that_came_back_as_an_opposite() -> None:
    assert told("--disable-log-requests")[-2:] == [
        ("0.17.0", "went", ""),
        ("0.33.0", "came back", "opposite of --enable-log-requests"),
    ]


def test_a_short_name_that_changed_its_meaning() -> None:
    life = history(SURFACE, "-O3")
    assert life is not None
    last = life.events[-1]
    assert (last.release, last.before, last.after) == (
        "0.12.0",
        "--compilation-config",
        "--optimization-level",
    )


def test_a_default_that_changed() -> None:
    life = history(SURFACE, "--gpu-memory-utilization")
    assert life is not None
    change = next(event for event in life.events if event.attribute == "default")
    assert (change.release, change.before, change.after) == ("0.20.0", 0.9, 0.92)
    assert change.place.url() == ("https://github.com/vllm-project/vllm/blob/v0.20.0/vllm/config/cache.py#L66")


def test_what_a_flag_replaces_is_told_from_its_side_too() -> None:
    life = history(SURFACE, "--attention-backend")
    assert life is not None
    assert [rename.old for rename in life.replaces] == [("VLLM_ATTENTION_BACKEND",)]


def test_an_invented_name_has_no_history() -> None:
    assert history(SURFACE, "--invented") is None


@pytest.mark.parametrize("spelling", ["--swap-space", "VLLM_USE_V1", "vllm:num_requests_running", "-cc.mode"])
def test_every_line_but_the_first_names_its_place(spelling: str) -> None:
    life = history(SURFACE, spelling)
    assert life is not None
    first, *rest = describe(life)
    assert first.startswith(life.subject.name)
    assert all(" @ " in line and line.endswith("]") for line in rest)

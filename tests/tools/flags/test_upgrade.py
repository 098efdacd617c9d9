"""What an upgrade changes: the surface's own facts, and only what touches a launch."""

import pytest

from knowledge.corpus.read import read_corpus
from tests.tools.flags.launching import launch
from tools.flags.changes import Change, Effect
from tools.flags.upgrade import Upgraded, read_by_both, upgrade

CLAIMS = read_corpus()


def between(before: str, after: str, command: str = "", env: dict[str, str] | None = None) -> Upgraded:
    told = read_by_both(launch(command, env), before, after) if command else None
    return upgrade(before, after, CLAIMS, launch=told)


def named(result: Upgraded, effect: Effect) -> dict[str, Change]:
    return {change.name: change for change in result.of(effect)}


def test_a_flag_that_goes_breaks_in_its_release() -> None:
    change = named(between("0.22.0", "0.33.0"), "breaks")["--max-num-partial-prefills"]
    assert (change.kind, change.release) == ("flag", "0.27.0")
    assert change.source.startswith("https://github.com/vllm-project/vllm/blob/v0.26.0/")


def test_a_variable_that_goes_changes_without_a_word() -> None:
    change = named(between("0.23.0", "0.24.0"), "shifts")["VLLM_NVFP4_GEMM_BACKEND"]
    assert change.replacement == "--linear-backend"


def test_a_metric_that_goes_breaks_dashboards() -> None:
    change = named(between("0.11.2", "0.12.0"), "breaks")["vllm:gpu_cache_usage_perc"]
    assert change.replacement == "vllm:kv_cache_usage_perc"


@pytest.mark.parametrize(
    ("before", "after", "there"),
    [("0.19.1", "0.20.0", True), ("0.20.0", "0.21.0", False), ("0.19.0", "0.19.1", False)],
)
def test_a_default_shifts_at_its_boundary_only(before: str, after: str, there: bool) -> None:
    shifts = named(between(before, after), "shifts")
    assert ("--gpu-memory-utilization" in shifts) is there
    if there:
        assert "0.9 -> 0.92" in shifts["--gpu-memory-utilization"].message


def test_a_default_that_hangs_on_the_device_names_its_rows() -> None:
    shifts = named(between("0.27.1", "0.28.0"), "shifts")
    assert "from 160 GiB: 16384" in shifts["--max-num-batched-tokens"].message
    assert "capability family 100: 1024" in shifts["--max-cudagraph-capture-size"].message
    assert "--max-num-seqs" not in shifts  # a row came that says what the next one said already


def test_only_what_touches_the_launch_is_told() -> None:
    result = between("0.26.0", "0.28.0", "m --max-num-partial-prefills 2 --max-num-seqs 64")
    assert set(named(result, "breaks")) == {"--max-num-partial-prefills"}
    shifts = named(result, "shifts")
    assert "--max-num-batched-tokens" in shifts
    assert "--max-num-batched-tokens" not in named(
        between("0.26.0", "0.28.0", "m --max-num-batched-tokens 8k"), "shifts"
    )
    assert result.added == ()


def test_what_was_broken_before_does_not_break_again() -> None:
    assert named(between("0.22.0", "0.33.0", "m --swap-space 4"), "breaks") == {}


def test_a_claim_that_begins_to_hold_is_told_once() -> None:
    adds = [change.claims for change in between("0.30.0", "0.31.0").of("adds")]
    assert ("kv.cap-active-seqs",) in adds
    assert len(adds) == len(set(adds))


def test_every_message_is_a_step() -> None:
    result = between("0.22.0", "0.33.0")
    steps = {step.name: str(step.value) for step in result.steps}
    assert all(change.message in steps[change.step] for change in result.changes)
    assert {steps["upgrade.breaks"], steps["upgrade.shifts"]} == {
        str(len(result.of("breaks"))),
        str(len(result.of("shifts"))),
    }


def test_what_serves_tests_of_vllm_is_left_out() -> None:
    names = {change.name for change in between("0.22.0", "0.33.0").changes}
    assert not any("_CI_" in name or name.startswith("VLLM_TEST_") for name in names)

"""The data against what the real parser and registry of two releases said when they were run."""

import json
from pathlib import Path
from typing import Any

import pytest

from knowledge.surface.listing import listing
from knowledge.surface.surface import Surface

TRUTH = Path(__file__).parent / "truth"
VERSIONS = ("0.27.0", "0.32.0")


def parser_truth(version: str) -> dict[str, dict[str, Any]]:
    """Option string to its action, as dumped from the running parser."""
    lines = (TRUTH / f"flags_{version}.jsonl").read_text("utf-8").splitlines()
    return {name: action for line in lines for action in [json.loads(line)] for name in action["option_strings"]}


def listed(version: str) -> dict[str, dict[str, Any]]:
    """Option string to its flag, from the shipped data."""
    flags = listing(Surface.load().at(version))["flags"]
    return {spelling: flag for flag in flags for spelling in flag["spellings"]}


@pytest.mark.parametrize("version", VERSIONS)
def test_option_strings_are_those_of_the_real_parser(version: str) -> None:
    assert listed(version).keys() == parser_truth(version).keys()


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("attribute", ["default", "choices", "nargs"])
def test_attributes_are_those_of_the_real_parser(version: str, attribute: str) -> None:
    ours, truth = listed(version), parser_truth(version)
    assert {name: ours[name][attribute] for name in truth} == {name: truth[name][attribute] for name in truth}


def test_env_names_are_those_of_the_running_table() -> None:
    truth = json.loads((TRUTH / "env_metrics_0.32.0.json").read_text("utf-8"))["env"]
    env = Surface.load().at("0.32.0").env
    assert sorted(name for name, facts in env.items() if not facts.outside_table) == truth


def test_core_families_are_those_really_registered() -> None:
    truth = json.loads((TRUTH / "env_metrics_0.32.0.json").read_text("utf-8"))["metrics"]
    metrics = Surface.load().at("0.32.0").metrics
    assert {name: metrics[name].kind for name in truth if name in metrics} == truth

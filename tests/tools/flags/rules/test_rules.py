"""Every rule against the cases beside this file: `RULE.toml`, of which one fires at least and one does not."""

import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from knowledge.corpus.read import read_corpus
from knowledge.versions import parse_range
from tests.tools.flags.launching import checked, launch
from tools.flags.rule import Rule
from tools.flags.rules import RULES

HEADINGS = ("## What it looks for", "## Why it matters", "## Not this rule", "## What to do")
HERE = Path(__file__).parent


def _cases() -> list[Any]:
    return [
        pytest.param(rule, case, id=f"{rule.name}-{number}") for rule in RULES for number, case in enumerate(_of(rule))
    ]


def _of(rule: Rule) -> list[dict[str, Any]]:
    path = HERE / f"{rule.name.replace('-', '_')}.toml"
    return list(tomllib.loads(path.read_text("utf-8"))["case"]) if path.exists() else []


@pytest.mark.parametrize(("rule", "case"), _cases())
def test_a_case_finds_what_it_says(rule: Rule, case: dict[str, Any]) -> None:
    one = launch(
        case.get("command", "some/model"),
        case.get("env"),
        image=case.get("image", ""),
        platform=case.get("platform", ""),
        mounts=tuple(case.get("mounts", ())),
        notes=tuple(case.get("notes", ())),
    )
    result = checked(
        one, case["version"], model=case.get("model", ""), gpu=case.get("gpu", ""), fork=case.get("fork", "")
    )
    own = [finding for finding in result.findings if finding.code in rule.codes]
    assert [f"{finding.severity} {finding.code} {finding.subject}" for finding in own] == case.get("finds", [])
    for words in case.get("says", ()):
        assert any(words in finding.message or words in finding.replacement for finding in own), words


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_is_documented_and_has_cases_on_both_sides(rule: Rule) -> None:
    module: ModuleType = __import__(rule.check.__module__, fromlist=["RULE"])
    text = module.__doc__ or ""
    assert [heading for heading in HEADINGS if heading in text] == list(HEADINGS)
    assert rule.check.__module__.rpartition(".")[2] == rule.name.replace("-", "_")
    fires = [bool(case.get("finds")) for case in _of(rule)]
    assert any(fires), "no case fires"
    assert not all(fires), "no case is clear"
    parse_range(rule.applies)


def test_every_module_is_registered_and_no_code_is_used_twice() -> None:
    import tools.flags.rules as package

    modules = {path.stem for path in Path(str(package.__path__[0])).glob("*.py")} - {"__init__"}
    assert {rule.name.replace("-", "_") for rule in RULES} == modules
    codes = [code for rule in RULES for code in rule.codes]
    assert len(codes) == len(set(codes))


def test_every_cited_claim_stands() -> None:
    standing = {claim.id for claim in read_corpus() if claim.head.withdrawn is None}
    assert {claim for rule in RULES for claim in rule.claims} <= standing


def test_every_code_has_a_case_that_fires() -> None:
    fired = {words.split()[1] for rule in RULES for case in _of(rule) for words in case.get("finds", ())}
    assert {code for rule in RULES for code in rule.codes} <= fired

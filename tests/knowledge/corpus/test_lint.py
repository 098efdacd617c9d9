"""Each check fires on a planted fault, and the shipped corpus is clean."""

import datetime as dt
from collections.abc import Callable
from pathlib import Path

import pytest

from knowledge.corpus.lint import (
    BODY_MAX_CHARS,
    CLAIM_CHECKS,
    CORPUS_CHECKS,
    STALE_DAYS,
    TITLE_MAX_CHARS,
    Problem,
    lint,
)

TODAY = dt.date(2026, 12, 1)
CLAIM = """## Pears are green
```toml
id = "fruit.pear"
kind = "fact"
applies = ">=0.11"
checked = { version = "0.33.0", date = 2026-12-01 }
[[sources]]
type = "code"
path = "vllm/a.py"
version = "0.33.0"
token = "x"
```
A body.

"""
SYMPTOM = '[symptom]\nid = "s"\ncauses = ["kv-pressure"]\nmatch = ["slow"]\n```'
CAUSE = '[cause]\nid = "kv-pressure"\n```'
SIGN = '[sign]\ncause = "kv-pressure"\n```'
LEVER = """[lever]
causes = ["kv-pressure"]
stage = "fix"
restart = true
moves = ["TTFT down"]
cost = "c"
verify = "v"
rollback = "r"
```"""


def problems_of(folder: Path, text: str, today: dt.date = TODAY) -> list[Problem]:
    (folder / "fruit.md").write_text(text, "utf-8")
    return lint(today, folder)


def swap(old: str, new: str) -> str:
    assert old in CLAIM
    return CLAIM.replace(old, new)


def with_part(part: str, claim_id: str = "fruit.pear") -> str:
    return CLAIM.replace("fruit.pear", claim_id).replace("```\nA body", f"{part}\nA body")


def test_the_shipped_corpus_is_clean() -> None:
    assert [p for p in lint(TODAY) if p.severity == "error"] == []


def test_a_good_claim_has_no_problem(tmp_path: Path) -> None:
    assert problems_of(tmp_path, CLAIM) == []


FAULTS: dict[str, tuple[str, str]] = {
    "id form": (swap("fruit.pear", "fruit.Pear"), "topic.slug"),
    "topic": (swap("fruit.pear", "veg.pear"), "fruit."),
    "long title": (swap("Pears are green", "P" * (TITLE_MAX_CHARS + 1)), str(TITLE_MAX_CHARS)),
    "full stop": (swap("Pears are green", "Pears are green."), "full stop"),
    "no body": (swap("A body.", ""), "0 paragraphs"),
    "four paragraphs": (swap("A body.", "A.\n\nB.\n\nC.\n\nD."), "4 paragraphs"),
    "long body": (swap("A body.", "b" * (BODY_MAX_CHARS + 1)), str(BODY_MAX_CHARS)),
    "no source": (swap(CLAIM[CLAIM.index("[[sources]]") : CLAIM.index("```\nA")], "sources = []\n"), "no source"),
    "no range": (swap(">=0.11", "since 0.11"), "since 0.11"),
    "empty range": (swap(">=0.11", ">=99"), "no known release"),
    "unknown checked": (swap('version = "0.33.0", date', 'version = "0.33.9", date'), "0.33.9"),
    "checked tomorrow": (swap("2026-12-01", "2026-12-02"), "future"),
    "unknown source release": (swap('version = "0.33.0"\ntoken', 'version = "0.33.9"\ntoken'), "0.33.9"),
    "closed for no reason": (
        swap("```\nA", '[[sources]]\ntype = "issue"\nnumber = 1\nstate = "closed"\n```\nA'),
        "closed_as",
    ),
    "two parts": (with_part(CAUSE.replace("```", SIGN)), "more than one part"),
    "unknown cause": (with_part(CAUSE.replace("kv-pressure", "bad-luck")), "bad-luck"),
    "pattern": (with_part(SYMPTOM.replace('"slow"', '"("')), "does not compile"),
    "superseded only": (swap("kind =", 'superseded_by = "fruit.apple"\nkind ='), "without withdrawn"),
    "withdrawn tomorrow": (swap("kind =", "withdrawn = 2026-12-02\nkind ="), "future"),
    "id twice": (CLAIM + CLAIM, "already used at fruit.md:1"),
    "dangling": (swap("A body.", "See [fruit.plum]."), "fruit.plum, which does not exist"),
    "dangling successor": (
        swap("kind =", 'withdrawn = 2026-12-01\nsuperseded_by = "fruit.plum"\nkind ='),
        "fruit.plum, which does not exist",
    ),
    "withdrawn citation": (
        swap("A body.", "See [fruit.plum].")
        + CLAIM.replace("fruit.pear", "fruit.plum").replace("kind =", "withdrawn = 2026-12-01\nkind ="),
        "fruit.plum, which is withdrawn",
    ),
    "no cause": (with_part(SYMPTOM) + with_part(SIGN, "fruit.b") + with_part(LEVER, "fruit.c"), "`cause`"),
    "no sign": (with_part(SYMPTOM) + with_part(CAUSE, "fruit.b") + with_part(LEVER, "fruit.c"), "`sign`"),
    "no lever": (with_part(SYMPTOM) + with_part(CAUSE, "fruit.b") + with_part(SIGN, "fruit.c"), "`lever`"),
    "unknown name": (swap("A body.", "Set `--no-such-flag`."), "--no-such-flag, which vLLM"),
    "name gone": (swap("A body.", "Set `--swap-space`."), "--swap-space, which vLLM"),
    "idle excuse": (swap("kind =", 'absent = ["--swap-space"]\nkind ='), "without naming it"),
    "no head": ("## Pears\nA body.\n", "no ```toml head"),
}


@pytest.mark.parametrize(("text", "message"), FAULTS.values(), ids=FAULTS)
def test_a_planted_fault_is_an_error(tmp_path: Path, text: str, message: str) -> None:
    found = [problem for problem in problems_of(tmp_path, text) if message in problem.message]
    assert found, problems_of(tmp_path, text)
    assert {problem.severity for problem in found} == {"error"}
    assert all(problem.where.startswith("fruit.md:") for problem in found)


def test_one_broken_claim_does_not_hide_the_others(tmp_path: Path) -> None:
    text = "## Broken\nNo head.\n\n" + swap("Pears are green", "Pears are green.")
    assert [problem.where for problem in problems_of(tmp_path, text)] == ["fruit.md:1", "fruit.md:4 fruit.pear"]


def test_a_file_that_is_no_text_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "fruit.md").write_bytes(b"\xff\xfe")
    assert [(p.severity, p.where) for p in lint(TODAY, tmp_path)] == [("error", "fruit.md")]


@pytest.mark.parametrize("excuse", ["absent", "foreign"])
def test_an_excused_name_is_no_problem(tmp_path: Path, excuse: str) -> None:
    text = swap("A body.", "Set `--swap-space`.").replace("kind =", f'{excuse} = ["--swap-space"]\nkind =')
    assert problems_of(tmp_path, text) == []


@pytest.mark.parametrize(("days", "severities"), [(STALE_DAYS, []), (STALE_DAYS + 1, ["warning"])])
def test_age_is_a_warning_from_the_day_after_the_limit(tmp_path: Path, days: int, severities: list[str]) -> None:
    found = problems_of(tmp_path, CLAIM, TODAY + dt.timedelta(days=days))
    assert [problem.severity for problem in found] == severities


def test_a_symptom_whose_causes_are_covered_is_clean(tmp_path: Path) -> None:
    text = with_part(SYMPTOM) + "".join(with_part(part, f"fruit.{at}") for at, part in enumerate((CAUSE, SIGN, LEVER)))
    assert problems_of(tmp_path, text) == []


@pytest.mark.parametrize("check", [*CLAIM_CHECKS, *CORPUS_CHECKS], ids=lambda check: check.__name__)
def test_every_check_has_a_planted_fault(check: Callable[..., object], tmp_path: Path) -> None:
    """Without this check some planted fault would pass."""
    import knowledge.corpus.lint as module

    names = {"CLAIM_CHECKS": CLAIM_CHECKS, "CORPUS_CHECKS": CORPUS_CHECKS}
    with pytest.MonkeyPatch.context() as patch:
        for name, checks in names.items():
            patch.setattr(module, name, tuple(each for each in checks if each is not check))
        missed = [
            name
            for name, (text, message) in FAULTS.items()
            if not any(message in problem.message for problem in problems_of(tmp_path, text))
        ]
    assert missed

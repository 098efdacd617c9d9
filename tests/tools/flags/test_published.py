"""129 launches that were published for some release, each with its reviewed verdict.

`accepted` is what the parser of that very release said (`release`, run from its source); `finds` are the errors and
warnings that a person checked against the source. `why` tells where the two differ.
"""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from knowledge.versions import releases
from tools.flags.check import Checked, check
from tools.flags.launch import Launch, Setting, Word
from tools.flags.target import target

ROWS = [json.loads(line) for line in (Path(__file__).parent / "published.jsonl").read_text("utf-8").splitlines()]


def judged(row: dict[str, Any]) -> Checked:
    launch = Launch(
        words=tuple(Word(text=word) for word in shlex.split(row["command"])),
        env=tuple(Setting(name=name, value=value) for name, value in row.get("env", {}).items()),
        image=row.get("image", ""),
        module=row.get("module", False),
    )
    known, fork = target(launch, row.get("version"))
    return check(launch, known, fork=fork)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_the_verdict_is_the_reviewed_one(row: dict[str, Any]) -> None:
    found = [f"{one.severity} {one.code} {one.subject}" for one in judged(row).findings if one.severity != "note"]
    assert found == row["finds"]


@pytest.mark.parametrize(
    "row", [row for row in ROWS if row["release"] in releases() and "why" not in row], ids=lambda row: row["id"]
)
def test_an_error_is_found_exactly_when_the_release_refuses(row: dict[str, Any]) -> None:
    assert bool(judged(row).at_least("error")) is not row["accepted"]


def test_there_are_as_many_as_were_reviewed() -> None:
    assert len(ROWS) == 129
    assert sum(not row["accepted"] for row in ROWS) == 8

import tomllib
from pathlib import Path

import pytest

from ui.cli import run
from ui.commands.tree import PROGRAM_VERSION

ROOT = Path(__file__).parents[3]


def test_program_version_is_the_distributions() -> None:
    assert tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"] == PROGRAM_VERSION


@pytest.mark.parametrize("args", [["--help"], ["-h"], ["corpus", "--help"], ["why", "--help"]], ids=" ".join)
def test_help_fits_80_columns(args: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(args) == 0
    out = capsys.readouterr().out
    assert max(len(line) for line in out.splitlines()) <= 80
    assert "\\b" not in out


def test_help_shows_the_options_of_a_question(capsys: pytest.CaptureFixture[str]) -> None:
    run(["--help"])
    out = capsys.readouterr().out
    for part in ("--json", "--version X.Y.Z", "--thread NAME", "corpus", "--program-version", "ASK_HOME"):
        assert part in out

import contextlib
import io
import json
import sys
from collections.abc import Iterator

import click
import pytest

from knowledge.errors import UpstreamError
from ui.terminal import note, printable, progress_bar, write, write_json, write_markdown


class Terminal(io.StringIO):
    """Says that it is a terminal."""

    def isatty(self) -> bool:
        return True


@contextlib.contextmanager
def on_a_terminal(**env: str) -> Iterator[Terminal]:
    """Inside the test's own call: pytest puts its capture in place of standard output after the fixtures are set up."""
    screen = Terminal()
    with pytest.MonkeyPatch.context() as patch:
        for name in ("stdout", "stderr"):
            patch.setattr(sys, name, screen)
        for name, value in {"TERM": "xterm-256color", "COLUMNS": "80", **env}.items():
            patch.setenv(name, value)
        patch.delenv("FORCE_COLOR", raising=False)
        yield screen


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("a\tb\nc", "a\tb\nc", id="tab-and-newline-stay"),
        pytest.param("\x1b[31mred", r"\x1b[31mred", id="colour"),
        pytest.param("\x1b]0;owned\x07", r"\x1b]0;owned\x07", id="window-title"),
        pytest.param("\x9b2J", r"\x9b2J", id="8-bit-sequence"),
        pytest.param("a\rb\x08\x7f", r"a\rb\x08\x7f", id="overwriting"),
        pytest.param("\u202eabc", r"\u202eabc", id="turned-around"),
        pytest.param("Größe × 8 – 😀", "Größe × 8 – 😀", id="other-scripts-stay"),
    ],
)
def test_control_characters_are_spelled_out(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_a_pasted_escape_reaches_no_terminal() -> None:
    with on_a_terminal() as terminal:
        write_markdown("seen: `\x1b]0;owned\x07`\n\n```sh\n\x1b[2J\n```\n")
        note("\x1b[2J")
    assert "owned" in terminal.getvalue()
    assert "\x1b]0" not in terminal.getvalue()
    assert "\x1b[2J" not in terminal.getvalue()


def test_json_holds_every_character_and_no_raw_control(capsys: pytest.CaptureFixture[str]) -> None:
    value = {"log": "\x1b[2J \x9b \x7f \u202e é"}
    write_json(value)
    out = capsys.readouterr().out
    assert json.loads(out) == value
    assert out == out.replace("\x1b", "").replace("\x9b", "").replace("\x7f", "").replace("\u202e", "")


def test_elsewhere_markdown_stays_as_it_stands(capsys: pytest.CaptureFixture[str]) -> None:
    write_markdown("## A\n\n- **b** [x.y]\n")
    assert capsys.readouterr().out == "## A\n\n- **b** [x.y]\n"


def test_on_a_terminal_markdown_is_rendered_within_its_width() -> None:
    with on_a_terminal() as terminal:
        write_markdown("**word** " * 40)
    assert "\x1b[1m" in terminal.getvalue()
    assert "**" not in terminal.getvalue()


def test_no_color_means_no_escape_at_all() -> None:
    with on_a_terminal(NO_COLOR="1") as terminal:
        write_markdown("## A\n\n**b** [c](https://example.org)\n\n```sh\nls\n```\n")
        with progress_bar() as progress:
            progress("working", 0, 2)
            progress("working", 1, 2)
    assert "\x1b" not in terminal.getvalue()
    assert terminal.getvalue().count("working") == 1
    assert max(len(line) for line in terminal.getvalue().splitlines()) <= 80


def test_a_bar_that_shows_nothing_writes_nothing() -> None:
    with on_a_terminal() as terminal, progress_bar():
        pass
    assert terminal.getvalue() == ""


def test_progress_elsewhere_is_one_line_a_task_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bar() as progress:
        for done in range(3):
            progress("indexing", done, 3)
    assert capsys.readouterr() == ("", "ask: indexing …\n")


def test_a_closed_stdout_is_an_error_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(UpstreamError, match="standard output"):
        write("x")


def test_a_closed_stderr_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    with progress_bar() as progress:
        progress("indexing", 0, 1)


def test_a_reader_that_left_ends_the_program(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Left(io.StringIO):
        def write(self, _text: str) -> int:
            raise BrokenPipeError

        def fileno(self) -> int:
            return spare.fileno()

    with open("/dev/null", "wb") as spare:  # noqa: PTH123
        monkeypatch.setattr(sys, "stdout", Left())
        with pytest.raises(click.exceptions.Exit) as ended:
            write("x")
    assert ended.value.exit_code == 141

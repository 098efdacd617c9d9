"""What the command line writes with: Markdown on a terminal, plain text elsewhere and with NO_COLOR."""

import contextlib
import os
import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, TextIO

import click

from knowledge.errors import UpstreamError

if TYPE_CHECKING:
    from rich.console import Console

    from knowledge.search.index import Progress

READER_GONE: Final = 141
"""Exit code of a program whose reader went away (`ask … | head`), as the shell counts SIGPIPE."""

_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""What can drive a terminal or turn text around; a pasted log may hold any of it."""


def accept_any_text() -> None:
    """Let standard output and error write `?` for what their encoding lacks, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def printable(text: str) -> str:
    r"""Text whose control characters are spelled out: an escape becomes the four characters `\x1b`."""
    return _CONTROL.sub(lambda found: ascii(found[0])[1:-1], text)


def write(text: str) -> None:
    """Write a part of the answer to standard output.

    Raises:
        UpstreamError: It cannot be written.
    """
    if sys.stdout is None:
        raise _unwritable("it is closed")
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        _give_up_stdout()
        raise click.exceptions.Exit(READER_GONE) from None
    except OSError as exc:
        _give_up_stdout()
        raise _unwritable(str(exc)) from exc


def write_json(value: Any) -> None:
    """Write a value as indented JSON, control characters as JSON escapes."""
    import msgspec

    text = msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
    write(_CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n")


def write_markdown(text: str) -> None:
    """Write Markdown: rendered on a terminal, as it stands elsewhere."""
    text = printable(text)
    if not _is_terminal(sys.stdout):
        write(text)
        return
    from ui.markdown import AnswerMarkdown

    console = _console(sys.stdout)
    with console.capture() as captured:
        console.print(AnswerMarkdown(text), crop=False)
    write(captured.get())


def note(text: str) -> None:
    """One line on standard error; that nobody reads it is no reason to end."""
    with contextlib.suppress(OSError):
        click.echo(f"ask: {printable(text)}", err=True)


@contextlib.contextmanager
def progress_bar() -> "Iterator[Progress]":
    """A bar on standard error for what takes long; plain lines where it cannot be drawn."""
    console = _console(sys.stderr) if _is_terminal(sys.stderr) else None
    if console is None or console.color_system is None:
        yield _plain_progress()
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress as Bar, TaskID, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    bar = Bar(*columns, console=console, transient=True)
    tasks: dict[str, TaskID] = {}

    def show(what: str, done: int, total: int) -> None:
        if what not in tasks:
            bar.start()  # not before: most calls have nothing to show, and an empty bar flickers
            tasks[what] = bar.add_task(what, total=total)
        bar.update(tasks[what], completed=done)

    try:
        yield show
    finally:
        bar.stop()


def _plain_progress() -> "Progress":
    told: set[str] = set()

    def show(what: str, _done: int, _total: int) -> None:
        if what not in told:
            told.add(what)
            note(f"{what} …")

    return show


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()


def _console(stream: TextIO) -> "Console":
    from rich.console import Console

    console = Console(file=stream)
    # rich keeps bold and links when NO_COLOR is set; without a colour system it writes no escape at all.
    return Console(file=stream, color_system=None) if console.no_color else console


def _unwritable(why: str) -> UpstreamError:
    return UpstreamError(f"standard output cannot be written: {why}; send the answer elsewhere", retryable=False)


def _give_up_stdout() -> None:
    """Point standard output at nothing, so that the flush at exit does not fail once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

"""What the command line writes with: plain when it is not a terminal or NO_COLOR is set, Markdown when it is."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from knowledge.search.index import Progress

if TYPE_CHECKING:
    from rich.console import Console


def print_markdown(text: str) -> None:
    """Print Markdown: rendered on a terminal, as it stands elsewhere."""
    if not sys.stdout.isatty():
        click.echo(text, nl=False)
        return
    from rich.markdown import Markdown

    _console(stderr=False).print(Markdown(text, hyperlinks=True))


def note(text: str) -> None:
    """One line on standard error."""
    click.echo(f"ask: {text}", err=True)


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """A bar on standard error for what takes long; plain lines where it is no terminal."""
    if not sys.stderr.isatty():
        yield _plain_progress()
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress as Bar, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Bar(*columns, console=_console(stderr=True), transient=True) as bar:
        tasks: dict[str, object] = {}

        def show(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=total)
            bar.update(tasks[what], completed=done)  # type: ignore[arg-type]  # rich's TaskID is a NewType of int

        yield show


def _plain_progress() -> Progress:
    told: set[str] = set()

    def show(what: str, _done: int, _total: int) -> None:
        if what not in told:
            told.add(what)
            note(f"{what} …")

    return show


def _console(*, stderr: bool) -> "Console":
    from rich.console import Console

    return Console(stderr=stderr)

"""Markdown as a terminal shows it, with commands that can still be copied."""

import re
from typing import ClassVar, Final

from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import CodeBlock, Markdown, MarkdownElement
from rich.text import Text

_SOURCE: Final = re.compile(r"^(- \[[\w.-]+\] )(https?://\S+)", re.MULTILINE)


class Command(CodeBlock):
    """A fenced block whose lines are left to the terminal to wrap: a line break of ours would be copied with it."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Render."""
        for line in str(self.text).rstrip().splitlines():
            yield Text(f"  {line}", style="markdown.code", no_wrap=True, overflow="ignore", end="\n")


class AnswerMarkdown(Markdown):
    """The Markdown of an answer. Print it with `crop=False`, or long commands lose their end."""

    elements: ClassVar[dict[str, type[MarkdownElement]]] = {**Markdown.elements, "fence": Command}

    def __init__(self, text: str) -> None:
        # As a link, an address that is longer than the line still opens whole.
        super().__init__(_SOURCE.sub(r"\1<\2>", text), hyperlinks=True)

"""Text that knows the line on which it stands."""

from bisect import bisect_right
from collections.abc import Iterable

from tools.flags.launch import Word


class Located(str):
    """A string with the line of the input on which it begins, 1-based.

    Attributes:
        line: The line.
        breaks: Where in it later lines of the input begin; None when its own line ends tell.
        kind: What a YAML value is as a value: `str`, `int`, `float`, `bool`.
    """

    line: int
    breaks: tuple[int, ...] | None
    kind: str

    def __new__(cls, text: str, line: int = 1, breaks: tuple[int, ...] | None = None, kind: str = "str") -> "Located":
        """Mark a text with its line."""
        made = super().__new__(cls, text)
        made.line, made.breaks, made.kind = line, breaks, kind
        return made


class Lines:
    """Tells on which line of the input a character of a text stands.

    Args:
        text: The text; one that is no `Located` begins on line 1.
    """

    def __init__(self, text: str) -> None:
        breaks = text.breaks if isinstance(text, Located) else None
        self._first = line_of(text)
        self._begins = breaks if breaks is not None else tuple(at + 1 for at, char in enumerate(text) if char == "\n")

    def at(self, place: int) -> int:
        """The line of the character at a place."""
        return self._first + bisect_right(self._begins, place)


def line_of(text: str) -> int:
    """The line of a text; 1 when it does not know it."""
    return text.line if isinstance(text, Located) else 1


def as_words(texts: Iterable[str]) -> tuple[Word, ...]:
    """Words of a command line."""
    return tuple(Word(text=str(text), line=line_of(text)) for text in texts)

"""Text that knows the line on which it stands."""

from collections.abc import Iterable

from tools.flags.launch import Word


class Located(str):
    """A string with the line of the input on which it begins, 1-based."""

    line: int

    def __new__(cls, text: str, line: int = 1) -> "Located":
        """Mark a text with its line."""
        made = super().__new__(cls, text)
        made.line = line
        return made


def line_of(text: str) -> int:
    """The line of a text; 1 when it does not know it."""
    return text.line if isinstance(text, Located) else 1


def as_words(texts: Iterable[str]) -> tuple[Word, ...]:
    """Words of a command line."""
    return tuple(Word(text=str(text), line=line_of(text)) for text in texts)

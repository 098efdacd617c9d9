"""Expand variables as far as the input tells them; what it does not tell becomes `OPAQUE`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from knowledge.errors import UserError
from tools.flags.launch import OPAQUE, Note

CHARS_AT_MOST: Final = 2 * 2**20
"""What all expansions of one input may come to; Linux gives a program no longer command line either."""

LONGEST_CHARS: Final = 100_000
"""No value is longer; one that comes to more, as variables do that double each other, is not known."""

DEPTH: Final = 8
"""A default may hold a variable with a default, and so on; deeper than this is not meant for people."""

_NAME: Final = re.compile(r"[A-Za-z_]\w*")
_DEFAULT: Final = re.compile(r"(?P<name>[A-Za-z_]\w*)(?P<colon>:?)(?P<how>[-=?+])(?P<word>.*)", re.DOTALL)
_SPECIAL: Final = "@*#?$!-0123456789"


@dataclass(slots=True)
class Scope:
    """The variables that the input sets.

    Attributes:
        known: Their values.
        unset: Names that were used and are not known, with the line of the first use.
        left: How many characters may still come out of expansions.
    """

    known: dict[str, str] = field(default_factory=dict)
    unset: dict[str, int] = field(default_factory=dict)
    left: int = CHARS_AT_MOST

    def expanded(self, text: str, line: int = 1) -> str:
        """Replace `$NAME`, `${NAME}` and `${NAME:-default}` in a text.

        Args:
            text: The text between double quotes, or unquoted.
            line: Where it stands.

        Raises:
            UserError: The input unfolds to too much.
        """
        return bounded("".join(self._parts(text, line, 0))) if "$" in text else text

    def spend(self, amount: int, line: int) -> None:
        """Count what an expansion comes to.

        Raises:
            UserError: It is too much.
        """
        self.left -= amount
        if self.left < 0:
            raise UserError(f"line {line}: its variables unfold to too much; give the command as it is run")

    def notes(self) -> Iterator[Note]:
        """A note for each variable that is not known."""
        for name, line in sorted(self.unset.items()):
            message = f"${name} is not set in the input; what it stands for was not checked"
            yield Note(code="variable-unset", subject=name, message=message, line=line)

    def _parts(self, text: str, line: int, depth: int) -> Iterator[str]:
        at = 0
        while (dollar := text.find("$", at)) >= 0:
            yield text[at:dollar]
            value, at = self._one(text, dollar + 1, line, depth)
            self.spend(len(value), line)
            yield value
        yield text[at:]

    def _one(self, text: str, at: int, line: int, depth: int) -> tuple[str, int]:
        """The value of the reference whose dollar sign stands before `at`, and where the text goes on."""
        if text.startswith("{", at):
            end = closing(text, at, "{", "}")
            return self._braced(text[at + 1 : end - 1], line, depth), end
        if text.startswith("(", at):
            return OPAQUE, closing(text, at, "(", ")")
        if name := _NAME.match(text, at):
            return self._value(name[0], line), name.end()
        if at < len(text) and text[at] in _SPECIAL:
            self.unset.setdefault(text[at], line)
            return OPAQUE, at + 1
        return "$", at

    def _braced(self, inside: str, line: int, depth: int) -> str:
        if _NAME.fullmatch(inside):
            return self._value(inside, line)
        found = _DEFAULT.fullmatch(inside)
        if found is None or depth > DEPTH:
            return OPAQUE
        held = self.known.get(found["name"])
        is_there = held is not None and (held or not found["colon"])
        match found["how"]:
            case "-" | "=":
                return held or "" if is_there else "".join(self._parts(found["word"], line, depth + 1))
            case "+":
                return "".join(self._parts(found["word"], line, depth + 1)) if is_there else ""
            case _:
                return self._value(found["name"], line)

    def _value(self, name: str, line: int) -> str:
        if name in self.known:
            return self.known[name]
        self.unset.setdefault(name, line)
        return OPAQUE


def bounded(value: str) -> str:
    """A value, or `OPAQUE` for one that is longer than any."""
    return value if len(value) <= LONGEST_CHARS else OPAQUE


def closing(text: str, at: int, opens: str, closes: str) -> int:
    """Where the bracket that opens at `at` has been closed; the end of the text when it never is."""
    depth = 0
    while at < len(text):
        if text[at] == "\\":
            at += 1
        elif text[at] == opens:
            depth += 1
        elif text[at] == closes:
            depth -= 1
            if not depth:
                return at + 1
        at += 1
    return len(text)

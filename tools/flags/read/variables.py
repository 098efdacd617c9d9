"""Expand variables as far as the input tells them; what it does not tell becomes `OPAQUE`."""

import re
from collections.abc import Mapping
from typing import Final

from tools.flags.launch import OPAQUE

DEPTH: Final = 8
"""A default may hold a variable with a default, and so on; deeper than this is not meant for people."""

LONGEST_CHARS: Final = 100_000
"""No word is longer; variables that double each other would fill the memory."""

_NAME: Final = re.compile(r"[A-Za-z_]\w*")
_DEFAULT: Final = re.compile(r"(?P<name>[A-Za-z_]\w*)(?P<colon>:?)(?P<how>[-=?+])(?P<word>.*)", re.DOTALL)
_SPECIAL: Final = "@*#?$!-0123456789"


def expanded(text: str, known: Mapping[str, str], unset: set[str], depth: int = 0) -> str:
    """Replace `$NAME`, `${NAME}` and `${NAME:-default}` in a text.

    Args:
        text: The text between double quotes, or unquoted.
        known: Values that the input sets.
        unset: Names that are used and not known are added to it.
        depth: How many defaults deep this is.
    """
    if "$" not in text or depth > DEPTH:
        return text if "$" not in text else OPAQUE
    out: list[str] = []
    at = 0
    while at < len(text):
        if text[at] != "$":
            out.append(text[at])
            at += 1
            continue
        value, at = _one(text, at + 1, known, unset, depth)
        out.append(value)
    return "".join(out)[:LONGEST_CHARS]


def _one(text: str, at: int, known: Mapping[str, str], unset: set[str], depth: int) -> tuple[str, int]:
    """The value of the reference whose dollar sign stands before `at`, and where the text goes on."""
    if text.startswith("{", at):
        end = closing(text, at, "{", "}")
        return _braced(text[at + 1 : end - 1], known, unset, depth), end
    if text.startswith("(", at):
        return OPAQUE, closing(text, at, "(", ")")
    if name := _NAME.match(text, at):
        return _value(name[0], known, unset), name.end()
    if at < len(text) and text[at] in _SPECIAL:
        unset.add(text[at])
        return OPAQUE, at + 1
    return "$", at


def _braced(inside: str, known: Mapping[str, str], unset: set[str], depth: int) -> str:
    if _NAME.fullmatch(inside):
        return _value(inside, known, unset)
    found = _DEFAULT.fullmatch(inside)
    if found is None:
        return OPAQUE
    held = known.get(found["name"])
    is_there = held is not None and (held or not found["colon"])
    match found["how"]:
        case "-" | "=":
            return held or "" if is_there else expanded(found["word"], known, unset, depth + 1)
        case "+":
            return expanded(found["word"], known, unset, depth + 1) if is_there else ""
        case _:
            return _value(found["name"], known, unset)


def _value(name: str, known: Mapping[str, str], unset: set[str]) -> str:
    if name in known:
        return known[name]
    unset.add(name)
    return OPAQUE


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

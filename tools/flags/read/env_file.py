"""Read an env file: `KEY=VALUE` lines."""

import re
from typing import Final

from tools.flags.launch import Launch, Setting

_ASSIGNMENT: Final = re.compile(r"(?:export\s+)?([A-Za-z_][\w.]*)\s*=")
_QUOTED: Final = re.compile(r"(['\"])(.*?)\1\s*(?:#.*)?")
_COMMENT: Final = re.compile(r"\s#")
_COMMAND_BEHIND: Final = re.compile(r"[A-Za-z_]\w*=[^\s'\"]*\s+(?!#)\S")
"""`A=1 program`: a shell sets the variable for a program."""


def read_env_file(text: str) -> Launch:
    """The variables of a file; what is launched with them is not known."""
    settings = []
    for number, line in enumerate(text.split("\n"), start=1):
        stripped = line.strip()
        if found := _ASSIGNMENT.match(stripped):
            value = _unquoted(stripped[found.end() :].strip())
            settings.append(Setting(name=found[1], value=value, line=number))
    return Launch(words=(), env=tuple(settings), whole=False)


def is_env_file(text: str) -> bool:
    """Whether every line that says something is an assignment."""
    lines = [line.strip() for line in text.split("\n") if line.strip() and not line.lstrip().startswith("#")]
    return bool(lines) and all(_ASSIGNMENT.match(line) and not _COMMAND_BEHIND.match(line) for line in lines)


def _unquoted(value: str) -> str:
    if quoted := _QUOTED.fullmatch(value):
        return quoted[2]
    return "" if value.startswith("#") else _COMMENT.split(value, maxsplit=1)[0].strip()

"""Read an env file: `KEY=VALUE` lines."""

import re
from typing import Final

from tools.flags.launch import Launch, Setting

LINE: Final = re.compile(r"^\s*(?:export\s+)?([A-Za-z_][\w.]*)\s*=\s*(.*?)\s*$")
_COMMAND_BEHIND: Final = re.compile(r"^\s*[A-Za-z_]\w*=[^\s'\"]*\s+(?!#)\S")
"""`A=1 program`: a shell sets the variable for a program."""


def read_env_file(text: str) -> Launch:
    """The variables of a file; what is launched with them is not known."""
    settings = []
    for number, line in enumerate(text.split("\n"), start=1):
        if found := LINE.match(line):
            value = found[2]
            quoted = re.fullmatch(r"(['\"])(.*)\1", value)
            bare = quoted[2] if quoted else re.split(r"\s+#", value)[0].strip()
            settings.append(Setting(name=found[1], value=bare, line=number))
    return Launch(words=(), env=tuple(settings), whole=False)


def is_env_file(text: str) -> bool:
    """Whether every line that says something is an assignment."""
    lines = [line for line in text.split("\n") if line.strip() and not line.lstrip().startswith("#")]
    return bool(lines) and all(LINE.match(line) and not _COMMAND_BEHIND.match(line) for line in lines)

"""Rewrite the words of a command line as vLLM's parser does before `argparse` sees them.

Each rewriting names the releases in which it happens; they were read in `FlexibleArgumentParser.parse_args` of each
release (vllm/utils.py, vllm/utils/__init__.py, vllm/utils/argparse_utils.py).
"""

import re
from typing import Final

from knowledge.versions import in_range
from tools.flags.launch import Word

LEVELS: Final = frozenset("0123")
LEVEL_FLAGS: Final = (  # what -O<n> sets
    (">=0.12", "--optimization-level"),
    (">=0.11.1", "--compilation-config.mode"),
    (">=0.9", "--compilation-config.level"),
)
DOTTED_O: Final = ">=0.9,<0.16"  # -O.mode=3 stands for the compilation config; -cc from 0.12 on


def rewritten(words: tuple[Word, ...], release: str) -> list[Word]:
    """The words with dashes for underscores in names, and short optimisation levels spelled out.

    Args:
        words: The words after the command.
        release: The release that reads them.
    """
    out: list[Word] = []
    for position, word in enumerate(words):
        following = words[position + 1].text if position + 1 < len(words) else ""
        out += [Word(text=text, line=word.line) for text in _texts(word.text, following, release)]
    return out


def _texts(text: str, following: str, release: str) -> list[str]:
    if text.startswith("--"):
        name, equals, value = text.partition("=")
        return [_dashed(name) + equals + value]
    if not text.startswith("-O"):
        return [text]
    level_flag = next((flag for applies, flag in LEVEL_FLAGS if in_range(release, applies)), "")
    if not level_flag:  # argparse itself takes `-O3` apart there, and 3 is a level
        return ["--compilation-config", f'{{"level": {text[2:] or following}}}'] if text != "-O" else [text]
    if text == "-O":
        return [level_flag] if following in LEVELS else [text]
    if text.startswith("-O.") and in_range(release, DOTTED_O):
        return [text.replace("-O", "--compilation-config", 1)]
    return [level_flag, text[3:] if text[2] == "=" else text[2:]]


def _dashed(name: str) -> str:
    """Dashes for the underscores between the leading dashes and the first dot."""
    return re.sub(r"(?<=--)[^.]*", lambda found: found[0].replace("_", "-"), name, count=1)

"""Make text plain before anything reads it: no terminal codes, no hidden characters, one kind of line end."""

import re
from typing import Final

_TERMINAL: Final = re.compile(
    r"\x1b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]"  # colours and cursor moves
    r"|\][^\x07\x1b]{0,4096}(?:\x07|\x1b\\)"  # window titles and links
    r"|[ -/]{0,4}[0-~])"
)
_LINE_END: Final = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_HIDDEN: Final = re.compile(
    r"[\x00-\x08\x0e-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\U000e0000-\U000e007f]"
)


def plain(text: str) -> str:
    """Drop terminal codes and characters that do not show; what is not valid Unicode becomes `?`.

    vLLM colours its log, and a pasted escape code must reach neither the patterns that read the text nor the terminal
    that shows a part of it.
    """
    text = text.encode("utf-8", "replace").decode("utf-8")
    text = _LINE_END.sub("\n", _TERMINAL.sub("", text))
    return _HIDDEN.sub("", text)

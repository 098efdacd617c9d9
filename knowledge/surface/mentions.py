"""The names of vLLM's surface that a text mentions: flags, environment variables, metrics."""

import re
from typing import Final

_FLAG: Final = re.compile(r"(?<![\w-])--[a-z][a-z0-9_-]*(?:\.[a-z][\w]*)*", re.I)
_ENV: Final = re.compile(r"\bVLLM_[A-Z0-9_]*[A-Z0-9]\b")
_METRIC: Final = re.compile(r"\bvllm:[a-z][a-z0-9_]*[a-z0-9]")
_GOES_ON: Final = re.compile(r"[-_]?[*({<]|[-_]…")


def mentioned(text: str) -> tuple[str, ...]:
    """Every flag, variable and metric of a text as spelled there, each once, in order of kind and appearance.

    A name cut short on purpose (`VLLM_ASCEND_*`, `vllm:num_requests_(running|waiting)`) is a pattern, not a name, and
    is left out.
    """
    found = (match for pattern in (_FLAG, _ENV, _METRIC) for match in pattern.finditer(text))
    names = (match[0].rstrip("-_") for match in found if not _GOES_ON.match(text, match.end()))
    return tuple(dict.fromkeys(names))

"""Take a quantisation out of a checkpoint's name: `Qwen3-32B-FP8-dynamic` is `Qwen3-32B` in fp8.

A name says the format and no more; which parts are kept and how many weights share a scale stays unknown.
"""

import re
from typing import Final, NamedTuple

from knowledge.catalog.model import Format, Quantisation

_FORMATS: Final[tuple[tuple[str, Format], ...]] = (
    ("nvfp4a16", "nvfp4"),
    ("nvfp4", "nvfp4"),
    ("mxfp4", "mxfp4"),
    ("mxfp8", "mxfp8"),
    ("fp8", "fp8"),
    ("awq", "int4"),
    ("gptq", "int4"),
    ("int4", "int4"),
    ("w4a16", "int4"),
    ("w4a8", "int4"),
    ("int8", "int8"),
    ("w8a8", "int8"),
    ("w8a16", "int8"),
)
"""Words and formats, the narrowest first: in `w4a4-mxfp4` the second word is the format."""

_BESIDE: Final = frozenset(
    {"dynamic", "block", "static", "pertensor", "per", "tensor", "plain", "quantized", "quantised", "quark"}
    | {"qat", "ct", "mtp", "quarot", "ptpc", "w4a4", "kv", "qad", "moefp4", "g128", "v2", "autoround", "sym"}
)
"""Words that stand beside a format and say nothing of the shapes."""


class Stripped(NamedTuple):
    """A name without its quantisation, and what the quantisation was."""

    base: str
    quantisation: Quantisation | None


def strip_quantisation(name: str) -> list[Stripped]:
    """Cut trailing words of quantisation off a name.

    Args:
        name: A checkpoint's name, with or without its organisation; NVIDIA's `FP4` is NVFP4.

    Returns:
        Every base that is left once a format was cut off, the shortest first; the format is None for `bf16`.
    """
    words = re.split(r"([-_.])", name)
    taken: list[str] = []
    found: list[Stripped] = []
    while len(words) > 1 and _is_quantisation(words[-1].lower(), name):
        taken.append(words.pop().lower())
        words.pop()
        if "bf16" in taken or _format(taken):
            found.insert(0, Stripped("".join(words), _quantisation(taken)))
    return found


def _quantisation(words: list[str]) -> Quantisation | None:
    format_ = _format(words)
    if format_ is None:
        return None
    return Quantisation(format=format_, group=(128, 128) if format_ == "fp8" and "block" in words else ())


def _format(words: list[str]) -> Format | None:
    if "fp4" in words:
        return "nvfp4"
    return next((format_ for word, format_ in _FORMATS if word in words), None)


def _is_quantisation(word: str, name: str) -> bool:
    if word == "fp4":
        return name.lower().startswith("nvidia/")
    return word in _BESIDE or word == "bf16" or any(word == known for known, _ in _FORMATS)

"""Convert the value of a flag as vLLM's parser does, and say what is wrong with one that it refuses."""

import json
import re
from typing import Any, Final

from knowledge.surface.kinds import FlagFacts

_SUFFIXED = re.compile(r"(\d+(?:\.\d+)?)([kKmMgGtT])")
_POWER: Final = {"k": 1, "m": 2, "g": 3, "t": 4}
_CONVERTERS: Final = {"int": int, "float": float, "str": str, "parse_reasoning_parser": str}


ANY_CASE: Final = frozenset({"--moe-backend", "--linear-backend", "--sparse-indexer-topk-backend"})
"""Flags whose values are put into lower case first: vllm/engine/arg_utils.py @ 0.33.0, `lambda s: s.lower()`."""


class RefusedError(Exception):
    """The value cannot be read; the text says why, and what would be read."""


def converted(text: str, facts: FlagFacts) -> Any:
    """The value that a word stands for.

    Args:
        text: The word.
        facts: The flag's.

    Returns:
        The value; None where vLLM reads "none given".

    Raises:
        RefusedError: The parser would refuse the word.
    """
    if text in ("", "None") and facts.default is None and facts.type != "str":
        return None
    kind = facts.type
    if kind.startswith("json"):
        return _object(_json(text, or_text=kind == "json or text"), facts)
    if kind.startswith("human_readable_int"):
        return human_readable_int(text, or_auto=kind.endswith("_or_auto"))
    if kind == "bool":
        return _boolean(text)
    return _chosen(_plain(text, kind), facts)


def _object(value: Any, facts: FlagFacts) -> Any:
    if facts.config and value is not None and not isinstance(value, dict):
        raise RefusedError(f"{_short(str(value))} is no JSON object")
    return value


def human_readable_int(text: str, *, or_auto: bool = False) -> int:
    """Read `8k` (8,000), `8K` (8,192), `25.6k` (25,600), or with `or_auto` also `auto` and -1.

    Raises:
        RefusedError: It is none of these.
    """
    bare = text.strip()
    if or_auto and (bare == "-1" or bare.lower() == "auto"):
        return -1
    found = _SUFFIXED.fullmatch(bare)
    if not found:
        return int(_plain(bare, "int"))
    number, suffix = found.groups()
    if suffix.islower():
        return int(float(number) * 1000 ** _POWER[suffix])
    if "." in number:
        raise RefusedError(
            f"{text!r}: no decimals before {suffix}, which counts in 1024; {number}{suffix.lower()} is read"
        )
    return int(int(number) * 1024 ** _POWER[suffix.lower()])


def _plain(text: str, kind: str) -> Any:
    try:
        return _CONVERTERS.get(kind, str)(text)
    except ValueError:
        article = "an integer" if kind == "int" else "a number"
        raise RefusedError(f"{text!r} is not {article}") from None


def _boolean(text: str) -> bool:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    raise RefusedError(f"{text!r} is neither true nor false")


def _json(text: str, *, or_text: bool) -> Any:
    try:
        return json.loads(text)
    except (json.JSONDecodeError, RecursionError) as exc:
        if or_text and not text.lstrip().startswith("{"):
            return text
        raise RefusedError(f"{_short(text)} is not JSON: {exc}") from None


def _chosen(value: Any, facts: FlagFacts) -> Any:
    if facts.choices is None or facts.more_choices or value in facts.choices or str(value) in facts.choices:
        return value
    if facts.spellings[0] in ANY_CASE and str(value).lower().replace("-", "_") in facts.choices:
        return value
    raise RefusedError(f"{value!r} is not among {listed([str(choice) for choice in facts.choices])}")


def listed(names: list[str], at_most: int = 24) -> str:
    """The names in one line, the last ones left out when there are many."""
    rest = f" and {len(names) - at_most} more" if len(names) > at_most else ""
    return ", ".join(names[:at_most]) + rest


def _short(text: str, chars: int = 80) -> str:
    return repr(text if len(text) <= chars else text[: chars - 1] + "…")

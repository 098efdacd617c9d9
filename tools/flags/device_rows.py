"""Say how a default that hangs on the device changed."""

from collections.abc import Sequence
from typing import Any, Final

MEMORY: Final = "memory_gib_from"
SERVE: Final = "OPENAI_API_SERVER"
"""The context of `vllm serve`; the other one is the Python class."""


def told_rows(before: Any, after: Any) -> str:
    """The rows that differ for `vllm serve`, as `condition: value`; "" when they say the same.

    Args:
        before: The rows of the older release, each with `when` (the conditions) and `value`.
        after: Those of the newer one.
    """
    was, now = _told(before), _told(after)
    gone = [f"-({row})" for row in was if row not in now]
    come = [f"+({row})" for row in now if row not in was]
    return " ".join(gone + come)


def _told(rows: Any) -> list[str]:
    listed = _rows(rows)
    needed = [row for at, row in enumerate(listed) if not _says_nothing_new(row, listed[at + 1 : at + 2])]
    return [f"{_condition(row.get('when', {}))}: {_value(row.get('value'))}" for row in needed]


def _says_nothing_new(row: dict[str, Any], following: Sequence[dict[str, Any]]) -> bool:
    """Whether the next row gives the same value to at least the same amounts of memory."""
    if not following or _value(row.get("value")) != _value(following[0].get("value")):
        return False
    least, below = row.get("when", {}), following[0].get("when", {})
    return set(least) == {MEMORY} and MEMORY in below and below[MEMORY] <= least[MEMORY]


def _rows(rows: Any) -> Sequence[dict[str, Any]]:
    return rows if isinstance(rows, list) else ()


def _condition(when: dict[str, Any]) -> str:
    told = {
        "memory_gib_from": "from {} GiB",
        "device_without": "not {}",
        "not": "not {}",
        "platform": "on {}",
        "chip": "{}",
    }
    return ", ".join(told.get(key, key + " {}").format(value) for key, value in when.items()) or "else"


def _value(value: Any) -> str:
    served = value.get(SERVE, value) if isinstance(value, dict) else value
    if isinstance(served, dict) and "per_rank" in served:
        return f"{served['per_rank']} per rank"
    return str(served)

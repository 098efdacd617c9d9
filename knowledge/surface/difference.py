"""Say in lines that a person can review what changed from one release to the next."""

from collections.abc import Iterator
from typing import Any

import msgspec

from knowledge.surface.kinds import Kind
from knowledge.surface.spans import Readings

MAX_SHOWN = 120  # characters of a value; longer ones are cut


def describe_change(kind: Kind, old: Readings, new: Readings) -> Iterator[str]:
    """Yield one line a fact: `+` came, `-` went, `~` changed, with the attributes that differ.

    Args:
        kind: The kind of the facts.
        old: What the release before shows.
        new: What the release shows.
    """
    for name in sorted(old.keys() | new.keys()):
        if name not in old:
            yield f"+ {kind} {name} ({new[name].where or 'file'})"
        elif name not in new:
            yield f"- {kind} {name} (was {old[name].where or 'a file'})"
        elif old[name].facts != new[name].facts:
            changes = "; ".join(_changes(old[name].facts, new[name].facts))
            yield f"~ {kind} {name}: {changes} ({new[name].where})"


def _changes(old: dict[str, Any], new: dict[str, Any]) -> Iterator[str]:
    for key in sorted(old.keys() | new.keys()):
        if old.get(key) != new.get(key):
            yield f"{key} {told_change(old.get(key), new.get(key))}"


def told_change(before: Any, after: Any) -> str:
    """A change as `before -> after`; for two lists only what went (`-`) and came (`+`), or `reordered`."""
    if not (isinstance(before, list) and isinstance(after, list)):
        return f"{shown(before)} -> {shown(after)}"
    gone = [f"-{shown(element)}" for element in before if element not in after]
    come = [f"+{shown(element)}" for element in after if element not in before]
    return " ".join(gone + come) or "reordered"


def shown(value: Any) -> str:
    """A value as JSON, cut when it is long."""
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"

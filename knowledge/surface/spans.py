"""Facts as validity intervals: what held, and in which releases.

A span says that a fact held, with the same attributes, in every release from `since` to `until`. An open span
has no `until`: it holds in the newest release. So a new release touches only the lines of what it changed.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec


class Span(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A fact and the releases in which it held unchanged.

    Attributes:
        name: The fact's name, unique within its kind at any one release.
        since: The first release.
        until: The last release; empty while it holds in the newest.
        first_at: The `file:line` that shows it in the first release.
        last_at: The same in the last release; empty while open.
        facts: What was known of it.
    """

    name: str
    since: str
    until: str = ""
    first_at: str = ""
    last_at: str = ""
    facts: dict[str, Any] = {}


class Reading(msgspec.Struct, frozen=True):
    """One fact as one release shows it.

    Attributes:
        facts: What is known of it.
        where: The `file:line` that shows it.
    """

    facts: dict[str, Any]
    where: str = ""


Readings = Mapping[str, Reading]


def extend(spans: Iterable[Span], newest: Readings, previous: str, release: str, found: Readings) -> list[Span]:
    """Carry the spans of one kind on to the next release.

    Args:
        spans: The spans up to `previous`.
        newest: What `previous` showed; only its places are used, to close spans with.
        previous: The release before.
        release: The release to add.
        found: What it shows.

    Returns:
        The spans up to `release`, ordered by name and then by age.
    """
    kept: list[Span] = []
    continued: set[str] = set()
    for span in spans:
        now = found.get(span.name)
        if span.until or (now is not None and now.facts == span.facts):
            kept.append(span)
            if not span.until:
                continued.add(span.name)
        else:
            last_at = newest[span.name].where if span.name in newest else ""
            kept.append(msgspec.structs.replace(span, until=previous, last_at=last_at))
    fresh = [
        Span(name=name, since=release, first_at=reading.where, facts=reading.facts)
        for name, reading in found.items()
        if name not in continued
    ]
    # Sorting is stable: spans of one name stay in order of age.
    return sorted([*kept, *fresh], key=lambda span: span.name)


def holding(spans: Iterable[Span], release: str, order: Mapping[str, int]) -> list[Span]:
    """The spans that hold in a release.

    Args:
        spans: Spans of one kind.
        release: A known release.
        order: Release to its position, oldest first.
    """
    at = order[release]
    return [s for s in spans if order[s.since] <= at and (not s.until or at <= order[s.until])]


def fold(readings: Sequence[tuple[str, Readings]]) -> list[Span]:
    """The spans of one kind over several releases, given oldest first."""
    spans: list[Span] = []
    previous = ""
    before: Readings = {}
    for release, found in readings:
        spans = extend(spans, before, previous, release, found)
        previous, before = release, found
    return spans

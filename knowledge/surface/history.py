"""When a flag, variable, metric or key came, changed, was deprecated and went, and what took its place."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

from knowledge.surface.difference import shown, told_change
from knowledge.surface.lookup import Subject
from knowledge.surface.renames import Rename, renames_from, renames_to
from knowledge.surface.spans import Span
from knowledge.surface.surface import Place, Surface
from knowledge.versions import releases

What = Literal["came", "changed", "deprecated", "no longer deprecated", "went", "came back"]

# What a person asks about; the rest says where it stands in vLLM's own code.
TOLD = (
    "default",
    "choices",
    "type",
    "kind",
    "spellings",
    "negations",
    "nargs",
    "hidden",
    "suggested",
    "value",
    "rows",
)


@dataclass(frozen=True, slots=True)
class Event:
    """One change.

    Attributes:
        release: The first release that shows it.
        what: What happened.
        place: The line that shows it; for `went`, the last release's.
        attribute: What changed, for example `default`; for `came`, the flag whose opposite it is, if any.
        before: The value before.
        after: The value after; for `deprecated`, what is announced.
    """

    release: str
    what: What
    place: Place
    attribute: str = ""
    before: Any = None
    after: Any = None


@dataclass(frozen=True, slots=True)
class History:
    """The life of what a spelling names.

    Attributes:
        subject: What it names.
        events: What happened, oldest first; an event in the oldest release known may be older than it.
        replaced_by: Curated renames away from it.
        replaces: Curated renames to it.
    """

    subject: Subject
    events: tuple[Event, ...]
    replaced_by: tuple[Rename, ...]
    replaces: tuple[Rename, ...]


def history(surface: Surface, spelling: str) -> History | None:
    """The history of what a spelling names, or None when no release known here has it."""
    subject = surface.lookup(spelling)
    if subject is None:
        return None
    names = {subject.name}
    return History(subject, tuple(_events(surface, subject)), renames_from(names), renames_to(names))


def _events(surface: Surface, subject: Subject) -> Iterator[Event]:
    first = subject.spans[0]
    yield _arrival(surface, subject, first, "came")
    yield from _deprecation(surface, subject, None, first)
    for earlier, later in pairwise(subject.spans):
        if surface.next_release(earlier.until) == later.since:
            yield from _differences(surface, subject, earlier, later)
            yield from _deprecation(surface, subject, earlier, later)
        else:
            yield from _departure(surface, subject, earlier)
            yield _arrival(surface, subject, later, "came back")
            yield from _deprecation(surface, subject, None, later)
    yield from _departure(surface, subject, subject.spans[-1])


def _arrival(surface: Surface, subject: Subject, span: Span, what: What) -> Event:
    opposite = subject.name in span.facts.get("negations", ())
    return Event(
        span.since,
        what,
        surface.place(subject.kind, span),
        attribute=f"opposite of {span.name}" if opposite else "",
        after=span.facts.get("default"),
    )


def _departure(surface: Surface, subject: Subject, span: Span) -> Iterator[Event]:
    gone_in = surface.next_release(span.until) if span.until else None
    if gone_in:
        yield Event(gone_in, "went", surface.place(subject.kind, span, last=True))


def _differences(surface: Surface, subject: Subject, earlier: Span, later: Span) -> Iterator[Event]:
    place = surface.place(subject.kind, later)
    if earlier.name != later.name:
        yield Event(later.since, "changed", place, "stands for", earlier.name, later.name)
        return
    for attribute in TOLD:
        before, after = earlier.facts.get(attribute), later.facts.get(attribute)
        if before != after:
            yield Event(later.since, "changed", place, attribute, before, after)


def _deprecation(surface: Surface, subject: Subject, earlier: Span | None, later: Span) -> Iterator[Event]:
    before = earlier.facts.get("deprecated") if earlier else None
    after = later.facts.get("deprecated")
    if before != after:
        what: What = "deprecated" if after else "no longer deprecated"
        yield Event(later.since, what, surface.place(subject.kind, later), before=before, after=after)


def describe(life: History) -> Iterator[str]:
    """Yield the history as lines for a person, each with the place that shows it."""
    yield f"{life.subject.name} ({life.subject.kind}): {life.subject.held[0]} to {life.subject.held[-1]}"
    for event in life.events:
        yield f"{event.release}: {_told(event)} [{event.place.where} @ {event.place.release}]"
    for rename in life.replaced_by:
        sources = ", ".join(f"{source.path} @ {source.version}" for source in rename.sources)
        yield f"instead: {' or '.join(rename.new) or 'nothing'}. {rename.note} [{sources}]"


def _told(event: Event) -> str:
    match event.what:
        case "came" | "came back":
            opposite = f" as the {event.attribute}" if event.attribute else ""
            default = f", default {shown(event.after)}" if event.after is not None else ""
            first = event.what == "came" and event.release == releases()[0]
            came = "there in the oldest release read" if first else event.what
            return f"{came}{opposite}{default}"
        case "changed":
            return f"{event.attribute} {told_change(event.before, event.after)}"
        case "deprecated":
            announced = event.after if isinstance(event.after, dict) else {}
            end = f", removal announced for {announced['removal']}" if "removal" in announced else ""
            names = f", names {', '.join(announced['mentions'])}" if "mentions" in announced else ""
            return f"deprecated{end}{names}"
        case "no longer deprecated" | "went":
            return event.what

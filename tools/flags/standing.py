"""Where names stand: whether a release has a flag, variable, metric or key, since when, and what took its place."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from knowledge.surface.difference import shown
from knowledge.surface.existence import Exists, Gone, NotYet, Unknown
from knowledge.surface.history import History, describe, history
from knowledge.surface.lookup import Subject
from knowledge.surface.store import spans_of
from knowledge.surface.surface import Surface
from knowledge.versions import releases
from tools.contract import Step, Traced
from tools.flags.near import nearest
from tools.flags.successor import successor

EVENTS_SHOWN: Final = 8
NAMES_AT_MOST: Final = 6
KIND_WORDS: Final = {
    "flags": "flag",
    "env": "environment variable",
    "metrics": "metric",
    "config_keys": "key",
    "bench": "benchmark",
    "bench_flags": "benchmark flag",
    "moe_configs": "tuned kernel file",
    "device_defaults": "default",
    "levels": "level",
}


class Stands(Traced, frozen=True):
    """Where one name stands.

    Attributes:
        name: As asked.
        has: Whether the release has it.
        verdict: One sentence.
        events: What happened to it, oldest first, one line each.
    """

    name: str = ""
    has: bool = False
    verdict: str = ""
    events: tuple[str, ...] = ()


class Standings(Traced, frozen=True):
    """Where several names stand; the steps hold every sentence, as `standing.N` and `standing.N.M`."""

    names: tuple[Stands, ...] = ()


def standings(names: Iterable[str], release: str) -> Standings:
    """Look names up.

    Args:
        names: As typed; at most `NAMES_AT_MOST` are looked up.
        release: A release known here.
    """
    found = tuple(_stands(name, release) for name in list(dict.fromkeys(names))[:NAMES_AT_MOST])
    return Standings(names=found, steps=tuple(_steps(found)))


def _steps(found: tuple[Stands, ...]) -> Iterator[Step]:
    for number, one in enumerate(found):
        yield Step(name=f"standing.{number}", formula=f"`ask flags show {one.name}`", value=one.verdict)
        for at, event in enumerate(one.events):
            yield Step(name=f"standing.{number}.{at}", formula=f"history of {one.name}", value=event)


def _stands(name: str, release: str) -> Stands:
    surface = Surface.load()
    subject = surface.lookup(name)
    life = history(surface, name)
    events = _events(life) if life else ()
    match surface.exists(name, release):
        case Exists() if subject is not None:
            return Stands(name=name, has=True, verdict=_held(subject, release), events=events)
        case Gone(last, back) if subject is not None:
            again = f" It is accepted again from {back}." if back else ""
            verdict = f"vLLM {release} has no `{subject.name}`: {last} was the last release with it.{again}"
            return Stands(name=name, verdict=f"{verdict}{_instead(subject.name, release)}", events=events)
        case NotYet(first) if subject is not None:
            verdict = f"vLLM {release} has no `{subject.name}` yet: it came with {first}."
            return Stands(name=name, verdict=verdict, events=events)
        case Exists() | Gone() | NotYet() | Unknown():
            return Stands(name=name, verdict=_never(name))


def _events(life: History) -> tuple[str, ...]:
    told = [line for line in list(describe(life))[1:] if not line.startswith("instead:")]
    return tuple(told[-EVENTS_SHOWN:])


def _held(subject: Subject, release: str) -> str:
    surface = Surface.load()
    first, last = subject.held[0], subject.held[-1]
    since = "since before" if first == releases()[0] else "since"
    until = "" if last == releases()[-1] else f" to {last}"
    facts: dict[str, Any] = next(
        (s.facts for s in surface.standing(subject.kind, release) if s.name == subject.name), {}
    )
    default = f" Its default is `{_plain(facts['default'])}`." if facts.get("default") is not None else ""
    gone = " It is deprecated." if facts.get("deprecated") else ""
    instead = _instead(subject.name, release) if gone else ""
    word = KIND_WORDS[subject.kind]
    return f"vLLM {release} has the {word} `{subject.name}`, {since} {first}{until}.{default}{gone}{instead}"


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        return str(value.get("value", "decided at start"))
    return value if isinstance(value, str) else shown(value)


def _instead(name: str, release: str) -> str:
    new = successor(name, release)
    told = f" Instead: `{new.typed}`." if new.typed else ""
    return f"{told} {new.note}".rstrip() if new.note else told


def _never(name: str) -> str:
    known = {span.name for kind in ("flags", "env", "metrics") for span in spans_of(kind)}
    near = nearest(name, known)
    hint = f"; the nearest name is `{near}`" if near else ""
    return f"no vLLM release from {releases()[0]} to {releases()[-1]} has `{name}`{hint}."

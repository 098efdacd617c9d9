"""Find what a spelling names, in whichever releases have it."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import msgspec

from knowledge.surface.kinds import FlagFacts, KeyFacts, Kind
from knowledge.surface.spans import Span
from knowledge.surface.spelling import Asked, family_of
from knowledge.surface.store import spans_of
from knowledge.versions import releases

# The group of the flags that only the server has; a benchmark that takes the engine's flags has not these.
FRONT_END = "Frontend"


@dataclass(frozen=True, slots=True)
class Subject:
    """What a spelling names.

    Attributes:
        kind: The kind of fact.
        name: The spelling as vLLM has it.
        spans: The spans in which that spelling held, oldest first.
        held: Every release that has it, oldest first; none when nothing is named so.
    """

    kind: Kind
    name: str
    spans: tuple[Span, ...]
    held: tuple[str, ...]


class Index:
    """Finds subjects; every kind is read when it is first asked for."""

    def __init__(self) -> None:
        self.order = {release: position for position, release in enumerate(releases())}

    def subject(self, asked: Asked, command: str) -> Subject:
        """What one reading of a spelling names.

        Args:
            asked: The reading.
            command: The command that a flag is given to, see `Surface.exists`.
        """
        if asked.kind == "flags":
            return self._flag(asked, command)
        if asked.kind == "config_keys":
            return self._key_path(asked.name, asked.keys)
        name: str | None = asked.name
        if asked.kind == "metrics":
            name = family_of(asked.name, self._families)
        spans = tuple(span for span in spans_of(asked.kind) if span.name == name)
        return self._made(asked.kind, name or asked.name, spans)

    def _made(self, kind: Kind, name: str, spans: tuple[Span, ...]) -> Subject:
        return Subject(kind, name, spans, self._held(spans))

    def _held(self, spans: Iterable[Span]) -> tuple[str, ...]:
        newest = len(self.order) - 1
        ranges = [(self.order[s.since], self.order[s.until] if s.until else newest) for s in spans]
        return tuple(r for r, at in self.order.items() if any(first <= at <= last for first, last in ranges))

    def _flag(self, asked: Asked, command: str) -> Subject:
        spans = self._by_spelling.get(asked.name, ())
        if command.startswith("bench"):
            subcommand = command.removeprefix("bench").strip()
            own = self._bench_flag(asked.name, subcommand)
            if own.held or not self._takes_engine_flags(subcommand):
                return own
            spans = tuple(span for span in spans if span.facts.get("group", FRONT_END) != FRONT_END)
        if asked.keys:
            return self._keyed_flag(asked, spans)
        if not spans and not command:
            return self._bench_flag(asked.name, "")
        return self._made("flags", asked.name, spans)

    def _takes_engine_flags(self, subcommand: str) -> bool:
        return any(s.name == subcommand and s.facts.get("takes_engine_flags") for s in spans_of("bench"))

    def _bench_flag(self, flag: str, subcommand: str) -> Subject:
        """A flag of one subcommand of `vllm bench`; of the one that has had it longest when none is named."""
        found: dict[str, list[Span]] = {}
        for span in spans_of("bench_flags"):
            owner = span.name.partition(" ")[0]
            if subcommand in {"", owner} and flag in flag_facts(span).all_spellings:
                found.setdefault(owner, []).append(span)
        subjects = [self._made("bench_flags", f"bench {owner} {flag}", tuple(spans)) for owner, spans in found.items()]
        nothing = self._made("bench_flags", flag, ())
        return max(subjects, key=lambda subject: len(subject.held), default=nothing)

    def _keyed_flag(self, asked: Asked, spans: tuple[Span, ...]) -> Subject:
        """A flag with keys behind it: the config class that it has in each release must have them."""
        kind: Kind = "flags"
        held: set[str] = set()
        found: list[Span] = []
        for span in spans:
            facts = flag_facts(span)
            if facts.config:
                kind, keys = "config_keys", self._key_path(facts.config, asked.keys)
                held |= set(keys.held) & set(self._held([span]))
                found += [key for key in keys.spans if key not in found]
            elif facts.type.startswith("json"):
                held |= set(self._held([span]))  # any key is accepted there
                found.append(span)
        name = ".".join([asked.name, *asked.keys])
        return Subject(kind, name, self._by_age(found), self._ordered(held))

    def _key_path(self, cls: str, keys: tuple[str, ...]) -> Subject:
        """A key of a config class, or of the class behind that key, and so on."""
        name = f"{cls}.{keys[0]}"
        spans = tuple(span for span in spans_of("config_keys") if span.name == name)
        if len(keys) == 1:
            return self._made("config_keys", name, spans)
        held: set[str] = set()
        found: list[Span] = []
        for span in spans:
            facts = msgspec.convert(span.facts, KeyFacts)
            if facts.config:
                inner = self._key_path(facts.config, keys[1:])
                held |= set(inner.held) & set(self._held([span]))
                found += [key for key in inner.spans if key not in found]
            elif "dict" in facts.type:
                held |= set(self._held([span]))  # any key is accepted there
                found.append(span)
        return Subject("config_keys", f"{cls}.{'.'.join(keys)}", self._by_age(found), self._ordered(held))

    def _by_age(self, spans: Iterable[Span]) -> tuple[Span, ...]:
        return tuple(sorted(spans, key=lambda span: self.order[span.since]))

    def _ordered(self, held: Iterable[str]) -> tuple[str, ...]:
        return tuple(sorted(held, key=self.order.__getitem__))

    @cached_property
    def _by_spelling(self) -> dict[str, tuple[Span, ...]]:
        index: dict[str, list[Span]] = {}
        for span in spans_of("flags"):
            facts = flag_facts(span)
            for spelling in (*facts.all_spellings, *facts.rewritten):
                index.setdefault(spelling, []).append(span)
        return {spelling: self._by_age(spans) for spelling, spans in index.items()}

    @cached_property
    def _families(self) -> dict[str, frozenset[str]]:
        kinds: dict[str, set[str]] = {}
        for span in spans_of("metrics"):
            kinds.setdefault(span.name, set()).add(span.facts.get("kind", ""))
        return {family: frozenset(found) for family, found in kinds.items()}


def flag_facts(span: Span) -> FlagFacts:
    """What is known of a flag in a span."""
    return msgspec.convert(span.facts, FlagFacts)

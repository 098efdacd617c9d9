"""What each vLLM release accepts and exports, and whether a name exists in one.

`Surface.load()` is cheap: a kind of fact is read when it is first asked for.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

import msgspec

from knowledge.errors import UserError
from knowledge.surface.existence import Existence, Exists, Gone, NotYet, Unknown
from knowledge.surface.kinds import (
    BenchFacts,
    DeviceFacts,
    EnvFacts,
    FlagFacts,
    KeyFacts,
    Kind,
    LevelFacts,
    MetricFacts,
    ShippedFacts,
)
from knowledge.surface.lookup import Index, Subject
from knowledge.surface.spans import Span, holding
from knowledge.surface.spelling import readings
from knowledge.surface.store import newest_places, spans_of
from knowledge.versions import newest, releases

# argparse adds these to every parser itself.
BUILT_IN = frozenset({"-h", "--help"})

FactsT = TypeVar("FactsT")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a release shows a fact.

    Attributes:
        release: The release.
        where: The `file:line`; empty when the file itself is the fact.
    """

    release: str
    where: str

    def url(self) -> str:
        """The line at the release's tag."""
        path, _, line = self.where.rpartition(":")
        return f"https://github.com/vllm-project/vllm/blob/v{self.release}/{path}#L{line}" if path else ""


class Surface:
    """The facts of every release known here."""

    def __init__(self) -> None:
        self._index = Index()

    @classmethod
    @cache
    def load(cls) -> "Surface":
        """The shipped surface."""
        return cls()

    def at(self, release: str) -> "Release":
        """The surface of one release.

        Raises:
            UserError: The release is not known here.
        """
        if release not in self._index.order:
            raise UserError(f"vLLM {release} is not known here; known are {releases()[0]} to {newest()}")
        return Release(self, release)

    def exists(self, spelling: str, release: str, command: str = "") -> Existence:
        """Whether a release has what a spelling names.

        Args:
            spelling: A flag, environment variable, metric or key as a person writes it; see `readings`.
            release: A release known here.
            command: The command that a flag is given to: `serve`, or `bench` and its subcommand. When it is
                not known the flags of `serve` are looked at first and then those of `bench`.

        Raises:
            UserError: The release is not known here.
        """
        self.at(release)
        if spelling in BUILT_IN:
            return Exists()
        subject = self.lookup(spelling, command)
        if subject is None:
            return Unknown()
        if release in subject.held:
            return Exists()
        order = self._index.order
        earlier = [held for held in subject.held if order[held] < order[release]]
        later = [held for held in subject.held if order[held] > order[release]]
        return Gone(earlier[-1], later[0] if later else None) if earlier else NotYet(later[0])

    def lookup(self, spelling: str, command: str = "") -> Subject | None:
        """What a spelling names in any release, or None; the arguments are those of `exists`."""
        found = (self._index.subject(asked, command) for asked in readings(spelling))
        return next((subject for subject in found if subject.held), None)

    def standing(self, kind: Kind, release: str) -> list[Span]:
        """The spans of a kind that hold in a release."""
        return holding(spans_of(kind), release, self._index.order)

    def place(self, kind: Kind, span: Span, *, last: bool = False) -> Place:
        """Where the first release of a span shows it, or with `last` the last one."""
        if not last:
            return Place(span.since, span.first_at)
        if span.until:
            return Place(span.until, span.last_at)
        return Place(newest(), newest_places()[kind].get(span.name, ""))

    def next_release(self, release: str) -> str | None:
        """The release after one, or None for the newest."""
        after = self._index.order[release] + 1
        return releases()[after] if after < len(releases()) else None


@dataclass(frozen=True, slots=True)
class Release:
    """The surface of one release; each property maps a name to what is known of it.

    Attributes:
        surface: All the releases.
        version: The release.
    """

    surface: Surface
    version: str

    @property
    def flags(self) -> dict[str, FlagFacts]:
        """The flags of `vllm serve`."""
        return self._facts("flags", FlagFacts)

    @property
    def env(self) -> dict[str, EnvFacts]:
        """The environment variables."""
        return self._facts("env", EnvFacts)

    @property
    def metrics(self) -> dict[str, MetricFacts]:
        """The Prometheus families."""
        return self._facts("metrics", MetricFacts)

    @property
    def config_keys(self) -> dict[str, KeyFacts]:
        """The keys of the JSON flags, named `Class.key`."""
        return self._facts("config_keys", KeyFacts)

    @property
    def moe_configs(self) -> tuple[str, ...]:
        """The tuned mixture-of-experts kernel files, without `.json`."""
        return tuple(self._facts("moe_configs", ShippedFacts))

    @property
    def bench(self) -> dict[str, BenchFacts]:
        """The subcommands of `vllm bench`."""
        return self._facts("bench", BenchFacts)

    @property
    def bench_flags(self) -> dict[str, FlagFacts]:
        """Their own flags, named `serve --num-prompts`."""
        return self._facts("bench_flags", FlagFacts)

    @property
    def device_defaults(self) -> dict[str, DeviceFacts]:
        """The defaults that hang on the device."""
        return self._facts("device_defaults", DeviceFacts)

    @property
    def levels(self) -> dict[str, Any]:
        """What each optimisation level sets, named `O2.compilation_config.cudagraph_mode`."""
        return {name: facts.value for name, facts in self._facts("levels", LevelFacts).items()}

    def _facts(self, kind: Kind, model: type[FactsT]) -> dict[str, FactsT]:
        standing = self.surface.standing(kind, self.version)
        return {span.name: msgspec.convert(span.facts, model) for span in standing}

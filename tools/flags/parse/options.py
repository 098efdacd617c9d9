"""The option strings that a command of a release accepts, found as `argparse` finds them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from knowledge.surface.kinds import FlagFacts
from knowledge.surface.lookup import FRONT_END
from knowledge.surface.surface import BUILT_IN, Surface
from tools.flags.launch import Command

HELP = FlagFacts(spellings=tuple(sorted(BUILT_IN)), type="bool", nargs=0)


@dataclass(frozen=True, slots=True)
class Option:
    """One spelling of a flag.

    Attributes:
        spelling: It, in full.
        name: The flag's name: its first spelling.
        facts: What is known of the flag in the release.
        negated: Whether this spelling sets the opposite.
    """

    spelling: str
    name: str
    facts: FlagFacts
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """A beginning that several spellings share; the parser refuses it."""

    spellings: tuple[str, ...]


class Options:
    """Every option string of one command of one release.

    Args:
        flags: Flag name to facts.
    """

    def __init__(self, flags: Mapping[str, FlagFacts]) -> None:
        self.flags = {**flags, "--help": HELP}
        self.by_spelling = {
            option.spelling: option for name, facts in self.flags.items() for option in _of(name, facts)
        }

    def find(self, spelling: str) -> Option | Ambiguous | None:
        """The flag that a spelling, or a unique beginning of one (`--tensor-par`), sets.

        Args:
            spelling: With its dashes, without a value or keys, dashes for underscores.
        """
        exact = self.by_spelling.get(spelling)
        if exact or not spelling.startswith("-") or len(spelling) < 2:
            return exact
        longer = [option for known, option in self.by_spelling.items() if known.startswith(spelling)]
        if len({option.spelling for option in longer}) > 1:
            return Ambiguous(tuple(sorted(option.spelling for option in longer)))
        return longer[0] if longer else None


def _of(name: str, facts: FlagFacts) -> list[Option]:
    own = [Option(spelling, name, facts) for spelling in facts.spellings]
    return own + [Option(spelling, name, facts, negated=True) for spelling in facts.negations]


@cache
def options(release: str, command: Command, subcommand: str = "") -> Options:
    """The option strings of a command.

    Args:
        release: A release known here.
        command: `serve` or `bench`.
        subcommand: For `bench`, which one.
    """
    surface = Surface.load().at(release)
    if command == "serve":
        return Options(surface.flags)
    own = {
        name.partition(" ")[2]: facts
        for name, facts in surface.bench_flags.items()
        if name.partition(" ")[0] == subcommand
    }
    bench = surface.bench.get(subcommand)
    if bench is None or not bench.takes_engine_flags:
        return Options(own)
    engine = {name: facts for name, facts in surface.flags.items() if facts.group not in ("", FRONT_END)}
    return Options({**engine, **own})

"""What was given on a command line: flags with their values, and what its parser would stumble over."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from knowledge.surface.kinds import FlagFacts

FaultCode = Literal[
    "flag-not-known", "flag-ambiguous", "value-missing", "value-not-taken", "value-refused", "word-not-taken"
]


@dataclass(frozen=True, slots=True)
class Given:
    """One use of a flag.

    Attributes:
        typed: The option as typed, without its value.
        name: The flag's name in the release.
        facts: What is known of it.
        words: The words of its value.
        value: The value read from them; None when it was refused or is not known.
        keys: For `--compilation-config.mode`, the keys behind the flag.
        line: Where it stands.
        known: False when the value holds something that only the shell would know, or was refused.
    """

    typed: str
    name: str
    facts: FlagFacts
    words: tuple[str, ...] = ()
    value: Any = None
    keys: tuple[str, ...] = ()
    line: int = 1
    known: bool = True


@dataclass(frozen=True, slots=True)
class Fault:
    """Something at which the release's parser would stop.

    Attributes:
        code: What it is.
        subject: The flag, or the word.
        detail: Why it is refused.
        words: The words that stood behind a flag that is not known.
        line: Where it stands.
    """

    code: FaultCode
    subject: str
    detail: str = ""
    words: tuple[str, ...] = ()
    line: int = 1


@dataclass(frozen=True, slots=True)
class Parsed:
    """A command line as read.

    Attributes:
        model: The model, positional or by `--model`; None when none was given or it is not known.
        model_line: Where it stands.
        given: Every use of a flag that the release has, in order.
        faults: What its parser would stumble over, in order.
    """

    model: str | None = None
    model_line: int = 1
    given: tuple[Given, ...] = ()
    faults: tuple[Fault, ...] = field(default=())

    def uses(self, name: str) -> Iterator[Given]:
        """Every use of a flag, in order; the last one wins."""
        return (given for given in self.given if given.name == name)

    def last(self, name: str) -> Given | None:
        """The use of a flag that wins, or None."""
        return next(iter(reversed(list(self.uses(name)))), None)

    def json(self, name: str) -> dict[str, Any]:
        """The keys of a JSON flag that take effect; nothing when it was not given or could not be read."""
        objects = self.objects(name)
        return objects[-1] if objects else {}

    def objects(self, name: str) -> list[dict[str, Any]]:
        """The JSON objects that a flag is given, in the order in which they replace each other.

        Keys given one by one are collected, by the spelling of the flag, into an object that stands behind all
        others: the parser appends it to the command line.
        """
        whole = [use.value for use in self.uses(name) if not use.keys and isinstance(use.value, dict)]
        keyed: dict[str, dict[str, Any]] = {}
        for use in self.uses(name):
            if use.keys:
                _put(keyed.setdefault(use.typed.partition(".")[0], {}), use.keys, use.value)
        return [*whole, *keyed.values()]


def _put(into: dict[str, Any], keys: tuple[str, ...], value: Any) -> None:
    for key in keys[:-1]:
        below = into.get(key)
        into[key] = below if isinstance(below, dict) else {}
        into = into[key]
    held = into.get(keys[-1])
    into[keys[-1]] = held + value if isinstance(held, list) and isinstance(value, list) else value

"""Whether a release has something: four answers, and not knowing is one of them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Exists:
    """The release has it."""


@dataclass(frozen=True, slots=True)
class Gone:
    """Earlier releases had it.

    Attributes:
        last: The last release before the one asked about that had it.
        back: The first later release that has it again, if any.
    """

    last: str
    back: str | None = None


@dataclass(frozen=True, slots=True)
class NotYet:
    """It came with a later release, `first`."""

    first: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """No release known here has it."""


Existence = Exists | Gone | NotYet | Unknown

"""Which vLLM releases exist, and which of them a version typed by a person means."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

from knowledge.errors import UserError


@dataclass(frozen=True, slots=True)
class KnownVersion:
    """A release the knowledge speaks of, and how we came to it.

    Attributes:
        release: A final release listed in surface/releases.txt, for example `0.33.0`.
        basis: One clause that tells why this release was taken.
        exact: False when another version was asked for and this is the nearest one known.
    """

    release: str
    basis: str
    exact: bool = True


@cache
def releases() -> tuple[str, ...]:
    """Final vLLM releases, oldest first, as listed on PyPI when the surface was last built."""
    return tuple(files("knowledge.surface").joinpath("releases.txt").read_text("utf-8").split())


def newest() -> str:
    """The newest release known here."""
    return releases()[-1]


def resolve(text: str | None, told: str = "given with --version") -> KnownVersion:
    """Turn what a person or a log calls the version into a release we know.

    Args:
        text: For example `0.27.0`, `v0.27`, `0.28.0rc1`, `0.31.0.dev12+gabc`; None when nothing was said.
        told: Where `text` was told, as a clause.

    Returns:
        The release itself when it is known, else the newest known one that is not newer than `text`.

    Raises:
        UserError: `text` is not a version number, or older than every release known.
    """
    if text is None:
        return KnownVersion(newest(), "assumed: the newest release known here, none was named")
    try:
        wanted = Version(text.strip().removeprefix("v"))
    except InvalidVersion as exc:
        raise UserError(
            f"{text!r} is not a version number; write one such as {newest()} (known: {releases()[0]} to {newest()})"
        ) from exc
    known = [(Version(r), r) for r in releases()]
    for version, release in known:
        if version == Version(wanted.public):  # `+cu129` and the like name a build of the release
            return KnownVersion(release, told)
    # A release candidate or dev build is nearest to the release it leads to; a local build to its base.
    base = Version(wanted.base_version)
    below = [release for version, release in known if version <= base]
    if not below:
        raise UserError(f"vLLM {text} is older than every release known here; the oldest is {releases()[0]}")
    return KnownVersion(
        below[-1], f"nearest release known to {text}, which was {told} and is not itself known", exact=False
    )


def parse_range(text: str) -> SpecifierSet:
    """Parse an `applies` range such as `>=0.11,<0.27`.

    Raises:
        ValueError: It is not a PEP 440 specifier set.
    """
    try:
        return SpecifierSet(text)
    except InvalidSpecifier as exc:
        raise ValueError(f"{text!r} is not a version range such as '>=0.11,<0.27'") from exc


@cache
def in_range(release: str, applies: str) -> bool:
    """Whether a release lies in an `applies` range."""
    return parse_range(applies).contains(release, prereleases=True)

"""Which vLLM releases exist, and which of them a version typed by a person means."""

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import Version

from knowledge.errors import UserError


@dataclass(frozen=True, slots=True)
class KnownVersion:
    """A release the knowledge speaks of, and how we came to it.

    Attributes:
        release: A final release listed in surface/releases.txt, for example `0.33.0`.
        basis: One clause that tells why this release was taken.
        exact: False when another version was asked for and this is the nearest one known.
        until: The newest release of the range that was asked for; "" when it was no range.
        outside: Where the version asked for lies when it is outside all that is known here.
    """

    release: str
    basis: str
    exact: bool = True
    until: str = ""
    outside: Literal["", "older", "newer"] = ""


@cache
def releases() -> tuple[str, ...]:
    """Final vLLM releases, oldest first, as listed on PyPI when the surface was last built."""
    return tuple(files("knowledge.surface").joinpath("releases.txt").read_text("utf-8").split())


def newest() -> str:
    """The newest release known here."""
    return releases()[-1]


_NUMBER = re.compile(
    r"(?<![\w.])v?(\d+\.\d+(?:\.\d+)*(?:(?:a|b|rc)\d+)?(?:\.?(?:post|dev)\d+)*)(\.?x\b)?", re.IGNORECASE
)
_NO_RELEASE = frozenset({"none", "unknown", "latest", "nightly", "main", "dev", "master", "head"})
_UNTAGGED = Version("0.2")
"""Builds from a source tree without tags call themselves 0.0 or 0.1.dev…; no release did that matters here."""


def resolve(text: str | None, told: str = "given with --version") -> KnownVersion:
    """Turn what a person, an image or a log calls the version into a release we know.

    Args:
        text: For example `0.27.0`, `v0.27`, `0.28.0rc1`, `0.31.0.dev12+gabc`, `0.29.x`, `>=0.28,<0.30`,
            `v0.19.0-cu130`, `nightly`; None when nothing was said.
        told: Where `text` was told, as a clause.

    Returns:
        The release itself when it is known, else the newest known one that is not newer than `text`; of a range the
        oldest one; the newest of all for a build that is no release; the oldest of all for one older than that.

    Raises:
        UserError: `text` names no version.
    """
    if text is None:
        return KnownVersion(newest(), "assumed: the newest release known here, none was named")
    bare = text.strip()
    if bare.lower() in _NO_RELEASE:
        return _assumed(f"no release was {told} ({bare})")
    if bare[:1] in {"<", ">", "=", "~", "!"}:
        return _oldest_in(bare, told)
    found = _NUMBER.search(bare)
    if not found:
        raise UserError(
            f"{text!r} is not a version number; write one such as {newest()} (known: {releases()[0]} to {newest()})"
        )
    number, family = found.groups()
    if family or bare[found.end() :].startswith("x"):
        return _newest_of(number, bare, told)
    return _nearest(Version(number), bare, told)


def _assumed(why: str) -> KnownVersion:
    return KnownVersion(newest(), f"assumed: the newest release known here, as {why}", exact=False, outside="newer")


def _oldest_in(text: str, told: str) -> KnownVersion:
    try:
        allowed = parse_range(text)
    except ValueError as exc:
        raise UserError(f"{exc} (known: {releases()[0]} to {newest()})") from exc
    held = [release for release in releases() if allowed.contains(release)]
    if not held:
        raise UserError(f"no release known here is in {text!r}; known are {releases()[0]} to {newest()}")
    return KnownVersion(held[0], f"the oldest release known in {text}, which was {told}", exact=False, until=held[-1])


def _newest_of(number: str, text: str, told: str) -> KnownVersion:
    """The newest release of a family such as `0.29.x`, or the nearest when none of it is known."""
    held = [release for release in releases() if release.startswith(number)]
    if not held:
        return _nearest(Version(number), text, told)
    return KnownVersion(held[-1], f"the newest release known of {text}, which was {told}", exact=False)


def _nearest(wanted: Version, text: str, told: str) -> KnownVersion:
    known = [(Version(r), r) for r in releases()]
    for version, release in known:
        if version == wanted:  # `+cu129`, `-cu130` and the like name a build of the release
            return KnownVersion(release, told)
    if wanted < _UNTAGGED and (wanted.is_devrelease or wanted.release[:2] == (0, 0)):
        return _assumed(f"{text!r}, {told}, is a build without a release number")
    # A release candidate or dev build is nearest to the release it leads to.
    base = Version(wanted.base_version)
    below = [release for version, release in known if version <= base]
    basis = f"nearest release known to {text}, which was {told} and is not itself known"
    if not below:
        return KnownVersion(releases()[0], basis, exact=False, outside="older")
    return KnownVersion(below[-1], basis, exact=False, outside="newer" if base > known[-1][0] else "")


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

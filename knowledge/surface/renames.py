"""What took the place of a name, where names alone do not tell; curated, each with a source."""

import tomllib
from collections.abc import Collection
from functools import cache
from pathlib import Path

import msgspec

from knowledge.errors import CorpusError
from knowledge.surface.store import data_dir

RENAMES = "renames.toml"


class Source(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of a released archive in which `token` stands."""

    path: str
    version: str
    token: str

    def url(self) -> str:
        """The file at the release's tag."""
        return f"https://github.com/vllm-project/vllm/blob/v{self.version}/{self.path}"


class Rename(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What replaced what.

    Attributes:
        old: Names that went or are on their way out.
        new: What to use instead; empty when nothing took their place.
        note: How to use it, in our words.
        sources: Where vLLM shows it.
    """

    old: tuple[str, ...]
    new: tuple[str, ...]
    note: str
    sources: tuple[Source, ...]


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rename: tuple[Rename, ...]


@cache
def renames(folder: Path | None = None) -> tuple[Rename, ...]:
    """All curated renames.

    Raises:
        CorpusError: The file is missing or does not parse.
    """
    path = (folder or data_dir()) / RENAMES
    try:
        return msgspec.convert(tomllib.loads(path.read_text("utf-8")), _File).rename
    except (OSError, tomllib.TOMLDecodeError, msgspec.ValidationError) as exc:
        raise CorpusError(f"{path}: {exc}") from exc


def renames_from(names: Collection[str]) -> tuple[Rename, ...]:
    """The renames that lead away from any of the names."""
    return tuple(rename for rename in renames() if not set(rename.old).isdisjoint(names))


def renames_to(names: Collection[str]) -> tuple[Rename, ...]:
    """The renames that lead to any of the names."""
    return tuple(rename for rename in renames() if not set(rename.new).isdisjoint(names))

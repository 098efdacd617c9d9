"""Curated renames: every name in them is known, and none is named twice."""

from pathlib import Path

import pytest

from knowledge.errors import CorpusError
from knowledge.surface.renames import renames
from knowledge.surface.surface import Surface

SURFACE = Surface.load()
OLD = [name for rename in renames() for name in rename.old]
NEW = [name for rename in renames() for name in rename.new]


@pytest.mark.parametrize("name", [*OLD, *NEW])
def test_a_name_is_known_to_the_surface(name: str) -> None:
    assert SURFACE.lookup(name) is not None


def test_no_name_is_replaced_twice() -> None:
    assert len(OLD) == len(set(OLD))


@pytest.mark.parametrize("rename", renames(), ids=lambda rename: rename.old[0])
def test_a_rename_has_a_source_in_a_known_release(rename: object) -> None:
    sources = getattr(rename, "sources", ())
    assert sources
    assert all(source.url().endswith(source.path) for source in sources)
    for source in sources:
        SURFACE.at(source.version)


def test_an_unknown_key_is_refused(tmp_path: Path) -> None:
    (tmp_path / "renames.toml").write_text('[[rename]]\nold = ["--a"]\nnew = []\nnote = ""\nsources = []\nwhy = 1\n')
    with pytest.raises(CorpusError, match="why"):
        renames(tmp_path)

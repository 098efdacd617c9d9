"""Adding a release: one command, from an archive to data that read back."""

from collections.abc import Callable
from pathlib import Path

import pytest

from knowledge.errors import UserError
from knowledge.surface import build
from knowledge.surface.spans import Reading
from knowledge.surface.store import newest_places, read_spans

Found = build.Found


@pytest.fixture
def two_releases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Data of release 1.0, with a reader that knows 1.0 and 1.1; returns the folder of the data."""
    empty = {kind: dict[str, Reading]() for kind in build.KINDS}
    releases: dict[str, Found] = {
        "1.0": {**empty, "flags": {"--a": Reading({"default": 1}, "a.py:1"), "--b": Reading({}, "b.py:1")}},
        "1.1": {**empty, "flags": {"--a": Reading({"default": 2}, "a.py:3"), "--c": Reading({}, "c.py:1")}},
    }
    monkeypatch.setattr(build, "read", lambda release, archives: releases[release])
    monkeypatch.setattr(build, "releases", lambda: ("1.0",))
    folder = tmp_path / "data"

    def made(_: str) -> Path:
        build.build_all(("1.0",), tmp_path, folder)
        return folder

    return made


def test_adding_a_release_carries_the_spans_on(
    two_releases: Callable[[str], Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = two_releases("1.0")
    build.add("1.1", tmp_path, folder)
    spans = [(s.name, s.since, s.until, s.first_at, s.last_at) for s in read_spans("flags", folder)]
    assert spans == [
        ("--a", "1.0", "1.0", "a.py:1", "a.py:1"),
        ("--a", "1.1", "", "a.py:3", ""),
        ("--b", "1.0", "1.0", "b.py:1", "b.py:1"),
        ("--c", "1.1", "", "c.py:1", ""),
    ]
    assert (tmp_path / "releases.txt").read_text() == "1.0\n1.1\n"
    told = capsys.readouterr().out.splitlines()
    assert told[-3:] == [
        "~ flags --a: default 1 -> 2 (a.py:3)",
        "- flags --b (was b.py:1)",
        "+ flags --c (c.py:1)",
    ]


def test_adding_gives_what_a_whole_build_gives(two_releases: Callable[[str], Path], tmp_path: Path) -> None:
    folder = two_releases("1.0")
    build.add("1.1", tmp_path, folder)
    build.build_all(("1.0", "1.1"), tmp_path, tmp_path / "whole")
    newest_places.cache_clear()
    assert read_spans("flags", folder) == read_spans("flags", tmp_path / "whole")
    assert newest_places(folder) == newest_places(tmp_path / "whole")


@pytest.mark.parametrize("release", ["1.0", "0.9"])
def test_a_release_that_is_not_newer_is_refused(
    two_releases: Callable[[str], Path], tmp_path: Path, release: str
) -> None:
    with pytest.raises(UserError, match="only a release newer than"):
        build.add(release, tmp_path, two_releases("1.0"))


def test_what_is_no_version_is_refused(two_releases: Callable[[str], Path], tmp_path: Path) -> None:
    with pytest.raises(UserError, match="'newest' is not a version number"):
        build.add("newest", tmp_path, two_releases("1.0"))


def test_a_refusal_gives_the_exit_status_of_its_kind(capsys: pytest.CaptureFixture[str]) -> None:
    assert build.main(["--add", "0.1.0"]) == 2
    assert "--add 0.1.0" in capsys.readouterr().err

"""Whatever happens to the data folder, a question is answered or refused with the fix named, and nothing is lost."""

import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from knowledge.errors import CorpusError, UpstreamError, UserError
from knowledge.search import index as module
from knowledge.search.encoder import encoder_key
from knowledge.search.find import find
from knowledge.search.index import KEPT_S, Index, corpus_fingerprint, open_index
from knowledge.settings import BUNDLED_MODEL, Settings

ROOT = Path(__file__).parents[3]
CLAIM = """## {title}
```toml
id = "fruit.{slug}"
kind = "fact"
applies = "{applies}"
checked = {{ version = "0.33.0", date = 2026-12-01 }}
{more}
[[sources]]
type = "code"
path = "vllm/a.py"
version = "0.33.0"
token = "x"
```
{title}, as every child knows.

"""


def claim(slug: str, title: str, applies: str = ">=0.11", more: str = "") -> str:
    return CLAIM.format(slug=slug, title=title, applies=applies, more=more)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "fruit.md").write_text(
        claim("pear", "Pears are green")
        + claim("old-pear", "Pears were yellow", applies="<0.20")
        + claim("gone", "Pears are blue pears", more="withdrawn = 2026-11-01"),
        "utf-8",
    )
    return folder


@pytest.fixture
def settings(index: Index, shared_home: Path, tmp_path: Path) -> Settings:
    """A home that has the exported encoder and no index."""
    home = tmp_path / "home"
    (home / "encoders").mkdir(parents=True)
    key = encoder_key(BUNDLED_MODEL)
    (home / "encoders" / key).symlink_to(shared_home / "encoders" / key)
    return Settings(home=home)


@pytest.fixture
def built(settings: Settings, corpus: Path) -> Path:
    """The folder of a built index."""
    open_index(settings, corpus=corpus).close()
    return settings.home / "index" / corpus_fingerprint(settings, corpus)


def answer(settings: Settings, corpus: Path) -> tuple[bool, set[str]]:
    """Whether opening it built something, and what both halves then find."""
    steps: list[str] = []
    with contextlib.closing(open_index(settings, lambda what, _d, _t: steps.append(what), corpus)) as opened:
        hits = find(opened, "pears")
    return bool(steps), {hit.claim.id for hit in hits if hit.cosine is not None}


def in_process(corpus: Path, home: Path, *more: str, without_privilege: bool = False) -> subprocess.Popen[str]:
    """Root may write anywhere, so what must see permissions runs without that privilege."""
    drop = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
    command = [*(drop if without_privilege else []), sys.executable, "-m", "tests.knowledge.search.build_tiny"]
    return subprocess.Popen(
        [*command, str(corpus), str(home), *more],
        cwd=ROOT,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def said(process: subprocess.Popen[str]) -> str:
    out, err = process.communicate(timeout=120)
    assert "Traceback" not in err
    return out.strip()


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Another process holds an exclusive lock on a SQLite file."""
    hold = (
        "import sqlite3, sys; base = sqlite3.connect(sys.argv[1]); base.execute('BEGIN EXCLUSIVE'); "
        "print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", hold, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        yield
        assert holder.stdin is not None
        holder.stdin.close()


@contextlib.contextmanager
def read_only(*folders: Path) -> Iterator[None]:
    places = [place for folder in folders for place in (folder, *folder.rglob("*")) if not place.is_symlink()]
    modes = {place: place.stat().st_mode for place in places}
    for place, mode in modes.items():
        place.chmod(mode & 0o555)
    try:
        yield
    finally:
        for place, mode in modes.items():
            place.chmod(mode)


def test_the_first_opening_builds_and_the_second_does_not(settings: Settings, corpus: Path) -> None:
    assert answer(settings, corpus) == (True, {"fruit.pear", "fruit.old-pear"})
    assert answer(settings, corpus) == (False, {"fruit.pear", "fruit.old-pear"})


def test_a_withdrawn_claim_is_kept_but_never_found(settings: Settings, corpus: Path) -> None:
    with contextlib.closing(open_index(settings, corpus=corpus)) as opened:
        assert "fruit.gone" in opened.claims
        assert "fruit.gone" not in {hit.claim.id for hit in find(opened, "Pears are blue pears", limit=9)}


@pytest.mark.parametrize(
    ("release", "found"), [("0.19.1", {"fruit.pear", "fruit.old-pear"}), ("0.20.0", {"fruit.pear"})]
)
def test_a_range_ends_where_it_says(settings: Settings, corpus: Path, release: str, found: set[str]) -> None:
    with contextlib.closing(open_index(settings, corpus=corpus)) as opened:
        assert {hit.claim.id for hit in find(opened, "pears", release=release)} == found


def halve(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def forget_claims(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as base, base:
        base.execute("UPDATE claims SET json = '{}'")


DAMAGE: dict[str, Callable[[Path], object]] = {
    "folder emptied": lambda built: (shutil.rmtree(built), built.mkdir()),
    "claims.db missing": lambda built: (built / "claims.db").unlink(),
    "claims.db empty": lambda built: (built / "claims.db").write_bytes(b""),
    "claims.db truncated": lambda built: halve(built / "claims.db"),
    "claims.db garbage": lambda built: (built / "claims.db").write_bytes(b"garbage" * 999),
    "claims.db other rows": lambda built: forget_claims(built / "claims.db"),
    "chroma missing": lambda built: shutil.rmtree(built / "chroma"),
    "chroma.sqlite3 missing": lambda built: (built / "chroma" / "chroma.sqlite3").unlink(),
    "chroma.sqlite3 empty": lambda built: (built / "chroma" / "chroma.sqlite3").write_bytes(b""),
    "chroma.sqlite3 truncated": lambda built: halve(built / "chroma" / "chroma.sqlite3"),
    "chroma.sqlite3 garbage": lambda built: (built / "chroma" / "chroma.sqlite3").write_bytes(b"garbage" * 999),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_index_is_rebuilt(
    settings: Settings, corpus: Path, built: Path, damage: Callable[[Path], object]
) -> None:
    damage(built)
    assert answer(settings, corpus) == (True, {"fruit.pear", "fruit.old-pear"})
    assert answer(settings, corpus) == (False, {"fruit.pear", "fruit.old-pear"})
    assert [path.name for path in built.parent.iterdir()] == [built.name]


def test_a_deleted_segment_folder_is_made_good(settings: Settings, corpus: Path, built: Path) -> None:
    segments = [path for path in (built / "chroma").iterdir() if path.is_dir()]
    assert segments
    for path in segments:
        shutil.rmtree(path)
    assert answer(settings, corpus)[1] == {"fruit.pear", "fruit.old-pear"}


@pytest.mark.parametrize("file", ["claims.db", "chroma/chroma.sqlite3"])
def test_a_locked_index_is_read_all_the_same(settings: Settings, corpus: Path, built: Path, file: str) -> None:
    with locked(built / file):
        assert answer(settings, corpus) == (False, {"fruit.pear", "fruit.old-pear"})


def test_a_read_only_home_with_a_good_index_is_read(settings: Settings, corpus: Path, built: Path) -> None:
    with read_only(settings.home):
        assert said(in_process(corpus, settings.home, without_privilege=True)) == "opened fruit.pear fruit.old-pear"


@pytest.mark.parametrize("home", ["home", "home/deeper"])
def test_a_home_that_cannot_be_written_is_refused(tmp_path: Path, settings: Settings, corpus: Path, home: str) -> None:
    with read_only(settings.home):
        answer = said(in_process(corpus, tmp_path / home, without_privilege=True))
    assert answer.startswith("UserError")
    assert str(tmp_path / home) in answer
    assert "ASK_HOME" in answer


def test_a_home_that_cannot_be_entered_is_refused(settings: Settings, corpus: Path, built: Path) -> None:
    settings.home.chmod(0)
    try:
        answer = said(in_process(corpus, settings.home, without_privilege=True))
    finally:
        settings.home.chmod(0o700)
    assert answer.startswith("UserError")
    assert "ASK_HOME" in answer


def test_a_home_under_a_file_is_refused(tmp_path: Path, corpus: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match="ASK_HOME") as refusal:
        open_index(Settings(home=tmp_path / "file" / "home"), corpus=corpus)
    assert str(tmp_path / "file" / "home") in str(refusal.value)


def test_others_may_read_what_was_built(settings: Settings, built: Path) -> None:
    """A data folder may be shared; `tempfile`'s folders would be for one user."""
    assert built.stat().st_mode == built.parent.stat().st_mode


def test_two_processes_build_once(settings: Settings, corpus: Path) -> None:
    outs = [said(process) for process in [in_process(corpus, settings.home) for _ in range(2)]]
    assert sorted(out.partition(" ")[0] for out in outs) == ["built", "opened"]
    assert {out.partition(" ")[2] for out in outs} == {"fruit.pear fruit.old-pear"}


def test_a_killed_build_leaves_nothing_in_the_way(settings: Settings, corpus: Path) -> None:
    killed = in_process(corpus, settings.home, "indexing")
    assert killed.wait(120) == -9
    killed.communicate()
    (settings.home / "index" / ".building-0").mkdir(parents=True)  # as a build killed a moment later leaves it
    assert answer(settings, corpus) == (True, {"fruit.pear", "fruit.old-pear"})
    assert [path.name for path in (settings.home / "index").iterdir()] == [corpus_fingerprint(settings, corpus)]


def test_a_stuck_builder_is_named(settings: Settings, corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LOCK_WAIT_S", 0.05)
    with module.build_lock(settings.home), pytest.raises(UpstreamError, match=r"build\.lock") as refusal:
        open_index(settings, corpus=corpus)
    assert refusal.value.retryable


def test_a_broken_claim_is_named_and_the_old_index_kept(settings: Settings, corpus: Path, built: Path) -> None:
    whole = (corpus / "fruit.md").read_text("utf-8")
    (corpus / "fruit.md").write_text(whole + "## Broken\nNo head.\n", "utf-8")
    with pytest.raises(CorpusError, match=rf"fruit\.md:{whole.count(chr(10)) + 1}:"):
        open_index(settings, corpus=corpus)
    (corpus / "fruit.md").write_text(whole, "utf-8")
    assert answer(settings, corpus)[0] is False


@pytest.mark.parametrize(("idle_s", "kept"), [(KEPT_S - 60, True), (KEPT_S + 60, False)], ids=["lately", "long-ago"])
def test_a_change_of_the_corpus_is_indexed_and_an_unused_state_dropped(
    settings: Settings, corpus: Path, built: Path, idle_s: float, kept: bool
) -> None:
    opened = time.time() - idle_s
    os.utime(built, (opened, opened))
    (corpus / "more.md").write_text(claim("x", "Pears are sweet").replace("fruit.x", "more.x"), "utf-8")
    assert answer(settings, corpus) == (True, {"fruit.pear", "fruit.old-pear", "more.x"})
    assert built.exists() is kept


def test_who_reads_an_older_state_goes_on(settings: Settings, corpus: Path, built: Path) -> None:
    with contextlib.closing(open_index(settings, corpus=corpus)) as reader:
        (corpus / "fruit.md").write_text(claim("apple", "Apples are red"), "utf-8")
        open_index(settings, corpus=corpus).close()
        hits = find(reader, "pears")
    assert {hit.claim.id for hit in hits if hit.cosine is not None} == {"fruit.pear", "fruit.old-pear"}


def test_a_new_release_makes_a_new_index(settings: Settings, corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Vectors carry the position of the last release they hold for."""
    before = corpus_fingerprint(settings, corpus)
    monkeypatch.setattr(module, "releases", lambda: ("0.33.0", "0.34.0"))
    assert corpus_fingerprint(settings, corpus) != before


@pytest.mark.parametrize("size", ["100k", "300k"])
def test_a_full_disk_is_refused(settings: Settings, corpus: Path, tmp_path: Path, size: str) -> None:
    home = tmp_path / "small"
    home.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", home], capture_output=True)
    if mounted.returncode:
        pytest.skip("mounting a small disk takes a privilege that is missing here")
    try:
        (home / "encoders").symlink_to(settings.home / "encoders")
        (home / "filling").write_bytes(b"0" * 60_000)
        with pytest.raises(UserError, match="ASK_HOME") as refusal:
            open_index(Settings(home=home), corpus=corpus)
        assert str(home) in str(refusal.value)
        assert (home / "filling").stat().st_size == 60_000
    finally:
        subprocess.run(["umount", "--lazy", home], check=True)

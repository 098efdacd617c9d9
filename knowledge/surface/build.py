"""Build the surface's data from released archives: `python -m knowledge.surface.build [--add VERSION]`.

Without `--add` every release of releases.txt is read again, which takes minutes and must give what is there
already. With it one release is read and carried on from the one before. What changed is printed for a person
to review.
"""

import argparse
import gc
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec
from packaging.version import InvalidVersion, Version

from knowledge.errors import AskError, CorpusError, UserError
from knowledge.surface.difference import describe_change
from knowledge.surface.extract.archive import open_archive
from knowledge.surface.extract.fact import Fact
from knowledge.surface.extract.release import read_tree
from knowledge.surface.fetch import fetch
from knowledge.surface.kinds import KINDS, Kind
from knowledge.surface.renames import RENAMES, renames
from knowledge.surface.spans import Reading, Readings, Span, extend, fold
from knowledge.surface.store import data_dir, newest_places, read_spans, write_places, write_spans
from knowledge.versions import releases

Spans = dict[Kind, list[Span]]
Found = dict[Kind, dict[str, Reading]]

DEFAULT_ARCHIVES = Path.home() / ".cache" / "ask" / "vllm-archives"


def read(release: str, archives: Path) -> Found:
    """What one release shows, fetched when it is not there yet.

    Raises:
        CorpusError: A curated rename cites the release for something that does not stand there.
    """
    archive = fetch(release, archives)
    with _collector_paused():
        tree = open_archive(archive)
        facts = read_tree(tree)
    sys.stdout.writelines(f"! {path} of {release} is not Python and was left out\n" for path in tree.unparsed)
    for source in (source for rename in renames() for source in rename.sources if source.version == release):
        if source.token not in tree.text(source.path):
            raise CorpusError(f"{RENAMES}: {source.token!r} does not stand in {source.path} of vLLM {release}")
    return {kind: {fact.name: _reading(fact) for fact in facts[kind]} for kind in KINDS}


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Keep the garbage collector from scanning syntax trees that all live to the end: a third of the time."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _reading(fact: Fact) -> Reading:
    """A fact as it will read back, so that it can be compared with one that was stored."""
    return Reading(msgspec.json.decode(msgspec.json.encode(fact.attributes)), fact.where)


def build_all(names: Sequence[str], archives: Path, folder: Path) -> None:
    """Read every release, oldest first, and write the data."""
    found: list[tuple[str, Found]] = []
    for release in names:
        found.append((release, read(release, archives)))
        previous, before = found[-2] if len(found) > 1 else ("", found[-1][1])
        _tell(previous, release, before, found[-1][1])
    spans: Spans = {kind: fold([(release, shown[kind]) for release, shown in found]) for kind in KINDS}
    write(spans, found[-1][1], folder)


def add(release: str, archives: Path, folder: Path) -> None:
    """Read one release newer than all that are known, and carry the data on to it.

    Raises:
        UserError: It is no version, known already or older than the newest.
    """
    newest = releases()[-1]
    try:
        is_newer = Version(release) > Version(newest)
    except InvalidVersion as exc:
        raise UserError(f"--add {release!r} is not a version number; write one such as {newest}") from exc
    if not is_newer:
        raise UserError(f"--add {release}: only a release newer than {newest} can be added; else rebuild all")
    spans: Spans = {kind: list(read_spans(kind, folder)) for kind in KINDS}
    before = _standing(spans, folder)
    found = read(release, archives)
    _tell(newest, release, before, found)
    for kind in KINDS:
        spans[kind] = extend(spans[kind], before[kind], newest, release, found[kind])
    write(spans, found, folder)
    listed = folder.parent / "releases.txt"
    listed.write_text("".join(f"{name}\n" for name in (*releases(), release)), "utf-8")


def write(spans: Spans, newest: Found, folder: Path) -> None:
    """Write the spans of every kind and the places in the newest release."""
    folder.mkdir(parents=True, exist_ok=True)
    for kind in KINDS:
        write_spans(kind, spans[kind], folder)
    places = {kind: {name: reading.where for name, reading in newest[kind].items() if reading.where} for kind in KINDS}
    write_places(places, folder)


def _standing(spans: Spans, folder: Path) -> Found:
    """What the newest known release shows, taken from the data."""
    places = newest_places(folder)
    return {
        kind: {s.name: Reading(s.facts, places[kind].get(s.name, "")) for s in spans[kind] if not s.until}
        for kind in KINDS
    }


def _tell(previous: str, release: str, before: Found, found: Found) -> None:
    """Print what changed, a line a fact."""
    readings: list[tuple[Kind, Readings, Readings]] = [(kind, before[kind], found[kind]) for kind in KINDS]
    counts = ", ".join(f"{len(found[kind])} {kind}" for kind in KINDS)
    sys.stdout.write(f"== {release}: {counts}\n")
    for kind, old, new in readings if previous else ():
        sys.stdout.writelines(f"{line}\n" for line in describe_change(kind, old, new))
    sys.stdout.flush()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m knowledge.surface.build", description=__doc__)
    parser.add_argument("--add", metavar="VERSION", help="read this new release only")
    parser.add_argument("--archives", type=Path, default=DEFAULT_ARCHIVES, help="folder of downloaded archives")
    options = parser.parse_args(arguments)
    try:
        if options.add:
            add(options.add, options.archives, data_dir())
        else:
            build_all(releases(), options.archives, data_dir())
    except AskError as exc:
        sys.stderr.write(f"{exc}\n")
        return exc.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())

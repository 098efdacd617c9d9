"""The stored data: small, quick, ordered, closed, and refused when damaged."""

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from knowledge.errors import CorpusError
from knowledge.surface.kinds import FACTS_OF, KINDS, Kind
from knowledge.surface.spans import Span
from knowledge.surface.store import data_dir, newest_places, read_spans, write_places, write_spans
from knowledge.versions import releases

MAX_BYTES = 1_500_000
MAX_LOAD_S = 0.05

# The load is timed in an interpreter of its own, imports of third parties left out.
TIMED = """
import time, msgspec
from knowledge.surface.kinds import KINDS
from knowledge.surface.store import newest_places, spans_of
def load():
    start = time.perf_counter()
    for kind in KINDS:
        spans_of(kind)
    newest_places()
    took = time.perf_counter() - start
    spans_of.cache_clear(), newest_places.cache_clear()
    return took
print(min(load() for _ in range(5)))
"""


def test_the_data_are_small() -> None:
    assert sum(path.stat().st_size for path in data_dir().iterdir()) < MAX_BYTES


def test_all_kinds_load_quickly() -> None:
    done = subprocess.run([sys.executable, "-c", TIMED], capture_output=True, text=True, check=True)
    assert float(done.stdout) < MAX_LOAD_S


@pytest.mark.parametrize("kind", KINDS)
def test_spans_are_ordered_and_say_only_what_their_kind_allows(kind: Kind) -> None:
    spans = read_spans(kind)
    position = {release: index for index, release in enumerate(releases())}
    keys = [(span.name, position[span.since]) for span in spans]
    assert keys == sorted(keys)
    for span in spans:
        msgspec.convert(span.facts, FACTS_OF[kind])
        assert not span.until or position[span.since] <= position[span.until]


def test_what_is_written_reads_back(tmp_path: Path) -> None:
    spans = (
        Span("--a", since="0.1", until="0.2", first_at="a.py:1", last_at="a.py:2", facts={"default": None}),
        Span("--a", since="0.3", first_at="a.py:3", facts={"default": [1, "x"]}),
    )
    write_spans("flags", spans, tmp_path)
    assert read_spans("flags", tmp_path) == spans
    assert len((tmp_path / "flags.jsonl").read_text().splitlines()) == 2


def test_places_read_back(tmp_path: Path) -> None:
    write_places({**{kind: {} for kind in KINDS}, "env": {"B": "b.py:2", "A": "a.py:1"}}, tmp_path)
    assert newest_places(tmp_path)["env"] == {"A": "a.py:1", "B": "b.py:2"}


def test_a_damaged_line_is_refused_with_the_way_to_mend_it(tmp_path: Path) -> None:
    (tmp_path / "flags.jsonl").write_text('{"name": "--a"}\n')
    with pytest.raises(CorpusError, match=r"flags\.jsonl.*since.*knowledge\.surface\.build"):
        read_spans("flags", tmp_path)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"newest\.tsv"):
        newest_places(tmp_path)

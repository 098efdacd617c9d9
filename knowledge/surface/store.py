"""Read and write the surface's data: one span a line, in order of name, a file a kind.

Beside the spans, `newest.tsv` holds the place of every fact in the newest release (kind, name, `file:line`).
It changes in nearly every line with each release, and so is kept out of the files that a person reviews.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path

import msgspec

from knowledge.errors import CorpusError
from knowledge.surface.kinds import KINDS, Kind
from knowledge.surface.spans import Span

NEWEST = "newest.tsv"

_decoder = msgspec.json.Decoder(Span)
_encoder = msgspec.json.Encoder()

Places = dict[Kind, dict[str, str]]


def data_dir() -> Path:
    """The folder that holds the shipped data."""
    return Path(str(files("knowledge.surface").joinpath("data")))


def read_spans(kind: Kind, folder: Path | None = None) -> tuple[Span, ...]:
    """The spans of one kind, ordered by name and then by age.

    Raises:
        CorpusError: The file is missing or a line is not a span.
    """
    path = (folder or data_dir()) / f"{kind}.jsonl"
    try:
        return tuple(_decoder.decode_lines(path.read_bytes()))
    except (OSError, msgspec.DecodeError) as exc:
        raise CorpusError(f"{path}: {exc}; rebuild with `python -m knowledge.surface.build`") from exc


@cache
def spans_of(kind: Kind) -> tuple[Span, ...]:
    """The shipped spans of one kind, read once."""
    return read_spans(kind)


def write_spans(kind: Kind, spans: Iterable[Span], folder: Path) -> None:
    """Write the spans of one kind."""
    lines = b"".join(_encoder.encode(span) + b"\n" for span in spans)
    (folder / f"{kind}.jsonl").write_bytes(lines)


@cache
def newest_places(folder: Path | None = None) -> Places:
    """The place of every fact in the newest release, by kind and name.

    Raises:
        CorpusError: The file is missing or a line has not three columns.
    """
    path = (folder or data_dir()) / NEWEST
    places: Places = {kind: {} for kind in KINDS}
    try:
        for line in path.read_text("utf-8").splitlines():
            kind, name, where = line.split("\t")
            places[next(known for known in KINDS if known == kind)][name] = where
    except (OSError, ValueError, StopIteration) as exc:
        raise CorpusError(f"{path}: {exc}; rebuild with `python -m knowledge.surface.build`") from exc
    return places


def write_places(places: Mapping[Kind, Mapping[str, str]], folder: Path) -> None:
    """Write the place of every fact in the newest release."""
    lines = [f"{kind}\t{name}\t{where}\n" for kind in KINDS for name, where in sorted(places[kind].items())]
    (folder / NEWEST).write_text("".join(lines), "utf-8")

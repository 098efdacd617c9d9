"""Read corpus files into claims.

A corpus file is Markdown that reads well on its own: a `#` title and an introduction, then one `##` section per
claim: the statement as heading, a fenced `toml` head, and the body.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import msgspec

from knowledge.corpus.claim import Claim, ClaimId, Head
from knowledge.errors import CorpusError

_HEAD = re.compile(r"\A\s*```toml\n(?P<toml>.*?)\n```\n(?P<body>.*)\Z", re.DOTALL)
_HEADING = re.compile(r"^## +(.+)$", re.MULTILINE)


def corpus_dir() -> Path:
    """The folder that holds the shipped corpus files."""
    return Path(str(files("knowledge.corpus")))


def read_corpus(folder: Path | None = None) -> tuple[Claim, ...]:
    """Read every `*.md` file of a folder, in name order.

    Args:
        folder: The folder to read, by default the shipped corpus.

    Raises:
        CorpusError: There is no claim, a file cannot be read, a claim does not parse or its id is taken; names file
            and line.
    """
    claims: dict[ClaimId, Claim] = {}
    for path in corpus_files(folder):
        for claim in read_file(path):
            first = claims.setdefault(claim.id, claim)
            if first is not claim:
                raise CorpusError(f"{path}:{claim.line}: id {claim.id!r} is already used at {first.file}:{first.line}")
    if not claims:
        raise CorpusError(f"no claim in {folder or corpus_dir()}; a corpus is a folder of *.md files")
    return tuple(claims.values())


def corpus_files(folder: Path | None = None) -> list[Path]:
    """The corpus files of a folder in name order."""
    return sorted((folder or corpus_dir()).glob("*.md"))


def read_bytes(path: Path) -> bytes:
    """One corpus file as it stands.

    Raises:
        CorpusError: It cannot be read.
    """
    try:
        return path.read_bytes()
    except OSError as exc:
        raise CorpusError(f"{path}: cannot be read: {exc}") from exc


def read_file(path: Path) -> Iterator[Claim]:
    """Read the claims of one corpus file in the order they stand there."""
    return (parse_section(section) for section in sections(path))


@dataclass(frozen=True, slots=True)
class Section:
    """The raw text of one claim.

    Attributes:
        path: The corpus file.
        line: The line of the heading, 1-based.
        title: The heading.
        text: Everything from the heading to the next one.
    """

    path: Path
    line: int
    title: str
    text: str


def sections(path: Path) -> list[Section]:
    """Cut one corpus file into its claims, unparsed.

    Raises:
        CorpusError: The file cannot be read as UTF-8 text.
    """
    try:
        text = read_bytes(path).decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as exc:
        raise CorpusError(f"{path}: is not UTF-8 text: {exc}") from exc
    starts = list(_HEADING.finditer(text))
    ends = [after.start() for after in starts[1:]] + [len(text)]
    return [
        Section(path, text.count("\n", 0, here.start()) + 1, here[1].strip(), text[here.end() + 1 : end])
        for here, end in zip(starts, ends, strict=True)
    ]


def parse_section(section: Section) -> Claim:
    """Parse one claim.

    Raises:
        CorpusError: The head is missing, is not TOML or does not fit; names file and line.
    """
    where = f"{section.path}:{section.line}"
    match = _HEAD.match(section.text)
    if not match:
        raise CorpusError(f"{where}: claim {section.title!r} has no ```toml head right under its heading")
    try:
        head = msgspec.convert(tomllib.loads(match["toml"]), Head)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as exc:
        raise CorpusError(f"{where}: head of {section.title!r}: {exc}") from exc
    body = match["body"].strip()
    return Claim(head=head, title=section.title, body=body, file=section.path.name, line=section.line)

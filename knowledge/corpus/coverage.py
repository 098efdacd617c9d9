"""What the tuning guide that the corpus grew from says, item by item, and which claims cover it.

The guide ages and the corpus does not wait for it: every item names the claims that answer it, and where the guide
no longer holds, what is right. A claim that is withdrawn shows up here as a hole.
"""

import tomllib
from pathlib import Path
from typing import Literal

import msgspec

from knowledge.corpus.claim import ClaimId, Closed
from knowledge.corpus.read import corpus_dir
from knowledge.errors import CorpusError

Standing = Literal["holds", "aged", "wrong", "contradicts itself"]


class Item(Closed, frozen=True):
    """One statement, table row or number of the guide.

    Attributes:
        says: The item in our words.
        claims: The claims that cover it; the first answers it best.
        stands: `holds` as it is, `aged` held once, `wrong` never did in that breadth, `contradicts itself` is said
            in two ways.
        now: What is right and since which release; empty only for an item that holds.
    """

    says: str
    claims: tuple[ClaimId, ...]
    stands: Standing
    now: str = ""


class Coverage(Closed, frozen=True):
    """The whole file.

    Attributes:
        item: Every item, in the guide's order.
    """

    item: tuple[Item, ...]


def read_coverage(path: Path | None = None) -> tuple[Item, ...]:
    """Read the items, in the order of the guide.

    Args:
        path: The file to read, by default the shipped one.

    Raises:
        CorpusError: The file cannot be read, is not TOML or does not fit; names the file.
    """
    path = path or corpus_dir() / "coverage.toml"
    try:
        return msgspec.convert(tomllib.loads(path.read_text("utf-8")), Coverage).item
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.ValidationError) as exc:
        raise CorpusError(f"{path}: {exc}") from exc

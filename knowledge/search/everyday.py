"""Say a question in the field's words when it is asked in everyday ones."""

import re
import tomllib
from functools import cache
from importlib.resources import files


def in_field_words(query: str) -> str:
    """The question with the field's words behind it for every everyday one that it holds.

    For example `pauses between words` gains `ITL inter-token latency`. The model that embeds knows everyday language,
    and next to nothing of the field's.
    """
    meant = [words for words, pattern in _everyday() if pattern.search(query)]
    return f"{query}. {', '.join(meant)}" if meant else query


@cache
def _everyday() -> tuple[tuple[str, re.Pattern[str]], ...]:
    terms = tomllib.loads(files("knowledge").joinpath("everyday.toml").read_text("utf-8"))
    return tuple(
        (words, re.compile(rf"\b(?:{'|'.join(map(re.escape, forms))})\b", re.IGNORECASE))
        for words, forms in terms.items()
    )

"""Cut text into search terms so that a name matches in any spelling.

`--max-num-seqs`, `max_num_seqs` and `MAX_NUM_SEQS` become one term, `max_num_seqs`; `vllm:num_preemptions_total`
becomes `num_preemptions`, as does its sum, count or bucket. Their parts are terms too, so that plain words find
names and the other way round.
"""

import re
from typing import Final

_WORD: Final = re.compile(r"[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*")
_SERIES_SUFFIX: Final = re.compile(r"_(?:total|sum|count|bucket|created)$")
_STOP_WORDS: Final = (
    "a an and are as at be but by can do does for from has have how i in is it its my of on or our so that the "
    "their then there they this to was we what when which who why will with you your"
)
_STOP: Final = frozenset(_STOP_WORDS.split())


def names(text: str) -> tuple[str, ...]:
    """Names of several parts (flags, variables, metrics), normalised, in order of appearance, each once."""
    found = (_normal(word) for word in _WORD.findall(text))
    return tuple(dict.fromkeys(name for name in found if "_" in name))


def words(text: str) -> tuple[str, ...]:
    """Plain lower-case words, names cut into their parts, stop words left out; repeats kept."""
    parts = (part for word in _WORD.findall(text) for part in re.split(r"[-_]", word.lower()))
    return tuple(part for part in parts if part not in _STOP)


def _normal(word: str) -> str:
    return _SERIES_SUFFIX.sub("", word.lower().replace("-", "_"))

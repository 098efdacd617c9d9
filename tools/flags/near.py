"""The name that was probably meant."""

import difflib
from collections.abc import Iterable
from typing import Final

ALIKE_RATIO: Final = 0.78
"""`--max-num-seq` and `--max-num-seqs` are 0.96 alike; `--num-gpus` and `--num-gpu-blocks-override` are not."""


def nearest(typed: str, names: Iterable[str]) -> str:
    """The name most like what was typed, or "" when none is alike enough."""
    return next(iter(difflib.get_close_matches(typed, list(names), n=1, cutoff=ALIKE_RATIO)), "")

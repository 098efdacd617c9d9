"""A way of quantising that went from vLLM itself.

## What it looks for
`--quantization` with bitsandbytes or gguf in a release that ships neither.

## Why it matters
The start is refused, unless a plug-in brings the method back.

## Not this rule
A checkpoint that declares the method itself is not read here.

## What to do
Take a checkpoint in a format of the release, or install the plug-in.
"""

from collections.abc import Callable, Iterator
from typing import Final

from tools.flags.conflict import Conflict, codes, conflicts
from tools.flags.finding import Finding
from tools.flags.rule import Rule
from tools.flags.subject import Subject

FLAG: Final = "--quantization"


def _is(method: str) -> Callable[[Subject], bool]:
    return lambda subject: subject.sure(FLAG) == method


CONFLICTS: Final = (
    Conflict(
        "quantization-gone",
        "warning",
        ">=0.28",
        ("--quantization",),
        _is("bitsandbytes"),
        "this release does not ship bitsandbytes and refuses it unless a plug-in registers it. Use an "
        "FP8, AWQ or GPTQ checkpoint.",
    ),
    Conflict(
        "quantization-gone",
        "warning",
        ">=0.24",
        ("--quantization",),
        _is("gguf"),
        "this release does not ship gguf and refuses it unless a plug-in registers it. Use an FP8, AWQ or "
        "GPTQ checkpoint.",
    ),
)


def check(subject: Subject) -> Iterator[Finding]:
    """Yield the method that went."""
    yield from conflicts(subject, CONFLICTS)


RULE = Rule(name="quantization-refused", codes=codes(CONFLICTS), check=check)

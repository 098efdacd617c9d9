"""Expert parallelism with most of the memory given to vLLM.

## What it looks for
`--enable-expert-parallel` and a `--gpu-memory-utilization` above 0.85, the default of the release counted when the flag
is absent, without a fixed KV size.

## Why it matters
What the exchange of a skewed batch needs is not in the profile that sizes the KV pool. Where DeepEP runs, 0.85 is a
cautious start; for other back ends it is folklore that most published recipes exceed.

## Not this rule
Running out of memory at start is another matter.

## What to do
With DeepEP start at 0.85 and raise it under load; else leave it.
"""

from collections.abc import Iterator
from typing import Final

from tools.flags.finding import Finding
from tools.flags.layout import DEEPEP, all2all
from tools.flags.rule import Rule
from tools.flags.subject import Subject

CAUTIOUS_RATIO: Final = 0.85  # memory.moe-cap-is-a-prior
CLAIMS = ("memory.moe-cap-is-a-prior",)


def check(subject: Subject) -> Iterator[Finding]:
    """Yield a utilisation above the cautious start."""
    ratio = subject.value("--gpu-memory-utilization")
    if not subject.is_on("--enable-expert-parallel") or not isinstance(ratio, float) or ratio <= CAUTIOUS_RATIO:
        return
    if subject.given("--kv-cache-memory-bytes"):
        return
    use = subject.given("--gpu-memory-utilization")
    deepep = all2all(subject) in DEEPEP
    said = f"{ratio:g}" if use else f"{ratio:g}, the default of {subject.version.release},"
    advice = "start at 0.85 and raise it under load" if deepep else "0.85 is a cautious start only where DeepEP runs"
    yield Finding(
        code="ep-memory-headroom",
        severity="warning" if deepep else "note",
        subject="--gpu-memory-utilization",
        message=f"expert parallelism with a memory utilisation of {said} leaves little beside the KV pool: {advice}.",
        claims=CLAIMS,
        line=use.line if use else 0,
    )


RULE = Rule(name="ep-memory-headroom", codes=("ep-memory-headroom",), check=check, applies=">=0.11", claims=CLAIMS)

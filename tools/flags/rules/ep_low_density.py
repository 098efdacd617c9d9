"""Expert parallelism for a model that activates few of its experts.

## What it looks for
`--enable-expert-parallel` and a model that is known, whose experts per token are less than 2 % of its routed experts.

## Why it matters
The fewer experts a token visits, the more the exchange weighs against the work it spreads. AMD measured a loss of 7 to
12 % for Llama-4-Maverick (0.78 %) on 8×MI300X.

## Not this rule
It is a prior and no ban: DeepSeek-V4-Pro (1.56 %) is published with EP, and DeepSeek-R1 (3.13 %) was slower with it.

## What to do
Measure with and without.
"""

from collections.abc import Iterator
from typing import Final

from tools.flags.finding import Finding
from tools.flags.rule import Rule
from tools.flags.subject import Subject

SPARSE_RATIO: Final = 0.02  # moe.ep-density-prior
CLAIMS = ("moe.ep-density-prior",)


def check(subject: Subject) -> Iterator[Finding]:
    """Yield EP at low density."""
    use = subject.given("--enable-expert-parallel")
    experts = subject.model.model.experts() if subject.model else None
    if use is None or use.value is not True or experts is None:
        return
    ratio = experts.per_token / experts.experts
    if ratio >= SPARSE_RATIO:
        return
    message = (
        f"a token visits {experts.per_token} of {experts.experts} experts ({ratio:.2%}); below 2 % expert parallelism "
        "has been measured to lose and to win, so measure both. It is a prior, no ban."
    )
    yield Finding(
        code="ep-low-density", severity="note", subject=use.typed, message=message, claims=CLAIMS, line=use.line
    )


RULE = Rule(name="ep-low-density", codes=("ep-low-density",), check=check, applies=">=0.11", claims=CLAIMS)

"""The compile cache switched off for good.

## What it looks for
`VLLM_DISABLE_COMPILE_CACHE=1`.

## Why it matters
Every start compiles from nothing. For Llama 4 it was advised at the launch of 0.8.3; the recipe that ships with 0.33.0
does not set it.

## Not this rule
A cache that is lost with each pod is `compile-cache-not-kept`.

## What to do
Take it out; set it for one start when a cached artefact is suspected.
"""

from collections.abc import Iterator

from tools.flags.finding import Finding
from tools.flags.rule import Rule
from tools.flags.subject import Subject

CLAIMS = ("compile.disable-cache-last-resort",)


def check(subject: Subject) -> Iterator[Finding]:
    """Yield the switch."""
    setting = subject.setting("VLLM_DISABLE_COMPILE_CACHE")
    if setting is not None and setting.value == "1":
        message = (
            "VLLM_DISABLE_COMPILE_CACHE=1 makes every start compile anew; the advice to set it for Llama 4 is from "
            "0.8.3. Set it for one start when a cached artefact is suspected, and take it out again."
        )
        yield Finding(
            code="compile-cache-disabled",
            severity="warning",
            subject=setting.name,
            message=message,
            claims=CLAIMS,
            line=setting.line,
        )


RULE = Rule(
    name="compile-cache-disabled", codes=("compile-cache-disabled",), check=check, applies=">=0.11", claims=CLAIMS
)

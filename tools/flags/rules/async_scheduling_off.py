"""Asynchronous scheduling switched off.

## What it looks for
`--no-async-scheduling` in a release in which it is on by default.

## Why it matters
Every step then waits for the scheduler. The advice to switch it off dates from 2025, when structured outputs and
speculation did not work with it.

## Not this rule
Settings with which vLLM itself switches it off are not seen here.

## What to do
Take the flag out, unless the fault was reproduced on this release.
"""

from collections.abc import Iterator

from tools.flags.finding import Finding
from tools.flags.rule import Rule
from tools.flags.subject import Subject

CLAIMS = ("decode.async-disable-advice-is-stale",)


def check(subject: Subject) -> Iterator[Finding]:
    """Yield the switch."""
    use = subject.given("--async-scheduling")
    if use is not None and use.value is False:
        message = (
            "asynchronous scheduling is off, which costs ITL on every request; the advice to disable it is from before "
            "0.14.0. Keep it off only for a fault that you reproduced on this release."
        )
        yield Finding(
            code="async-scheduling-off",
            severity="warning",
            subject=use.typed,
            message=message,
            claims=CLAIMS,
            line=use.line,
        )


RULE = Rule(name="async-scheduling-off", codes=("async-scheduling-off",), check=check, applies=">=0.14", claims=CLAIMS)

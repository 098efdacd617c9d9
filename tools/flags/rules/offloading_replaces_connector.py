"""An offload tier that switches the named KV connector off.

## What it looks for
`--kv-offloading-size` together with a `kv_connector` in `--kv-transfer-config`.

## Why it matters
The size overwrites the connector and its role without a message: on a prefill or decode instance the transfer is gone.

## Not this rule
A MultiConnector that holds both is written without `--kv-offloading-size`.

## What to do
Write a MultiConnector with both as children, or drop one of the two.
"""

from collections.abc import Iterator

from tools.flags.finding import Finding
from tools.flags.rule import Rule
from tools.flags.subject import Subject

CLAIMS = ("disagg.offloading-size-overrides",)


def check(subject: Subject) -> Iterator[Finding]:
    """Yield the connector that is overwritten."""
    use = subject.given("--kv-offloading-size")
    connector = subject.parsed.json("--kv-transfer-config").get("kv_connector")
    if use is not None and connector:
        message = f"--kv-offloading-size silently overwrites {connector}; combine them in a MultiConnector."
        yield Finding(
            code="offloading-replaces-connector",
            severity="warning",
            subject=use.typed,
            message=message,
            claims=CLAIMS,
            line=use.line,
        )


RULE = Rule(
    name="offloading-replaces-connector",
    codes=("offloading-replaces-connector",),
    check=check,
    applies=">=0.14",
    claims=CLAIMS,
)

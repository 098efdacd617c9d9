"""Asynchronous expert rebalancing over NCCL.

## What it looks for
`--eplb-config` with `communicator` torch_nccl or pynccl while `use_async` is on, which is its default since 0.23.0.

## Why it matters
From 0.24.0 vLLM rejects the pair at start, because NCCL's streams get into each other's way.

## Not this rule
EPLB without expert parallelism has nothing to balance.

## What to do
Leave `communicator` out, or set `use_async` to false.
"""

from collections.abc import Iterator
from typing import Final

from tools.flags.finding import Finding
from tools.flags.rule import Rule
from tools.flags.subject import Subject

OVER_NCCL: Final = ("torch_nccl", "pynccl")
CLAIMS = ("moe.eplb-rebalances-hot-experts",)


def check(subject: Subject) -> Iterator[Finding]:
    """Yield the rejected pair."""
    config = subject.parsed.json("--eplb-config")
    use = subject.given("--eplb-config")
    if use is None or config.get("communicator") not in OVER_NCCL or config.get("use_async", True) is not True:
        return
    if not subject.is_on("--enable-eplb"):
        return
    message = (
        f"vLLM {subject.version.release} rejects the communicator {config['communicator']} with asynchronous EPLB, "
        "which is the default; leave communicator out or set use_async to false."
    )
    yield Finding(
        code="eplb-communicator", severity="error", subject=use.name, message=message, claims=CLAIMS, line=use.line
    )


RULE = Rule(name="eplb-communicator", codes=("eplb-communicator",), check=check, applies=">=0.24", claims=CLAIMS)

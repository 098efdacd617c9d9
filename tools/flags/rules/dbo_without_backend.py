"""Dual-batch overlap without an exchange that it can overlap.

## What it looks for
`--enable-dbo` while `--all2all-backend` is neither a DeepEP back end nor, from 0.24.0, nixl_ep.

## Why it matters
vLLM asserts it at start ("Microbatching currently only supports the …"), and the default back end,
allgather_reducescatter, is not among them. From 0.33.0 ROCm is exempt.

## Not this rule
`--enable-dbo=true` is `value-not-taken`.

## What to do
Add `--all2all-backend deepep_low_latency` (or `deepep_high_throughput` for prefill), or take `--enable-dbo` out.
"""

from collections.abc import Iterator
from typing import Final

from tools.flags.finding import Finding
from tools.flags.layout import DEEPEP, all2all
from tools.flags.rule import Rule
from tools.flags.subject import Subject

NIXL_SINCE: Final = ">=0.24"
ROCM_EXEMPT_SINCE: Final = ">=0.33"
CLAIMS = ("moe.dbo-needs-dedicated-all2all",)


def check(subject: Subject) -> Iterator[Finding]:
    """Yield the overlap that does not start."""
    use = subject.given("--enable-dbo")
    backend = all2all(subject)
    if use is None or use.value is not True or backend is None or backend in DEEPEP:
        return
    if backend == "nixl_ep" and subject.runs(NIXL_SINCE):
        return
    rocm = "rocm" in subject.launch.image or (subject.gpu is not None and subject.gpu.vendor == "amd")
    if rocm and subject.runs(ROCM_EXEMPT_SINCE):
        return
    message = (
        f"vLLM {subject.version.release} does not start with --enable-dbo and the all-to-all back end {backend}: it "
        "needs deepep_low_latency or deepep_high_throughput."
    )
    yield Finding(
        code="dbo-without-backend",
        severity="error",
        subject=use.typed,
        message=message,
        replacement="--enable-dbo --all2all-backend deepep_low_latency",
        claims=CLAIMS,
        line=use.line,
    )


RULE = Rule(name="dbo-without-backend", codes=("dbo-without-backend",), check=check, applies=">=0.11.1", claims=CLAIMS)

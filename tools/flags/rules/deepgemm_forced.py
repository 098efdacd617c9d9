"""DeepGEMM experts forced on, or an old workaround against them kept.

## What it looks for
`VLLM_MOE_USE_DEEP_GEMM` or `VLLM_USE_DEEP_GEMM` in the environment: 1 on a Hopper GPU or where the GPU is not known,
0 anywhere.

## Why it matters
On Hopper with `--moe-backend auto`, 1 is no mere default: it makes vLLM skip its own order of kernels, and at small
batches DeepGEMM pads each expert's few tokens to tiles of 128 rows. 0 only takes DeepGEMM off the list, a workaround of
2025 that outlives its reason.

## Not this rule
A variable that the release does not have is `name-removed` or `name-not-yet`.

## What to do
Leave both unset; then compare `--moe-backend` values at your concurrency.
"""

from collections.abc import Iterator
from typing import Final

from tools.flags.finding import Finding
from tools.flags.rule import Rule
from tools.flags.subject import Subject

NAMES: Final = ("VLLM_MOE_USE_DEEP_GEMM", "VLLM_USE_DEEP_GEMM")
HOPPER: Final = "9.0"
CLAIMS = ("moe.deepgemm-on-hopper",)


def check(subject: Subject) -> Iterator[Finding]:
    """Yield the overrides."""
    hopper = subject.gpu is None or subject.gpu.capability == HOPPER
    for name in NAMES:
        setting = subject.setting(name)
        if setting is None or setting.value not in ("0", "1") or name not in subject.release.env:
            continue
        if setting.value == "1" and hopper:
            severity, message = "warning", f"{name}=1 makes vLLM take DeepGEMM experts on Hopper, slow at small batches"
        elif setting.value == "0":
            severity, message = (
                "note",
                f"{name}=0 takes DeepGEMM off the list; if it is an old workaround, measure without",
            )
        else:
            continue
        yield Finding(
            code="deepgemm-forced",
            severity="warning" if severity == "warning" else "note",
            subject=name,
            message=f"{message}: leave it unset and compare --moe-backend values at your concurrency.",
            claims=CLAIMS,
            line=setting.line,
        )


RULE = Rule(name="deepgemm-forced", codes=("deepgemm-forced",), check=check, applies=">=0.17", claims=CLAIMS)

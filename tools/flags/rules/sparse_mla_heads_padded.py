"""DeepSeek-V3.2 with so few heads per rank that the sparse attention kernel pads them.

## What it looks for
A model with DeepSeek's sparse attention (an indexer beside latent attention) whose heads per rank fall below 64.

## Why it matters
The FLASHMLA_SPARSE kernels work on 64 heads; at TP=8 a rank has 16 of 128 and three quarters of the work is padding.

## Not this rule
Copies of the latent KV are `mla-kv-duplicated`.

## What to do
DP=8 with EP, or TP=2 with DP=4 on Hopper; or see in the start-up log that another back end was taken.
"""

from collections.abc import Iterator
from typing import Final

from knowledge.catalog.layers import LatentAttention
from knowledge.catalog.model import Model
from tools.flags.finding import Finding
from tools.flags.layout import layout
from tools.flags.rule import Rule
from tools.flags.subject import Subject

KERNEL_HEADS: Final = 64  # parallel.dsv32-tp8-head-padding
MEASURED: Final = "DeepseekV32"  # the model of which the claim speaks; others share the kernel
CLAIMS = ("parallel.dsv32-tp8-head-padding",)


def check(subject: Subject) -> Iterator[Finding]:
    """Yield a layout whose heads are padded."""
    sizes = layout(subject)
    heads = _sparse_heads(subject.model.model) if subject.model else None
    if (
        subject.model is None
        or heads is None
        or sizes.tensor is None
        or heads % sizes.tensor
        or heads // sizes.tensor >= KERNEL_HEADS
    ):
        return
    use = subject.given("--tensor-parallel-size")
    share = heads // sizes.tensor
    message = (
        f"TP={sizes.tensor} leaves {share} of {heads} heads per rank, and FLASHMLA_SPARSE pads them to {KERNEL_HEADS}. "
        "Run DP with EP, or look in the log whether another attention back end was taken."
    )
    yield Finding(
        code="sparse-mla-heads-padded",
        severity="warning" if MEASURED in subject.model.model.architecture else "note",
        subject="--tensor-parallel-size",
        message=message,
        replacement=f"--tensor-parallel-size 1 --data-parallel-size {sizes.tensor} --enable-expert-parallel",
        claims=CLAIMS,
        line=use.line if use else 0,
    )


def _sparse_heads(model: Model) -> int | None:
    sparse = (mixer for _, mixer in model.mixers() if isinstance(mixer, LatentAttention) and mixer.indexer)
    return next((mixer.heads for mixer in sparse), None)


RULE = Rule(
    name="sparse-mla-heads-padded", codes=("sparse-mla-heads-padded",), check=check, applies=">=0.17", claims=CLAIMS
)

"""An MLA model whose latent KV every tensor-parallel rank keeps a copy of.

## What it looks for
A model with latent attention at TP=8 or more, without data parallelism and without decode context parallelism.

## Why it matters
TP splits the cache by KV head and there is only one, so eight GPUs cache no more tokens than one of them could.

## Not this rule
DeepSeek-V3.2, whose sparse attention pads the heads besides, has `sparse-mla-heads-padded`.

## What to do
For throughput, DP attention (and EP for the experts), or `--decode-context-parallel-size`; for the latency of few
requests TP may still be the best.
"""

from collections.abc import Iterator
from typing import Final

from tools.flags.finding import Finding
from tools.flags.layout import is_latent, layout
from tools.flags.rule import Rule
from tools.flags.subject import Subject

COPIES: Final = 8  # below, replicated attention weights can outweigh the copies: parallel.dp-attention-for-mla
CLAIMS = ("parallel.mla-latent-copied-per-rank", "parallel.dp-attention-for-mla")


def check(subject: Subject) -> Iterator[Finding]:
    """Yield a layout that keeps many copies."""
    sizes = layout(subject)
    if subject.model is None or not is_latent(subject.model.model) or sizes.tensor is None or sizes.tensor < COPIES:
        return
    if (sizes.data, sizes.decode_context) != (1, 1):
        return
    use = subject.given("--tensor-parallel-size")
    message = (
        f"{subject.model.name} caches one latent vector per token for all heads, so each of the {sizes.tensor} ranks "
        "keeps the whole KV cache. For more concurrency measure DP attention against it."
    )
    yield Finding(
        code="mla-kv-duplicated",
        severity="note",
        subject="--tensor-parallel-size",
        message=message,
        replacement=f"--tensor-parallel-size 1 --data-parallel-size {sizes.tensor} --enable-expert-parallel",
        claims=CLAIMS,
        line=use.line if use else 0,
    )


RULE = Rule(name="mla-kv-duplicated", codes=("mla-kv-duplicated",), check=check, applies=">=0.11", claims=CLAIMS)

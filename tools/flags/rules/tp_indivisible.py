"""A tensor-parallel size that does not divide the model's heads.

## What it looks for
A model that is known, and a `--tensor-parallel-size` that does not divide its attention heads, or that neither divides
its KV heads nor is a multiple of them.

## Why it matters
Each rank takes an equal share of the heads; vLLM refuses the size at start.

## Not this rule
Quantisation blocks that do not fit a rank's share need the checkpoint's own config and are not judged here.

## What to do
Take a size that divides the heads, and use the other GPUs for data or pipeline parallelism.
"""

from collections.abc import Iterator

from tools.flags.finding import Finding
from tools.flags.layout import attention_heads, kv_heads, layout
from tools.flags.rule import Rule
from tools.flags.subject import Subject

CLAIMS = ("parallel.tp-divides-heads",)


def check(subject: Subject) -> Iterator[Finding]:
    """Yield the sizes that do not divide."""
    size = layout(subject).tensor
    if subject.model is None or size is None or size == 1:
        return
    model = subject.model.model
    undivided = [heads for heads in attention_heads(model) if heads % size]
    unfitting = [heads for heads in kv_heads(model) if heads % size and size % heads]
    if not undivided and not unfitting:
        return
    heads, what = (undivided[0], "attention heads") if undivided else (unfitting[0], "KV heads")
    fitting = [n for n in range(1, 65) if all(h % n == 0 for h in attention_heads(model))]
    shown = ", ".join(str(n) for n in fitting if all(h % n == 0 or n % h == 0 for h in kv_heads(model)))
    use = subject.given("--tensor-parallel-size")
    message = f"{subject.model.name} has {heads} {what}, which TP={size} does not divide; sizes that fit: {shown}."
    yield Finding(
        code="tp-indivisible",
        severity="error",
        subject="--tensor-parallel-size",
        message=message,
        claims=CLAIMS,
        line=use.line if use else 0,
    )


RULE = Rule(name="tp-indivisible", codes=("tp-indivisible",), check=check, claims=CLAIMS)

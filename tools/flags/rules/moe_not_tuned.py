"""A mixture-of-experts model on a GPU for which the release ships no tuned tile file.

## What it looks for
A model and a GPU that are known, a weight format that runs on Triton tiles, no file for this shape, GPU and format in
the release, and no `VLLM_TUNED_CONFIG_FOLDER`.

## Why it matters
Where the Triton kernels run, they fall back to default tiles and the log says so; tuning has brought back throughput.

## Not this rule
Other expert back ends (DeepGEMM, CUTLASS, FlashInfer) do not read these files: the log line decides.

## What to do
If the log prints "Using default MoE config", run benchmark_moe.py for this shape and point the server at the result.
"""

from collections.abc import Iterator

from tools.flags.finding import Finding
from tools.flags.layout import layout
from tools.flags.rule import Rule
from tools.flags.subject import Subject
from tools.tuned_moe import tuned_moe

FOLDER = "VLLM_TUNED_CONFIG_FOLDER"
CLAIMS = ("moe.tune-triton-tiles", "moe.default-config-line")


def check(subject: Subject) -> Iterator[Finding]:
    """Yield the file that is missing."""
    sizes = layout(subject)
    if subject.model is None or subject.gpu is None or subject.setting(FOLDER) or not sizes.tensor or not sizes.data:
        return
    if subject.given("--moe-backend"):  # chosen on purpose, and Triton is what `auto` falls back to
        return
    ranks = sizes.tensor * sizes.data
    shards, spread = (1, ranks) if sizes.experts else (ranks, 1)
    wanted = tuned_moe(subject.model, subject.gpu, subject.release, shards=shards, expert_ranks=spread)
    if wanted is None or wanted.ships:
        return
    message = (
        f"vLLM {subject.version.release} ships no {wanted.names[0]}.json: if the log prints 'Using default MoE "
        f"config', tune this shape and set {FOLDER}."
    )
    yield Finding(code="moe-not-tuned", severity="note", subject=FOLDER, message=message, claims=CLAIMS)


RULE = Rule(name="moe-not-tuned", codes=("moe-not-tuned",), check=check, applies=">=0.11", claims=CLAIMS)

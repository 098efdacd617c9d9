"""PyTorch's expandable segments together with a KV connector.

## What it looks for
`PYTORCH_CUDA_ALLOC_CONF` with `expandable_segments:True` and `--kv-transfer-config` (or `--kv-offloading-size`),
without sleep mode.

## Why it matters
Expandable segments remap pages, which breaks memory that a connector registered; from 0.21 the start is refused.

## Not this rule
Without a connector the setting helps against fragmentation. The check reads the CUDA name only, not
`PYTORCH_ALLOC_CONF`.

## What to do
Take the setting out of the pods that have a connector.
"""

from collections.abc import Iterator

from tools.flags.finding import Finding
from tools.flags.rule import Rule
from tools.flags.subject import Subject

CLAIMS = ("config.allocator-variable",)


def check(subject: Subject) -> Iterator[Finding]:
    """Yield the pair."""
    setting = subject.setting("PYTORCH_CUDA_ALLOC_CONF")
    connector = subject.given("--kv-transfer-config", "--kv-offloading-size")
    if setting is None or connector is None or subject.is_on("--enable-sleep-mode"):
        return
    if "expandable_segments:true" in (setting.value or "").lower():
        message = (
            f"vLLM {subject.version.release} refuses expandable_segments together with {connector.name}: take it out "
            "of PYTORCH_CUDA_ALLOC_CONF."
        )
        yield Finding(
            code="allocator-with-connector",
            severity="error",
            subject=setting.name,
            message=message,
            claims=CLAIMS,
            line=setting.line,
        )


RULE = Rule(
    name="allocator-with-connector", codes=("allocator-with-connector",), check=check, applies=">=0.21", claims=CLAIMS
)

"""A pod whose compile cache is lost with it.

## What it looks for
A Kubernetes container that serves with compilation on, without a volume at or above `VLLM_CACHE_ROOT` (by default
`~/.cache/vllm`).

## Why it matters
Each new pod compiles again before it serves, which slows roll-outs and scaling.

## Not this rule
`--enforce-eager` and `-O0` compile nothing. An image with the cache baked in does not show here.

## What to do
Fill the cache once with the final image, flags and GPU, and mount it, or bake it into the image.
"""

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from tools.flags.finding import Finding
from tools.flags.rule import Rule
from tools.flags.subject import Subject

DEFAULT_ROOT: Final = "/root/.cache/vllm"  # ~/.cache/vllm of the official image's user
CLAIMS = ("compile.prebake-cache",)


def check(subject: Subject) -> Iterator[Finding]:
    """Yield a container that keeps no cache."""
    launch = subject.launch
    if launch.platform != "kubernetes" or launch.command != "serve" or not launch.whole or not subject.parsed.model:
        return
    if subject.is_on("--enforce-eager") or str(subject.value("--optimization-level")) in ("0", "O0"):
        return
    told = subject.setting("VLLM_CACHE_ROOT")
    root = PurePosixPath(told.value if told and told.value else DEFAULT_ROOT)
    if (told and not told.value) or any(root.is_relative_to(mount) and mount != "/" for mount in launch.mounts):
        return
    message = f"no volume holds {root}, so each new pod compiles again; mount a cache that was filled once."
    yield Finding(
        code="compile-cache-not-kept", severity="note", subject="VLLM_CACHE_ROOT", message=message, claims=CLAIMS
    )


RULE = Rule(
    name="compile-cache-not-kept", codes=("compile-cache-not-kept",), check=check, applies=">=0.17", claims=CLAIMS
)

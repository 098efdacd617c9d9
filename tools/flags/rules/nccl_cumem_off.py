"""NCCL's cuMem allocator switched off on a rack that joins nodes by NVLink.

## What it looks for
`NCCL_CUMEM_ENABLE=0` with a GB200 or GB300.

## Why it matters
Without cuMem NCCL cannot use NVLink between nodes and sends that traffic over InfiniBand or TCP.

## Not this rule
On other GPUs the setting is harmless here, and some need it.

## What to do
Take it out of the manifest.
"""

from collections.abc import Iterator
from typing import Final

from tools.flags.finding import Finding
from tools.flags.rule import Rule
from tools.flags.subject import Subject

RACKS: Final = ("GB200", "GB300")
CLAIMS = ("parallel.nccl-cumem-and-mnnvl",)


def check(subject: Subject) -> Iterator[Finding]:
    """Yield the setting on a rack."""
    setting = subject.setting("NCCL_CUMEM_ENABLE")
    if setting is None or setting.value != "0" or subject.gpu is None or not subject.gpu.id.startswith(RACKS):
        return
    message = (
        f"NCCL_CUMEM_ENABLE=0 switches NVLink between nodes off on {subject.gpu.id}; traffic goes over the network. "
        "Take it out."
    )
    yield Finding(
        code="nccl-cumem-off",
        severity="warning",
        subject=setting.name,
        message=message,
        claims=CLAIMS,
        line=setting.line,
    )


RULE = Rule(name="nccl-cumem-off", codes=("nccl-cumem-off",), check=check, claims=CLAIMS)

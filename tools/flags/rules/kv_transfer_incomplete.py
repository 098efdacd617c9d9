"""A KV transfer, offload or event setting with a part missing.

## What it looks for
`--kv-transfer-config` with a connector but no role or the reverse, `--kv-offloading-backend` without a size,
`--ec-transfer-config` without a role, and KV events without prefix caching.

## Why it matters
vLLM refuses them at start or, for events, only warns and publishes none.

## Not this rule
A connector that an offload size replaces is `offloading-replaces-connector`.

## What to do
Add what is missing.
"""

from collections.abc import Iterator
from typing import Final

from tools.flags.conflict import Conflict, codes, conflicts
from tools.flags.finding import Finding
from tools.flags.rule import Rule
from tools.flags.subject import Subject

TRANSFER: Final = "--kv-transfer-config"
ENCODER: Final = "--ec-transfer-config"


def _without_role(subject: Subject) -> bool:
    return isinstance(subject.key(TRANSFER, "kv_connector"), str) and subject.key(TRANSFER, "kv_role") is None


def _without_connector(subject: Subject) -> bool:
    return isinstance(subject.key(TRANSFER, "kv_role"), str) and subject.key(TRANSFER, "kv_connector") is None


def _encoder_without_role(subject: Subject) -> bool:
    return isinstance(subject.key(ENCODER, "ec_connector"), str) and subject.key(ENCODER, "ec_role") is None


def _without_size(subject: Subject) -> bool:
    return subject.lacks("--kv-offloading-size")


def _no_blocks(subject: Subject) -> bool:
    events = subject.key("--kv-events-config", "enable_kv_cache_events") is True
    return events and subject.sure("--enable-prefix-caching") is False


CONFLICTS: Final = (
    Conflict(
        "kv-role-missing",
        "error",
        ">=0.8.5",
        ("--kv-transfer-config",),
        _without_role,
        "a kv_connector is refused without a kv_role. Add kv_producer, kv_consumer or kv_both.",
    ),
    Conflict(
        "kv-connector-missing",
        "error",
        ">=0.22",
        ("--kv-transfer-config",),
        _without_connector,
        "a kv_role is refused without a kv_connector. Add the connector.",
    ),
    Conflict(
        "ec-role-missing",
        "error",
        ">=0.11.1",
        ("--ec-transfer-config",),
        _encoder_without_role,
        "an ec_connector is refused without an ec_role. Add it.",
    ),
    Conflict(
        "offload-size-missing",
        "error",
        ">=0.11.1,<0.14",
        ("--kv-offloading-backend",),
        _without_size,
        "this release refuses --kv-offloading-backend without --kv-offloading-size. Add the size.",
    ),
    Conflict(
        "kv-events-without-blocks",
        "note",
        ">=0.10.2",
        ("--kv-events-config",),
        _no_blocks,
        "KV events are on, but without prefix caching there are none to publish. Leave prefix caching on.",
    ),
)


def check(subject: Subject) -> Iterator[Finding]:
    """Yield what is missing."""
    yield from conflicts(subject, CONFLICTS)


RULE = Rule(name="kv-transfer-incomplete", codes=codes(CONFLICTS), check=check)

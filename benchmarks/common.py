"""What the benchmarks share."""

import os
from pathlib import Path

Row = tuple[str, str, str, bool]
"""What was measured, the value, the bar, and whether it is met."""


def child_env(home: str | Path) -> dict[str, str]:
    """The environment for a child process with a data folder of its own, offline."""
    return {**os.environ, "ASK_HOME": str(home), "HF_HUB_OFFLINE": "1"}  # noqa: TID251  a child gets our PATH

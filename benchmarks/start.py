"""What a one-shot command costs from outside, against Python commands that do the unavoidable part."""

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.common import Row, child_env

ASK = str(Path(sys.executable).with_name("ask"))
QUESTION = "why is ITL spiking"


def run() -> Iterator[Row]:
    """Cold question against its two heaviest imports; help against an empty Python."""
    with tempfile.TemporaryDirectory() as home:
        env = child_env(home)
        subprocess.run([ASK, QUESTION], env=env, check=True, capture_output=True, stdin=subprocess.DEVNULL)
        yield _compare(
            "cold `ask` / `import langgraph.graph, chromadb`",
            [ASK, QUESTION],
            [sys.executable, "-c", "import langgraph.graph, chromadb"],
            1.5,
            5,
            env,
        )
        yield _compare("`ask --help` / `python -c pass`", [ASK, "--help"], [sys.executable, "-c", "pass"], 6.0, 15, env)


def _compare(
    what: str, command: Sequence[str], against: Sequence[str], bar: float, runs: int, env: dict[str, str]
) -> Row:
    """Median of the ratios of pairs run in turn, so that a drifting machine cancels out."""
    _seconds(command, env), _seconds(against, env)
    ratios = [_seconds(command, env) / _seconds(against, env) for _ in range(runs)]
    ratio = statistics.median(ratios)
    return what, f"{ratio:.2f}x", f"<= {bar}x", ratio <= bar


def _seconds(command: Sequence[str], env: dict[str, str]) -> float:
    began = time.perf_counter()
    subprocess.run(command, env=env, check=True, capture_output=True, stdin=subprocess.DEVNULL)
    return time.perf_counter() - began

"""What checking a launch costs: warm in the process, and cold as a command."""

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.common import Row, child_env
from knowledge.versions import resolve
from tools.flags.check import check
from tools.flags.read import read

ASK = str(Path(sys.executable).with_name("ask"))
COMMAND = (
    "vllm serve deepseek-ai/DeepSeek-V3 --tensor-parallel-size 8 --enable-expert-parallel --enable-eplb --enable-dbo "
    "--gpu-memory-utilization 0.95 --max-num-seqs 256 --max-num-batched-tokens 8k --swap-space 4 "
    '--speculative-config \'{"method": "mtp", "num_speculative_tokens": 1}\' -cc.cudagraph_mode FULL_AND_PIECEWISE'
)
RELEASES = ("0.22.0", "0.27.0", "0.33.0")


def run() -> Iterator[Row]:
    """One launch of twelve flags with several faults in it."""
    (launch,) = read(COMMAND)
    versions = [resolve(release) for release in RELEASES]
    for version in versions:
        check(launch, version)
    times = []
    for _ in range(50):
        for version in versions:
            began = time.perf_counter()
            check(launch, version)
            times.append((time.perf_counter() - began) * 1000)
    warm_ms = statistics.median(times)
    yield "check of a launch, warm", f"{warm_ms:.1f} ms", "< 50 ms", warm_ms < 50
    with tempfile.TemporaryDirectory() as home:
        env = child_env(home)
        command = [ASK, "flags", "check", "--version", "0.33.0", COMMAND]
        pairs = [(_seconds(command, env), _seconds([sys.executable, "-c", "pass"], env)) for _ in range(9)]
    cold_s = statistics.median(cold for cold, _ in pairs)
    ratio = statistics.median(cold / empty for cold, empty in pairs)
    yield "`ask flags check`, cold", f"{cold_s:.2f} s", "< 0.6 s", cold_s < 0.6
    yield "the same / `python -c pass`", f"{ratio:.1f}x", "-", True


def _seconds(command: list[str], env: dict[str, str]) -> float:
    began = time.perf_counter()
    subprocess.run(command, env=env, check=False, capture_output=True, stdin=subprocess.DEVNULL)
    return time.perf_counter() - began

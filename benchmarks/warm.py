"""One question in a process that has answered before: search, graph, template and check, no model."""

import asyncio
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from agent.assistant import Assistant
from benchmarks.common import Row
from knowledge.settings import Settings

RUNS = 30
BAR_MS = 100.0
QUESTIONS = ("why is ITL spiking", "how do I lower TTFT", "what is the default max_num_batched_tokens")


def run() -> Iterator[Row]:
    """Median time per question."""
    with tempfile.TemporaryDirectory() as home:
        for question, times in asyncio.run(_measure(Path(home))).items():
            median = statistics.median(times)
            yield (
                f"warm answer, median of {RUNS}: {question!r}",
                f"{median:.1f} ms",
                f"< {BAR_MS:.0f} ms",
                median < BAR_MS,
            )


async def _measure(home: Path) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {question: [] for question in QUESTIONS}
    async with Assistant(Settings(home=home), keep=False) as assistant:
        for _ in range(RUNS + 1):
            for question in QUESTIONS:
                began = time.perf_counter()
                async for _event in assistant.ask(question):
                    pass
                times[question].append((time.perf_counter() - began) * 1000)
    return {question: measured[1:] for question, measured in times.items()}

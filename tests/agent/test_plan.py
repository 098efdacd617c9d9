"""The router: symptoms as operators put them, goals, and the rest; and no regex that can be made to hang."""

import re
import time

import pytest

from agent.parts import Parts
from agent.plan import plan
from knowledge.corpus.read import read_corpus
from knowledge.versions import newest

CLAIMS = read_corpus()
PARTS = Parts(CLAIMS, newest())
PATTERNS = [(claim, pattern) for claim in CLAIMS if claim.head.symptom for pattern in claim.head.symptom.match]
HOSTILE = (
    "token " * 333,
    "latency p99 " * 166,
    "a" * 2000,
    "long prompt " * 166,
    "-" * 2000,
    "out of " * 285,
    "0.1 " * 500,
)
SECONDS_MAX = 0.5
"""Ten times what a pattern may take here; a pattern that backtracks without end takes minutes."""


@pytest.mark.parametrize(
    ("question", "symptom"),
    [
        ("why is ITL spiking", "triage.itl-spikes"),
        ("tokens freeze mid-stream for some users", "triage.itl-spikes"),
        ("p99 inter-token latency jumps every minute", "triage.itl-spikes"),
        ("TTFT is high but the queue is empty", "triage.ttft-queue-empty"),
        ("TTFT climbs and num_requests_waiting keeps growing", "triage.ttft-queue-growing"),
        ("TPOT is high while TTFT is fine", "triage.tpot-high"),
        ("preemptions keep climbing", "triage.preemptions-climbing"),
        ("CUDA out of memory at start", "triage.out-of-memory"),
    ],
)
def test_a_symptom_is_recognised(question: str, symptom: str) -> None:
    made = plan(question, {}, PARTS)
    assert (made.kind, made.symptom) == ("diagnosis", symptom)


@pytest.mark.parametrize(
    ("question", "kind", "tools"),
    [
        ("what does --async-scheduling do", "explain", []),
        ("what is the default of max_num_seqs", "name", ["standings"]),
        ("is --swap-space gone", "name", ["standings"]),
        ("what does upgrading from 0.22 break for us", "upgrade", ["upgrade"]),
        ("does this start: vllm serve m --swap-space 4", "launch", ["flags_check"]),
        ("is it safe to raise gpu memory utilization", "safety", []),
        ("how do I see whether prefix caching works", "measure", []),
        ("why is ITL spiking since we went from 0.27.1 to 0.31.0", "diagnosis", ["upgrade"]),
    ],
)
def test_a_question_finds_its_template_and_tools(question: str, kind: str, tools: list[str]) -> None:
    made = plan(question, {}, PARTS)
    assert (made.kind, [call.tool for call in made.calls]) == (kind, tools)


def test_a_manifest_is_checked_and_a_log_is_scanned() -> None:
    manifest = "image: vllm/vllm-openai:v0.27.1\nargs: [--model, m]"
    assert [call.tool for call in plan("what is wrong", {"yaml": manifest}, PARTS).calls] == ["flags_check"]


def test_a_goal_is_a_metric_and_a_direction() -> None:
    made = plan("best way to boost tokens per second", {}, PARTS)
    assert (made.kind, made.metric, made.direction) == ("goal", "throughput", "up")


def test_a_log_is_scanned_and_a_bare_question_is_not() -> None:
    assert [call.tool for call in plan("what is wrong", {"log": "x"}, PARTS).calls] == ["log_signs"]
    assert plan("why is ITL spiking", {}, PARTS).calls == ()


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: text[:8])
def test_no_pattern_hangs(text: str) -> None:
    for claim, pattern in PATTERNS:
        began = time.perf_counter()
        re.search(pattern, text, re.IGNORECASE)
        assert time.perf_counter() - began < SECONDS_MAX, (claim.id, pattern)

"""The deterministic router: what kind of question this is, and which tools to run for it."""

import re
from typing import Any, Final, Literal

from agent.intake.paste import PasteKind
from agent.parts import Parts
from knowledge.corpus.claim import Closed

QuestionKind = Literal["diagnosis", "goal", "explain"]


class ToolCall(Closed, frozen=True):
    """A tool to run, by name, with arguments that fit its input."""

    tool: str
    arguments: dict[str, Any] = {}


class Plan(Closed, frozen=True):
    """What will be done for a question.

    Attributes:
        kind: Which template answers: why something is so, how to move a metric, or what something is.
        symptom: Claim id of the symptom recognised.
        metric: Metric to move, for a `goal`.
        direction: `up` or `down`, for a `goal`.
        calls: Tools to run.
    """

    kind: QuestionKind
    symptom: str = ""
    metric: str = ""
    direction: str = ""
    calls: tuple[ToolCall, ...] = ()


_METRICS: Final = {
    "TTFT": r"\bttft\b|time to first token|first[- ]token latency",
    "ITL": r"\bitl\b|inter[- ]token",
    "TPOT": r"\btpot\b|time per output token|decode latency|decode speed",
    "throughput": r"\bthroughput\b|tokens? (?:per|/|a) s|tok/s|\btps\b",
}
_DOWN: Final = r"\b(?:lower|reduc\w+|decreas\w+|cut|shrink|minimi[sz]e|bring down|get down|shorten)\b"
_UP: Final = r"\b(?:rais\w+|increas\w+|maximi[sz]e|boost|higher|more)\b"
_EITHER: Final = r"\b(?:improv\w+|better|optimi[sz]e|tune|speed up|fix)\b"
_ASKS_HOW: Final = r"\b(?:how|which|what|best way|want to|need to|should|help|tune|setting)\b"
_HOW_TO_MEASURE: Final = r"\b(?:measure|metric for|defined?|mean(?:s|ing)?|calculat\w+|difference)\b"


def plan(question: str, pastes: dict[PasteKind, str], parts: Parts) -> Plan:
    """Decide what to do for a question.

    Args:
        question: The person's own words, redacted.
        pastes: What came with it.
        parts: The corpus for the release in question.
    """
    calls = (ToolCall(tool="log_signs"),) if set(pastes) & {"log", "text"} else ()
    for symptom in parts.symptoms():
        if symptom.head.symptom and any(re.search(p, question, re.I) for p in symptom.head.symptom.match):
            return Plan(kind="diagnosis", symptom=symptom.id, calls=calls)
    goal = _goal(question)
    if goal and not calls:
        return Plan(kind="goal", metric=goal[0], direction=goal[1])
    return Plan(kind="diagnosis" if calls else "explain", calls=calls)


def _goal(question: str) -> tuple[str, str] | None:
    if re.search(_HOW_TO_MEASURE, question, re.I) or not re.search(_ASKS_HOW, question, re.I):
        return None
    metric = next((name for name, pattern in _METRICS.items() if re.search(pattern, question, re.I)), None)
    if metric is None:
        return None
    better = "up" if metric == "throughput" else "down"
    wish = _UP if better == "up" else _DOWN
    return (metric, better) if re.search(f"{wish}|{_EITHER}", question, re.I) else None

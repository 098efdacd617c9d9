"""The deterministic router: what kind of question this is, and which tools to run for it."""

import re
from collections.abc import Iterator
from typing import Any, Final, Literal

from agent.asks import asked_names, asked_upgrade, holds_launch, is_about_a_name
from agent.intake.paste import PasteKind
from agent.parts import Parts
from knowledge.corpus.claim import Closed

QuestionKind = Literal["diagnosis", "goal", "explain", "name", "upgrade", "launch", "measure", "safety"]


LAUNCH_PASTES: Final[tuple[PasteKind, ...]] = ("yaml", "text")
"""The pastes in which a launch may stand; a log that echoes its command is read for its signs."""


class ToolCall(Closed, frozen=True):
    """A tool to run, by name, with arguments that fit its input."""

    tool: str
    arguments: dict[str, Any] = {}


class Plan(Closed, frozen=True):
    """What will be done for a question.

    Attributes:
        kind: Which template answers: why something is so, how to move a metric, what something is, where a name
            stands, what an upgrade changes, whether a launch works, how to measure, or whether a change is safe.
        symptom: Claim id of the symptom recognised.
        metric: Metric to move, for a `goal`.
        direction: `up` or `down`, for a `goal`.
        calls: Tools to run.
        release: The release to speak for, when the question itself decides it; "" leaves it as it is.
    """

    kind: QuestionKind
    symptom: str = ""
    metric: str = ""
    direction: str = ""
    calls: tuple[ToolCall, ...] = ()
    release: str = ""


_METRICS: Final = {
    "TTFT": r"\bttft\b|time to first token|first[- ]token latency",
    "ITL": r"\bitl\b|inter[- ]token",
    "TPOT": r"\btpot\b|time per output token|decode latency|decode speed",
    "throughput": r"\bthroughput\b|tokens? (?:per|/|a) s|tok/s|\btps\b",
}
_DOWN: Final = r"\b(?:lower|reduc\w+|decreas\w+|cut|shrink|minimi[sz]e|bring down|get down|shorten)\b"
_UP: Final = r"\b(?:rais\w+|increas\w+|maximi[sz]e|boost|higher|more)\b"
_EITHER: Final = r"\b(?:improv\w+|better|optimi[sz]e|tune|speed up|fix)\b"
_ASKS_CHANGES: Final = (
    r"\bwhat\b.{0,30}\b(?:chang|break|broke|differ|new\b)|upgrad\w+.{0,30}\b(?:break|chang)|breaking changes"
)
_IS_SAFE: Final = r"\b(?:safe(?:ly)?|risk\w*|danger\w*|harm\w*|side effects?|what can go wrong|okay to|ok to)\b"
_ASKS_MEASURE: Final = (
    r"\b(?:measur\w+|monitor\w*|benchmark\w*|track|alert\w*|observe|see whether|tell whether"
    r"|how do i (?:see|know|check))\b"
)
_ASKS_HOW: Final = r"\b(?:how|which|what|best way|want to|need to|should|help|tune|setting)\b"
_HOW_TO_MEASURE: Final = r"\b(?:measure|metric for|defined?|mean(?:s|ing)?|calculat\w+|difference)\b"


def plan(question: str, pastes: dict[PasteKind, str], parts: Parts, running: str = "") -> Plan:
    """Decide what to do for a question.

    A symptom wins over everything but an upgrade that was asked about in so many words; what tools find on the way
    joins the answer.

    Args:
        question: The person's own words, redacted.
        pastes: What came with it.
        parts: The corpus for the release in question.
        running: The version that the conversation told.
    """
    calls = tuple(_calls(question, pastes, running))
    called = {call.tool for call in calls}
    symptom = _symptom(question, parts)
    if symptom and not ("upgrade" in called and re.search(_ASKS_CHANGES, question, re.I)):
        return Plan(kind="diagnosis", symptom=symptom, calls=calls)
    if "upgrade" in called:
        after = next(call.arguments["after"] for call in calls if call.tool == "upgrade")
        return Plan(kind="upgrade", calls=calls, release=after)
    if "flags_check" in called:
        return Plan(kind="launch", calls=calls)
    if "log_signs" in called:
        return Plan(kind="diagnosis", calls=calls)
    return _by_words(question, calls)


def _by_words(question: str, calls: tuple[ToolCall, ...]) -> Plan:
    if any(call.tool == "standings" for call in calls):
        return Plan(kind="name", calls=calls)
    if re.search(_IS_SAFE, question, re.I):
        return Plan(kind="safety")
    if goal := _goal(question):
        return Plan(kind="goal", metric=goal[0], direction=goal[1])
    return Plan(kind="measure" if re.search(_ASKS_MEASURE, question, re.I) else "explain")


def _symptom(question: str, parts: Parts) -> str:
    for claim in parts.symptoms():
        if claim.head.symptom and any(re.search(p, question, re.I) for p in claim.head.symptom.match):
            return claim.id
    return ""


def _calls(question: str, pastes: dict[PasteKind, str], running: str) -> Iterator[ToolCall]:
    """The tools whose input came with the question."""
    texts = [text for kind in LAUNCH_PASTES if (text := pastes.get(kind, ""))]
    if any(holds_launch(text) for text in (question, *texts)):
        yield ToolCall(tool="flags_check")
    elif set(pastes) & {"log", "text"}:
        yield ToolCall(tool="log_signs")
    if releases := asked_upgrade(question, running):
        yield ToolCall(tool="upgrade", arguments={"before": releases[0], "after": releases[1]})
    elif is_about_a_name(question) and (names := asked_names(question)):
        yield ToolCall(tool="standings", arguments={"names": list(names)})


def _goal(question: str) -> tuple[str, str] | None:
    if re.search(_HOW_TO_MEASURE, question, re.I) or not re.search(_ASKS_HOW, question, re.I):
        return None
    metric = next((name for name, pattern in _METRICS.items() if re.search(pattern, question, re.I)), None)
    if metric is None:
        return None
    better = "up" if metric == "throughput" else "down"
    wish = _UP if better == "up" else _DOWN
    return (metric, better) if re.search(f"{wish}|{_EITHER}", question, re.I) else None

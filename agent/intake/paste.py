"""Tell a person's question from what was pasted with it, line by line."""

import re
from dataclasses import dataclass
from typing import Final, Literal

PasteKind = Literal["metrics", "log", "yaml", "text"]

QUESTION_CHARS: Final = 2000
"""A question longer than this is a paste; the rest of it is treated as one."""

INDENTED: Final = ("  ", "\t")
"""A line that begins so goes on with what stands above it: a traceback's code, a YAML entry."""

_METRIC = re.compile(
    r"^(?:# (?:HELP|TYPE) |(?:vllm|DCGM|process|python|http)[:_]?[A-Za-z0-9_:]*(?:\{.*\})? +[-+0-9.eENaInf]+\s*$)"
)
_LOG = re.compile(
    r"^(?:\([A-Za-z_]\w*(?: \w+)*(?: pid=\d+)?\)\s*|\[[\w./-]+\] )?"
    r"(?:(?:INFO|WARNING|ERROR|DEBUG|CRITICAL)\b|\[?\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}|[EWI]\d{4} \d{2}:|Traceback \(most"
    r" recent|  File \"|[\w.]*(?:Error|Exception): |\{\"\w+\":)"
)
_YAML = re.compile(
    r"^\s*(?:apiVersion|kind|metadata|spec|containers|image|args|command|env|resources|services):(?:\s|$)"
)


@dataclass(frozen=True, slots=True)
class Message:
    """A message taken apart.

    Attributes:
        question: What the person wrote themselves.
        pastes: What they pasted, by kind; lines joined with newlines.
    """

    question: str
    pastes: dict[PasteKind, str]


def take_apart(question: str, attachments: tuple[str, ...] = ()) -> Message:
    """Split a message.

    Args:
        question: The message, which may hold pasted lines.
        attachments: Texts that are pastes as a whole (standard input, files).
    """
    own: list[str] = []
    pasted: dict[PasteKind, list[str]] = {}
    before: PasteKind = "text"
    for line in question.splitlines():
        kind = _kind(line)
        if kind == "text" and line.startswith(INDENTED):
            kind = before
        (own if kind == "text" else pasted.setdefault(kind, [])).append(line)
        before = kind
    text = "\n".join(own).strip()
    if len(text) > QUESTION_CHARS:
        cut = text.rfind("\n", 0, QUESTION_CHARS)
        cut = cut if cut > 0 else QUESTION_CHARS
        pasted.setdefault("text", []).extend(text[cut:].splitlines())
        text = text[:cut].strip()
    for attachment in attachments:
        lines = attachment.splitlines()
        pasted.setdefault(_whole_kind(lines), []).extend(lines)
    return Message(text, {kind: "\n".join(lines) for kind, lines in pasted.items()})


def _kind(line: str) -> PasteKind:
    if _METRIC.match(line):
        return "metrics"
    if _LOG.match(line):
        return "log"
    return "yaml" if _YAML.match(line) else "text"


def _whole_kind(lines: list[str]) -> PasteKind:
    counts: dict[PasteKind, int] = {}
    for line in lines[:2000]:
        kind = _kind(line)
        counts[kind] = counts.get(kind, 0) + (kind != "text")
    best: PasteKind = "text"
    for kind, count in counts.items():
        best = kind if count > counts.get(best, 0) else best
    return best

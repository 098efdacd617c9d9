"""The tools that the graph can call, with what a front-end says about each and whether it acts.

Adding a tool: a pure function in tools/ that returns a `Traced` result, and one `Tool` in `TOOLS`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from agent.intake.paste import PasteKind
from agent.parts import Parts
from agent.plan import ToolCall
from tools.contract import Traced
from tools.log_signs import LogSigns, scan


@dataclass(frozen=True, slots=True)
class Workbench:
    """What tools may read during a turn.

    Attributes:
        pastes: Pasted text by kind, redacted.
        parts: The corpus for the release in question.
    """

    pastes: Mapping[PasteKind, str]
    parts: Parts


def _nothing(_call: ToolCall) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as the graph sees it.

    Attributes:
        name: As a plan names it.
        what: What it does, one line for people.
        result: The type of its result.
        run: Does it.
        summary: One line about a result.
        acts: True when it starts a process, sends load or changes a server: it then waits for a yes.
        command: Exactly what an acting tool would run.
        target: What it would run against.
        cost: What that costs.
    """

    name: str
    what: str
    result: type[Traced]
    run: Callable[[ToolCall, Workbench], Traced]
    summary: Callable[[Any], str]
    acts: bool = False
    command: Callable[[ToolCall], str] = _nothing
    target: Callable[[ToolCall], str] = _nothing
    cost: str = ""


SCANNED: tuple[PasteKind, ...] = ("log", "text")


def _scan_paste(_call: ToolCall, bench: Workbench) -> Traced:
    lines = "\n".join(bench.pastes.get(kind, "") for kind in SCANNED).splitlines()
    return scan(lines, bench.parts.signs())


def _signs_summary(result: LogSigns) -> str:
    seen = ", ".join(f"{sign.cause} (line {sign.line})" for sign in result.seen)
    return f"{result.scanned_lines} lines read: {seen or 'no known sign'}"


TOOLS: dict[str, Tool] = {
    tool.name: tool
    for tool in (Tool("log_signs", "look for known signs in what was pasted", LogSigns, _scan_paste, _signs_summary),)
}

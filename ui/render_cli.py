"""Events as lines for the command line: a pure function."""

from typing import assert_never

from agent.answer import Answer, Sentence
from agent.events import ApprovalNeeded, Event, Failed, Retrieved, ToolFinished, ToolStarted


def progress_line(event: Event) -> str:
    """The line that an event is worth on standard error; empty when none."""
    match event:
        case ToolStarted():
            return f"{event.tool}: {event.what} …"
        case ToolFinished():
            return f"{event.tool}: {event.summary} ({event.seconds:.2f} s)"
        case ApprovalNeeded():
            return f"{event.tool} wants to run `{event.command}` against {event.target} ({event.cost})"
        case Retrieved() | Sentence() | Answer() | Failed():
            return ""
        case _:
            assert_never(event)

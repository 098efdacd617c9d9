import pytest

from agent.answer import Sentence
from agent.events import ApprovalNeeded, Event, Failed, Retrieved, ToolFinished, ToolStarted
from ui.render_cli import progress_line

APPROVAL = ApprovalNeeded(thread="t", tool="bench", command="vllm bench serve", target="http://a:8000", cost="load")


@pytest.mark.parametrize(
    ("event", "parts"),
    [
        pytest.param(
            ToolStarted(tool="log_signs", what="look for signs"), ["log_signs", "look for signs"], id="started"
        ),
        pytest.param(ToolFinished(tool="log_signs", summary="none", seconds=1.234), ["none", "1.23 s"], id="finished"),
        pytest.param(APPROVAL, ["bench", "vllm bench serve", "http://a:8000", "load"], id="approval"),
    ],
)
def test_work_is_told(event: Event, parts: list[str]) -> None:
    for part in parts:
        assert part in progress_line(event)


@pytest.mark.parametrize(
    "event",
    [Retrieved(claims=("kv.watermark",)), Sentence(text="x"), Failed(message="m", exit_code=2)],
    ids=["retrieved", "sentence", "failed"],
)
def test_what_is_shown_elsewhere_is_not_told_twice(event: Event) -> None:
    assert progress_line(event) == ""

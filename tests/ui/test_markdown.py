import io

from rich.console import Console

from ui.markdown import AnswerMarkdown

COMMAND = "curl -s http://localhost:8000/metrics | grep -E '" + "|".join(["vllm:num_requests_waiting"] * 9) + "'"


def rendered(text: str) -> str:
    screen = io.StringIO()
    Console(file=screen, width=80, force_terminal=True, color_system="truecolor").print(
        AnswerMarkdown(text), crop=False
    )
    return screen.getvalue()


def test_a_long_command_stays_on_one_line() -> None:
    assert COMMAND in rendered(f"Look:\n\n```sh\n{COMMAND}\n```\n")


def test_a_source_opens_whole_though_it_is_wrapped() -> None:
    url = "https://github.com/vllm-project/vllm/blob/v0.33.0/" + "long/" * 12 + "file.py"
    assert f";{url}\x1b\\" in rendered(f"- [kv.watermark] {url} (+2)\n")


def test_prose_is_wrapped_at_the_width() -> None:
    text = rendered("plain words " * 30)
    assert max(len(line) for line in text.splitlines()) <= 80

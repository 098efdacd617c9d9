"""The question apart from what was pasted with it, after everything was made plain."""

from agent.intake.paste import QUESTION_CHARS, take_apart
from agent.intake.plain import plain

LOG = "INFO 08-12 09:15:47 [core.py:114] Initializing"
METRIC = 'vllm:num_requests_running{engine="0"} 3.0'


def test_lines_go_where_they_belong() -> None:
    message = take_apart(f"why is it slow\n{LOG}\n{METRIC}\napiVersion: v1")
    assert message.question == "why is it slow"
    assert message.pastes == {"log": LOG, "metrics": METRIC, "yaml": "apiVersion: v1"}


def test_an_attachment_is_a_paste_as_a_whole() -> None:
    assert take_apart("q", (f"{LOG}\nsomething else",)).pastes == {"log": f"{LOG}\nsomething else"}
    assert take_apart("q", ("no known shape",)).pastes == {"text": "no known shape"}


def test_what_is_too_long_for_a_question_is_a_paste() -> None:
    message = take_apart("why\n" + "x" * (QUESTION_CHARS + 1))
    assert message.question == "why"
    assert len(message.pastes["text"].strip()) == QUESTION_CHARS + 1


def test_plain_text_has_no_codes_and_no_hidden_characters() -> None:
    assert plain("a\x1b[31mred\x1b[0m\x00b\u202e\r\nc\ufeff") == "aredb\nc"
    assert plain("Größe ≤ 8 × GPU") == "Größe ≤ 8 × GPU"

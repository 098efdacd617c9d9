"""Stages, here-documents, and lines of a Dockerfile."""

import json

from hypothesis import given, settings, strategies as st

from tests.tools.flags.read.reading import env, lines, only, words


def test_a_stage_goes_on_from_a_named_one() -> None:
    launch = only('FROM vllm/vllm-openai AS Base\nENV A=1\nENTRYPOINT ["vllm","serve"]\nFROM base\nCMD ["m"]')
    assert (words(launch), env(launch), launch.image) == (["m"], {"A": "1"}, "vllm/vllm-openai")


def test_a_stage_from_elsewhere_starts_afresh() -> None:
    assert env(only('FROM a AS b\nENV A=1\nFROM vllm/vllm-openai\nCMD ["m"]')) == {}


def test_a_here_document_holds_no_instructions() -> None:
    assert words(only('FROM vllm/vllm-openai\nCMD ["m"]\nRUN <<EOF\nCMD ["other"]\nEOF\n')) == ["m"]


def test_lines_of_both_forms() -> None:
    assert lines(only("FROM x\nCMD vllm serve m \\\n  # why\n  --port 1")) == [2, 4, 4]
    assert lines(only('FROM vllm/vllm-openai\nCMD ["m", \\\n\n  "--port", \\\n  "1"]')) == [2, 4, 5]


def test_lines_and_quotes_of_variables() -> None:
    launch = only('FROM vllm/vllm-openai\nENV A=1 \\\n  B="x y" \\\n  C=$A\'$A\'\nCMD ["m"]')
    assert [(one.name, one.value, one.line) for one in launch.env] == [("A", "1", 2), ("B", "x y", 3), ("C", "1$A", 4)]


def test_json_that_the_shell_form_breaks_is_noted() -> None:
    launch = only('FROM x\nCMD vllm serve m -cc {"mode": 3}')
    assert [note.code for note in launch.notes] == ["json-broken-by-shell"]


def test_an_older_image_starts_the_module() -> None:
    assert only('FROM vllm/vllm-openai:v0.10.2\nCMD ["--model", "m"]').module


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(st.characters(codec="utf-8", exclude_categories=["C"])), min_size=1, max_size=5))
def test_what_json_writes_is_read_back(parts: list[str]) -> None:
    assert words(only(f"FROM x\nCMD {json.dumps(['vllm', 'serve', *parts])}")) == parts

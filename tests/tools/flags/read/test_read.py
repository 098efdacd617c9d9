"""Which form a text has, Markdown around it, and what a refusal says."""

import pytest

from knowledge.errors import UserError
from tests.tools.flags.read.reading import lines, only, words
from tools.flags.read import read


def test_prose_around_a_code_block_is_not_shell() -> None:
    launch = only("Why? I don't know.\n\n```bash\nvllm serve m \\\n  --port 1\n```\nThanks\n")
    assert words(launch) == ["m", "--port", "1"]
    assert lines(launch) == [4, 5, 5]


def test_a_broken_block_does_not_hide_a_sound_one() -> None:
    launch = only("```\nvllm serve m\n```\nsays\n```\nERROR: vllm isn't there\n```\n")
    assert words(launch) == ["m"]


def test_a_code_block_of_yaml() -> None:
    assert words(only("```yaml\nmodel: m\nport: 1\n```")) == ["m", "--port", "1"]


def test_one_command_in_backticks() -> None:
    assert words(only(" `vllm serve m --port 1` ")) == ["m", "--port", "1"]


def test_json_on_one_line_is_a_manifest() -> None:
    pod = '{"kind":"Pod","spec":{"containers":[{"image":"vllm/vllm-openai","args":["--model","m"]}]}}'
    assert words(only(pod)) == ["--model", "m"]


@pytest.mark.parametrize(
    ("text", "name", "told"),
    [
        ("a\nvllm serve 'm", "run.sh", "run.sh, line 2"),
        ("a: [b", "x.yaml", "x.yaml, line 1"),
        ('FROM vllm/vllm-openai\nENV A="x', "Dockerfile", "Dockerfile, line 2"),
        ("vllm serve 'm", "", "the input, line 1"),
    ],
)
def test_a_refusal_names_file_and_line(text: str, name: str, told: str) -> None:
    with pytest.raises(UserError, match=told):
        read(text, name)


def test_a_name_with_a_null_character_is_only_a_name() -> None:
    assert words(read("vllm serve m", "a\0b")[0]) == ["m"]

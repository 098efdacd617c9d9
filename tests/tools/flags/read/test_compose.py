"""Compose commands as text and list, and their lines."""

import pytest

from tests.tools.flags.read.reading import env, lines, noted, only, words

HEAD = "services:\n  a:\n    image: vllm/vllm-openai\n"


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("|\n      --model m\n      --port 1", [5, 5, 6, 6]),
        (">-\n      --model m\n\n      --port 1", [5, 5, 7, 7]),
        ("--model m\n      --port 1", [4, 4, 5, 5]),
        ('"--model m\n      --port 1"', [4, 4, 5, 5]),
        ('"--model m\\n--port 1"', [4, 4, 4, 4]),
    ],
    ids=["literal", "folded", "plain", "quoted", "escaped"],
)
def test_lines_of_every_style(command: str, expected: list[int]) -> None:
    launch = only(f"{HEAD}    command: {command}\n")
    assert words(launch) == ["--model", "m", "--port", "1"]
    assert lines(launch) == expected


def test_json_is_right_in_a_list_and_broken_in_a_text() -> None:
    as_list = only(HEAD + """    command: ["-cc", '{"mode": 3}']\n""")
    as_text = only(HEAD + """    command: --model m -cc {"mode":3}\n""")
    assert as_list.notes == ()
    assert noted(as_text) == [("json-broken-by-shell", "-cc", 4)]
    assert words(as_text)[-1] == '{"mode":3}'


def test_a_script_in_quotes_keeps_its_lines() -> None:
    launch = only(HEAD + '    command: |\n      bash -c "\n      export A=1\n      vllm serve m --port $$P"\n')
    assert env(launch) == {"A": "1"}
    assert lines(launch) == [7, 7, 7]


def test_an_entry_point_takes_the_place_of_that_of_the_image() -> None:
    launch = only(HEAD + "    entrypoint: python3 -m vllm.entrypoints.openai.api_server\n    command: --model m\n")
    assert launch.module
    assert words(launch) == ["--model", "m"]


def test_variables_are_filled_in_before_a_text_is_split() -> None:
    assert words(only(HEAD + "    command: --model m ${MORE:---port 1}\n")) == ["--model", "m", "--port", "1"]


def test_what_is_not_seen_is_noted_where_it_stands() -> None:
    launch = only(HEAD + "    command: [m]\n    environment: [A=1, B, 'C=${X:?why}']\n    env_file: [{path: z.env}]\n")
    assert env(launch) == {"A": "1", "B": None, "C": None}
    assert noted(launch) == [("file-not-read", "z.env", 6), ("variable-unset", "X", 5)]

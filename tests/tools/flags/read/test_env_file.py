"""Quotes and comments of an env file."""

import pytest

from tests.tools.flags.read.reading import env, only


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("1", "1"),
        ("1 # why", "1"),
        ("a#b", "a#b"),
        ("'a # b'", "a # b"),
        ('"a b" # why', "a b"),
        ("'a'b", "'a'b"),
        ("", ""),
        ("# why", ""),
        ("a=b", "a=b"),
    ],
)
def test_values(written: str, meant: str) -> None:
    assert env(only(f"A={written}", "x.env")) == {"A": meant}


def test_a_command_behind_makes_it_no_env_file() -> None:
    assert only("A=1 vllm serve m").whole

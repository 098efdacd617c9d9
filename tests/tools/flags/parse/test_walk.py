"""Command lines read as vLLM's own parser reads them; `argparse` itself is the judge."""

import argparse
import contextlib
import io
from collections.abc import Callable
from typing import Any, NoReturn

import pytest
from hypothesis import given, settings, strategies as st

from tests.tools.flags.launching import launch
from tools.flags.launch import OPAQUE, Launch, Word
from tools.flags.parse.given import Parsed
from tools.flags.parse.options import options
from tools.flags.parse.values import RefusedError, converted
from tools.flags.parse.walk import parse

RELEASE = "0.33.0"
TABLE = options(RELEASE, "serve")


def read(command: str, release: str = RELEASE) -> Parsed:
    return parse(launch(command), release)


@pytest.mark.parametrize(
    ("command", "name", "value"),
    [
        ("m --tensor-parallel-size 8", "--tensor-parallel-size", 8),
        ("m --tensor_parallel_size=8", "--tensor-parallel-size", 8),
        ("m -tp 8", "--tensor-parallel-size", 8),
        ("m -tp=8", "--tensor-parallel-size", 8),
        ("m --tensor-par 8", "--tensor-parallel-size", 8),
        ("m --max-model-len 8k", "--max-model-len", 8000),
        ("m --max-model-len 8K", "--max-model-len", 8192),
        ("m --max-model-len -1", "--max-model-len", -1),
        ("m --gpu-memory-utilization .9", "--gpu-memory-utilization", 0.9),
        ("m --no-enable-prefix-caching", "--enable-prefix-caching", False),
        ("m --disable-prefix-caching", "--enable-prefix-caching", False),
        ("m --served-model-name a b", "--served-model-name", ["a", "b"]),
        ("m -O3", "--optimization-level", "3"),
        ("m -qfp8", "--quantization", "fp8"),
        ("m --moe-backend MARLIN", "--moe-backend", "MARLIN"),
        ("m -O=3", "--optimization-level", "3"),
        ("m -O 3", "--optimization-level", "3"),
        ("m --compilation-config '{\"mode\": 3}'", "--compilation-config", {"mode": 3}),
    ],
)
def test_a_flag_is_read(command: str, name: str, value: Any) -> None:
    parsed = read(command)
    assert not parsed.faults
    assert parsed.model == "m"
    use = parsed.last(name)
    assert use is not None
    assert use.value == value


def test_keys_of_a_json_flag_are_merged() -> None:
    parsed = read("m -cc.mode=3 -cc.custom_ops+ a -cc.custom_ops+ b,c -cc.pass_config.x 80g")
    assert not parsed.faults
    assert parsed.json("--compilation-config") == {
        "mode": 3,
        "custom_ops": ["a", "b", "c"],
        "pass_config": {"x": 80_000_000_000},
    }


@pytest.mark.parametrize(
    "command",
    [
        """m -cc.mode=3 -cc '{"custom_ops": ["a"]}'""",
        """m --compilation-config '{"custom_ops": ["a"]}' --compilation-config.mode 3""",
        """m --compilation-config.cudagraph_mode NONE -cc.mode=3""",
    ],
)
def test_keys_replace_the_object_and_the_last_spelling_wins(command: str) -> None:
    assert read(command).json("--compilation-config") == {"mode": 3}


def test_suffixes_behind_a_key_came_with_0_20() -> None:
    assert read("m -cc.x 80g", "0.19.0").json("--compilation-config") == {"x": "80g"}


@pytest.mark.parametrize(("release", "accepted"), [("0.15.0", True), ("0.16.0", False)])
def test_dotted_o_was_the_compilation_config_up_to_0_15(release: str, accepted: bool) -> None:
    assert (read("m -O.mode=3", release).json("--compilation-config") == {"mode": 3}) is accepted


@pytest.mark.parametrize(
    ("command", "code", "subject"),
    [
        ("m --swap-space 4", "flag-not-known", "--swap-space"),
        ("m --max-num 4", "flag-ambiguous", "--max-num"),
        ("m --max-num-seqs", "value-missing", "--max-num-seqs"),
        ("m --max-num-seqs --enforce-eager", "value-missing", "--max-num-seqs"),
        ("m --enforce-eager=1", "value-not-taken", "--enforce-eager"),
        ("m --max-num-seqs x", "value-refused", "--max-num-seqs"),
        ("m --compilation-config 3", "value-refused", "--compilation-config"),
        ("m n", "word-not-taken", "n"),
    ],
)
def test_a_fault_is_told_and_reading_goes_on(command: str, code: str, subject: str) -> None:
    parsed = read(f"{command} --port 1")
    assert [(fault.code, fault.subject) for fault in parsed.faults] == [(code, subject)]
    assert parsed.last("--port") is not None


def test_a_key_at_the_end_lacks_its_value() -> None:
    assert [(fault.code, fault.subject) for fault in read("m -cc.mode").faults] == [("value-missing", "-cc.mode")]


def test_what_only_the_shell_knows_is_not_judged() -> None:
    words = ("m", "--tensor-parallel-size", OPAQUE, "--max-num-seqs", "4")
    parsed = parse(Launch(words=tuple(Word(text=word) for word in words)), RELEASE)
    assert not parsed.faults
    assert [use.known for use in parsed.given] == [False, True]


def test_the_words_behind_two_dashes_are_no_flags() -> None:
    assert [fault.subject for fault in read("m -- --port 1").faults] == ["--port", "1"]


def test_a_benchmark_takes_its_own_flags() -> None:
    assert not read("bench serve --num-prompts 10 --model m").faults
    assert [fault.subject for fault in read("bench serve --max-num-seqs 10").faults] == ["--max-num-seqs"]
    assert not read("bench throughput --max-num-seqs 10").faults


class _RefusalError(Exception):
    """argparse refuses the words."""


class _Judge(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise _RefusalError(message)


def _judge() -> _Judge:
    judge = _Judge(add_help=False)
    judge.add_argument("model", nargs="?")
    for name, facts in TABLE.flags.items():
        if facts.nargs == 0:
            judge.add_argument(*facts.all_spellings, dest=name, action="store_true")
        else:
            judge.add_argument(*facts.spellings, dest=name, nargs=facts.nargs, type=_reader(name))
    return judge


def _reader(name: str) -> Callable[[str], Any]:
    def read_value(text: str) -> Any:
        try:
            return converted(text, TABLE.flags[name])
        except RefusedError as refused:
            raise argparse.ArgumentTypeError(str(refused)) from refused

    return read_value


JUDGE = _judge()
SPELLINGS = sorted(TABLE.by_spelling)
OPTION = st.sampled_from(SPELLINGS).filter(lambda spelling: spelling not in ("-h", "--help"))
VALUE = st.sampled_from(["8", "-1", "0.5", "auto", "{}", '{"a": 1}', "a b", "", "-", "8k", "none", "x=y", "fp8"])


@st.composite
def command_lines(draw: st.DrawFn) -> list[str]:
    """A model, and then flags in full, cut short or misspelt, with values, without, or with too many."""
    words = ["m"]
    for _ in range(draw(st.integers(0, 6))):
        option = draw(OPTION)
        cut = draw(st.integers(0, 3))
        typed = option[: len(option) - cut] if cut and len(option) > 6 else option
        attached = draw(st.booleans())
        values = draw(st.lists(VALUE, max_size=2))
        words += [f"{typed}={values[0]}", *values[1:]] if attached and values else [typed, *values]
    return [word for word in words if not word.startswith("-O")]


@settings(max_examples=400, deadline=None)
@given(command_lines())
def test_it_accepts_exactly_what_argparse_accepts(words: list[str]) -> None:
    with contextlib.redirect_stderr(io.StringIO()):
        try:
            _, rest = JUDGE.parse_known_args(words)
            accepted = not rest
        except _RefusalError:
            accepted = False
    parsed = parse(Launch(words=tuple(Word(text=word) for word in words)), RELEASE)
    assert (not parsed.faults) is accepted, parsed.faults

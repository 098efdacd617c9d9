"""Input that is made to break a reader: refused or read, soon, and never with a traceback."""

import contextlib
import time

import pytest
from hypothesis import given, settings, strategies as st

from knowledge.errors import UserError
from tools.flags.read import read

SERVE = "vllm serve m "
NAMES = ["", "Dockerfile", "compose.yaml", "c.yml", "x.env", "run.sh", "x.json", "x.md"]
POD = "containers:\n- image: vllm/vllm-openai\n"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("A=xx\n" + "A=$A$A\n" * 2_000 + SERVE + "$A", ""),
        ("A=xx\n" + "A+=$A\n" * 2_000 + SERVE + "$A", ""),
        ("A=(x x)\n" + 'A=("${A[@]}" "${A[@]}")\n' * 60 + SERVE + '"${A[@]}"', ""),
        ("A=" + "x" * 90_000 + "\n" + SERVE + "$A" * 200, ""),
        ("FROM vllm/vllm-openai\nENV A=xx\n" + "ENV A=$A$A\n" * 2_000 + "CMD $A", "Dockerfile"),
        (POD + "  env: [{name: A, value: " + "x" * 90_000 + '}]\n  args: ["' + "$(A)" * 200 + '"]', "x.yaml"),
        ("a: &a " + "x" * 100_000 + "\nb: [" + "*a," * 10_000 + "]", "x.yaml"),
        ("a: &a\n  <<: *a\n", "x.yaml"),
        ("a: " + "[" * 5_000, "x.yaml"),
        ("a: 1\n---\n" * 5_000, "x.yaml"),
    ],
    ids="double append array repeat docker kubernetes alias cycle deep documents".split(),  # noqa: SIM905
)
def test_what_unfolds_to_too_much_is_refused_or_not_known(text: str, name: str) -> None:
    with contextlib.suppress(UserError):
        assert sum(len(word.text) for launch in read(text, name) for word in launch.words) <= 2 * 2**20


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (SERVE + "x" * 200_000, ""),
        (SERVE + "{" * 20_000, ""),
        (SERVE + '{"a": ' * 5_000, ""),
        (SERVE + "“ " * 20_000, ""),
        ("cat <<E\n" * 10_000, ""),
        ("if " * 20_000 + SERVE, ""),
        ("a " * 20_000, ""),
        ("-" + "c" * 50_000 + "! x y", ""),
        ("docker run " + "vllm" * 20_000 + "! x", ""),
        ("A=(" * 2_000, ""),
        ("A=() " * 10_000, ""),
        ('A="bash -c \\$A"\nbash -c "$A"', ""),
        ("A=x" + " " * 100_000 + "x", "x.env"),
        ("FROM x\nCMD " + "[" * 50_000, "Dockerfile"),
        ("kind: Pod\n" + "{{" * 50_000, "x.yaml"),
        ('model: m\ncompilation-config: {a: "' + "[" * 50_000 + '"}', "x.yaml"),
        ("services:\n a:\n  image: vllm\n  volumes: ['" + "${" * 20_000 + "']", "x.yaml"),
    ],
)
def test_what_is_long_takes_time_in_proportion(text: str, name: str) -> None:
    began = time.process_time()
    with contextlib.suppress(UserError):
        read(text, name)
    assert time.process_time() - began < 3


@settings(max_examples=400, deadline=None)
@given(st.text(max_size=60), st.sampled_from(NAMES), st.sampled_from(["", SERVE, "FROM vllm\nCMD ", "model: ", POD]))
def test_no_text_makes_a_reader_crash(text: str, name: str, begun: str) -> None:
    with contextlib.suppress(UserError):
        read(begun + text, name)

"""Containers, references and chart values."""

import pytest
import yaml
from hypothesis import given, settings, strategies as st

from tests.tools.flags.read.reading import env, lines, noted, only, words
from tools.flags.launch import OPAQUE


def pod(container: str) -> str:
    return f"kind: Pod\nspec:\n  containers:\n  - name: a\n    image: vllm/vllm-openai:v0.27.1\n{container}"


def test_lines_of_a_script() -> None:
    launch = only(
        pod("    command: [sh, -c]\n    args:\n    - |\n      # why\n      vllm serve m \\\n        --port 1\n")
    )
    assert lines(launch) == [10, 11, 11]


def test_references_to_variables() -> None:
    launch = only(
        pod('    env: [{name: A, value: "1"}, {name: B, value: "$(A)2"}]\n    args: ["$(B)", "$$(A)", "$(C)"]')
    )
    assert env(launch) == {"A": "1", "B": "12"}
    assert words(launch) == ["12", "$(A)", OPAQUE]
    assert noted(launch) == [("variable-unset", "C", 7)]


def test_a_command_substitution_of_a_script_is_no_variable() -> None:
    launch = only(pod('    command: [sh, -c, "vllm serve $(hostname)"]'))
    assert (words(launch), noted(launch)) == ([OPAQUE], [])


def test_variables_from_elsewhere_are_noted() -> None:
    launch = only(pod("    envFrom: [{configMapRef: {name: settings}}]\n    args: [m]"))
    assert noted(launch) == [("file-not-read", "settings", 6)]


@pytest.mark.parametrize("container", ["{image: exporter, args: [--port=1, --host=x]}", "{args: [--config, x]}"])
def test_flags_of_another_program_are_not_taken(container: str) -> None:
    assert words(only(pod(f"    args: [m]\n  - {container}\n"))) == ["m"]


def test_an_image_of_any_name_is_known_by_its_flags() -> None:
    launch = only("kind: Pod\nspec: {containers: [{name: a, image: llm, args: [--model, m]}]}")
    assert words(launch) == ["--model", "m"]


def test_json_in_a_list_needs_no_note_with_or_without_quotes() -> None:
    launch = only(pod("""    args: [m, -cc, '{"mode": 3}', --override-generation-config, {"temperature": 0.5}]"""))
    assert launch.notes == ()
    assert words(launch)[2::2] == ['{"mode": 3}', '{"temperature": 0.5}']


def test_extra_arguments_of_a_chart_as_text() -> None:
    launch = only("modelSpec:\n- name: chat\n  vllmConfig:\n    extraArgs: --port 1 --seed 2\n", "values.yaml")
    assert words(launch) == ["--port", "1", "--seed", "2"]
    assert launch.service == "chat"
    assert not launch.whole


def test_lines_that_hold_only_a_template_are_dropped() -> None:
    text = pod(
        "    args:\n    - --model={{ .Values.model }}\n    {{- toYaml .Values.args | nindent 4 }}\n    - --port=1"
    )
    assert words(only(text)) == [f"--model={OPAQUE}", "--port=1"]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(st.characters(codec="ascii", exclude_characters="$\r{}"), min_size=1), min_size=1, max_size=5))
def test_what_yaml_writes_is_read_back(parts: list[str]) -> None:
    parts = [part.replace("\0", "0") for part in parts]
    container = {"name": "a", "command": ["vllm", "serve"], "args": parts}
    assert words(only(yaml.safe_dump({"kind": "Pod", "spec": {"containers": [container]}}), "x.yaml")) == parts

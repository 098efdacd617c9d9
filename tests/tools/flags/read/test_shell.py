"""Shell text read into launches; `shlex` is the judge where nothing is expanded."""

import contextlib
import shlex

import pytest
from hypothesis import given, settings, strategies as st

from knowledge.errors import UserError
from tools.flags.launch import OPAQUE, Launch
from tools.flags.read import read
from tools.flags.read.lexer import cut
from tools.flags.read.variables import LONGEST_CHARS


def only(text: str) -> Launch:
    (launch,) = read(text)
    return launch


def words(text: str) -> list[str]:
    return [word.text for word in only(text).words]


@pytest.mark.parametrize(
    "text",
    [
        "vllm serve m --port 1",
        "$ vllm serve m --port 1",
        "```bash\nvllm serve m --port 1\n```",
        "nohup /opt/venv/bin/vllm serve m --port 1 > log 2>&1 &",
        "cd /srv && exec numactl --cpunodebind=0 vllm serve m --port 1 | tee log",
        "uv run vllm serve m --port 1",
        "vllm serve m \\\n  --port 1",
        "vllm serve m \\  \n  --port 1",
        "vllm serve m \\\r\n  --port 1\r\n",
        "vllm\N{NO-BREAK SPACE}serve m \N{EN DASH}\N{EN DASH}port 1".replace("\N{EN DASH}\N{EN DASH}", "\N{EN DASH}"),
        "bash -c 'vllm serve m --port 1'",
        "docker run --gpus all -p 8000:8000 vllm/vllm-openai:v0.27.1 m --port 1",
        "docker run --rm vllm/vllm-openai:v0.27.1 vllm serve m --port 1",
        "if true; then vllm serve m --port 1; fi",
        "[Service]\nEnvironment=A=1\nExecStart=/opt/venv/bin/vllm serve m \\\n  --port 1",
        'subprocess.run([\n  "vllm", "serve",\n  "m", "--port", "1",\n])',
        "M=m\nvllm serve $M --port ${PORT:-1}",
        'ARGS=(m --port)\nARGS+=(1)\nvllm serve "${ARGS[@]}"',
        "ARGS='m --port 1'\nvllm serve $ARGS",
        "cat <<EOF > note\nvllm serve other\nEOF\nvllm serve m --port 1",
        "# vllm serve other\nvllm serve m --port 1 # the port",
    ],
)
def test_the_words_behind_serve(text: str) -> None:
    assert words(text) == ["m", "--port", "1"]


def test_a_module_is_told_apart() -> None:
    launch = only("python3 -m vllm.entrypoints.openai.api_server --model m")
    assert launch.module
    assert [word.text for word in launch.words] == ["--model", "m"]


def test_a_benchmark_names_its_subcommand() -> None:
    launch = only("vllm bench serve --num-prompts 10")
    assert (launch.command, launch.subcommand) == ("bench", "serve")


def test_bare_flags_are_those_of_serve() -> None:
    assert words("--max-num-seqs 4 --port 1") == ["--max-num-seqs", "4", "--port", "1"]


def test_several_launches_of_a_script() -> None:
    assert len(read("vllm serve a --port 1 &\nvllm serve b --port 2 &\nwait")) == 2


def test_the_environment_is_what_is_exported_or_stands_in_front() -> None:
    launch = only("A=1\nexport VLLM_B=2\nVLLM_C=3 env VLLM_D=4 vllm serve m")
    assert {(s.name, s.value) for s in launch.env} == {("VLLM_B", "2"), ("VLLM_C", "3"), ("VLLM_D", "4")}


def test_a_container_passes_its_environment_image_and_volumes() -> None:
    launch = only("docker run -e VLLM_A=1 --env VLLM_B=2 -v /data:/root/.cache vllm/vllm-openai:v0.27.1 --model m")
    assert [(s.name, s.value) for s in launch.env] == [("VLLM_A", "1"), ("VLLM_B", "2")]
    assert launch.image == "vllm/vllm-openai:v0.27.1"
    assert launch.mounts == ("/root/.cache",)
    assert launch.platform == "docker"


def test_what_is_not_set_is_not_guessed() -> None:
    launch = only("vllm serve $MODEL -tp $(nvidia-smi -L | wc -l) --port `cat port`")
    assert [word.text for word in launch.words] == [OPAQUE, "-tp", OPAQUE, "--port", OPAQUE]
    assert [(note.code, note.subject) for note in launch.notes] == [("variable-unset", "MODEL")]


@pytest.mark.parametrize("text", ['run(){ vllm serve "$@"; }; run m', 'set -- m; exec vllm serve "$@"'])
def test_words_that_come_from_elsewhere_are_noted(text: str) -> None:
    assert [(note.code, note.subject) for note in only(text).notes] == [("variable-unset", "@")]


def test_variables_that_double_each_other_end() -> None:
    text = "A0=ab\n" + "\n".join(f'A{n}="$A{n - 1}$A{n - 1}"' for n in range(1, 60)) + "\nvllm serve $A59"
    assert len(words(text)[0]) <= LONGEST_CHARS


def test_single_quotes_and_escaped_dollars_expand_nothing() -> None:
    assert words('M=x\nvllm serve \'$M\' "\\$M" "$M"') == ["$M", "$M", "x"]


@pytest.mark.parametrize(
    ("text", "flag"),
    [
        ('vllm serve m --speculative-config {"method": "mtp", "num_speculative_tokens": 1}', "--speculative-config"),
        ('vllm serve m --speculative-config={"method": "mtp"}', "--speculative-config"),
        ('vllm serve m -cc "{"mode": 3}"', "-cc"),
    ],
)
def test_json_that_a_shell_breaks_is_put_together(text: str, flag: str) -> None:
    launch = only(text)
    assert [(note.code, note.subject) for note in launch.notes] == [("json-broken-by-shell", flag)]
    assert launch.words[-1].text.endswith("}")


def test_json_in_quotes_needs_no_mending() -> None:
    launch = only("""vllm serve m -cc '{"mode": 3}'""")
    assert launch.notes == ()
    assert launch.words[-1].text == '{"mode": 3}'


def test_lines_are_those_of_the_input() -> None:
    launch = only("# head\nexport VLLM_A=1\nvllm serve m \\\n  --port 1 \\\n  --seed 2")
    assert [word.line for word in launch.words] == [3, 4, 4, 5, 5]
    assert launch.env[0].line == 2


def test_an_open_quote_names_its_line() -> None:
    with pytest.raises(UserError, match="line 2"):
        read("vllm serve m \\\n --x 'abc")


def test_no_launch_says_what_is_understood() -> None:
    with pytest.raises(UserError, match="Dockerfile"):
        read("echo hello")


PLAIN = st.text(st.characters(codec="utf-8", exclude_characters="$`#;&|<>(){}\n\r\0!\\\"'*~\ue000\ue001"), max_size=12)
QUOTED = st.text(st.characters(codec="ascii", exclude_characters="\0\r\n'"), max_size=12)


@settings(max_examples=300, deadline=None)
@given(st.lists(QUOTED, min_size=1, max_size=6))
def test_what_shlex_joins_is_read_back(parts: list[str]) -> None:
    commands = cut(shlex.join(parts)).commands
    assert [token.literal() for token in commands[0]] == parts


@settings(max_examples=300, deadline=None)
@given(st.lists(st.one_of(PLAIN, QUOTED.map(lambda text: f"'{text}'")), max_size=6))
def test_the_words_are_those_of_shlex(parts: list[str]) -> None:
    text = " ".join(parts)
    try:
        expected = shlex.split(text, comments=False)
    except ValueError:
        return
    found = [token.literal() for command in cut(text).commands for token in command]
    assert found == expected


@settings(max_examples=400, deadline=None)
@given(st.text(st.sampled_from('vllm serve-m\\\'"${}()[]<>&|;#=`\n \t{":1,}@!*A0'), max_size=80))
def test_no_text_makes_it_crash(text: str) -> None:
    for begun in ("", "vllm serve m "):
        with contextlib.suppress(UserError):
            read(begun + text)

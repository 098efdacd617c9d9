import click
import pytest

from ui.commands.tree import cli


def route(*args: str) -> list[str]:
    return list(cli.route(click.Context(cli, info_name="ask", help_option_names=["-h", "--help"]), list(args)))


def asked(*words: str, options: tuple[str, ...] = ()) -> list[str]:
    return ["question", *options, "--", *words]


@pytest.mark.parametrize(
    "args",
    [
        pytest.param(["corpus"], id="group"),
        pytest.param(["corpus", "search", "x"], id="search"),
        pytest.param(["corpus", "--help"], id="help-of-group"),
        pytest.param(["corpus", "lint", "--json"], id="own-option"),
        pytest.param(["--help"], id="help"),
        pytest.param(["-V"], id="own-version"),
        pytest.param(["gpus", "H200"], id="leaf-with-its-argument"),
        pytest.param(["flags", "show", "--swap-space"], id="a-flag-as-argument"),
    ],
)
def test_a_command_is_left_alone(args: list[str]) -> None:
    assert route(*args) == args


@pytest.mark.parametrize(
    ("args", "routed"),
    [
        pytest.param([], asked(), id="nothing"),
        pytest.param(["why is ITL spiking"], asked("why is ITL spiking"), id="one-argument"),
        pytest.param(["preemption"], asked("preemption"), id="lone-ordinary-word"),
        pytest.param(["slow"], asked("slow"), id="lone-word-near-show"),
        pytest.param(["corpus?"], asked("corpus?"), id="lone-word-with-question-mark"),
        pytest.param(["corpus", "looks", "odd"], asked("corpus", "looks", "odd"), id="begins-with-a-group"),
        pytest.param(["gpus", "are", "idle"], asked("gpus", "are", "idle"), id="begins-with-a-leaf"),
        pytest.param(["question", "marks", "odd"], asked("question", "marks", "odd"), id="begins-with-the-default"),
        pytest.param(["corpsu", "search", "x"], asked("corpsu", "search", "x"), id="typo-among-words"),
        pytest.param(["corpus search is odd"], asked("corpus search is odd"), id="command-quoted"),
        pytest.param(["--json", "q"], asked("q", options=("--json",)), id="json-before"),
        pytest.param(["q", "--json"], asked("q", options=("--json",)), id="json-after"),
        pytest.param(["--version", "0.27.0", "q"], asked("q", options=("--version", "0.27.0")), id="version-before"),
        pytest.param(["q", "--version", "0.27.0"], asked("q", options=("--version", "0.27.0")), id="version-after"),
        pytest.param(["q", "--version=0.27.0"], asked("q", options=("--version=0.27.0",)), id="version-joined"),
        pytest.param(["--swap-space still there?"], asked("--swap-space still there?"), id="quoted-flag-first"),
        pytest.param(["is", "--swap-space", "gone"], asked("is", "--swap-space", "gone"), id="flag-among-words"),
        pytest.param(["--swap-space", "gone?"], asked("--swap-space", "gone?"), id="flag-first-unquoted"),
        pytest.param(["does", "--revision", "work"], asked("does", "--revision", "work"), id="vllm-flag-near-ours"),
        pytest.param(["use", "-tp", "8"], asked("use", "-tp", "8"), id="short-flag"),
        pytest.param(["--", "corpus", "search", "x"], asked("corpus", "search", "x"), id="command-after-dashes"),
        pytest.param(
            ["--json", "--", "--json", "q"], asked("--json", "q", options=("--json",)), id="ours-after-dashes"
        ),
        pytest.param(["--", "corpsu"], asked("corpsu"), id="typo-after-dashes"),
    ],
)
def test_anything_else_is_a_question(args: list[str], routed: list[str]) -> None:
    assert route(*args) == routed


@pytest.mark.parametrize(
    ("args", "meant"),
    [
        pytest.param(["corpsu"], "`ask corpus`", id="command"),
        pytest.param(["CORPUSS"], "`ask corpus`", id="upper-case"),
        pytest.param(["corpsu", "--json"], "`ask corpus`", id="command-with-option"),
        pytest.param(["serch"], "`ask corpus search`", id="inner-command"),
        pytest.param(["lint"], "`ask corpus lint`", id="inner-command-in-full"),
        pytest.param(["help"], "`ask --help`", id="help"),
        pytest.param(["questoin"], 'ask "', id="default"),
        pytest.param(["why", "--jsn"], "--json", id="option"),
        pytest.param(["--verison=0.27.0", "why"], "--version", id="option-with-value"),
        pytest.param(["--foo"], 'ask "what does --foo do"', id="lone-unknown-option"),
        pytest.param(["--json", "corpus", "list"], "ask corpus list", id="option-before-command"),
        pytest.param(["corpus", "--json", "list"], "ask corpus list", id="option-inside-command"),
        pytest.param(["why", "--version"], "--program-version", id="version-without-value"),
        pytest.param(["why", "--thread"], "--thread", id="thread-without-value"),
    ],
)
def test_what_looks_mistyped_is_refused_with_what_was_meant(args: list[str], meant: str) -> None:
    with pytest.raises(click.UsageError) as refused:
        route(*args)
    assert meant in refused.value.message
    assert refused.value.exit_code == 2

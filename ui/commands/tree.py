"""Every command and its options; what a command does is imported only when it is called."""

# mypy: disallow-untyped-decorators=False
# The group's class is untyped, and so is every decorator made from it.

from typing import TYPE_CHECKING

import click

from ui.commands.routing import AskGroup

if TYPE_CHECKING:
    from tools.flags.finding import Severity

PROGRAM_VERSION = "0.1.0"


@click.group(
    cls=AskGroup,
    default="question",
    default_if_no_args=True,
    subcommand_metavar='"QUESTION" | COMMAND …',
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Data lives in $ASK_HOME, else in $XDG_DATA_HOME/vllm-ask, else in ~/.local/share/vllm-ask. "
    "NO_COLOR=1 turns colours off.",
)
@click.version_option(PROGRAM_VERSION, "-V", "--program-version", prog_name="ask", help="Show ask's own version.")
def cli() -> None:
    """Ask about the performance of a vLLM server; every sentence of an answer names what it rests on.

    \b
    ask "why is ITL spiking"
    kubectl logs POD | ask "what is wrong"       a log as evidence, redacted
    ask --version 0.27.0 "is --swap-space gone"  for a vLLM that is not the newest
    ask --thread prod "we run 0.31 on 8xH200"    remembered for the next question
    ask corpus search "preemption"               look into what is known
    ask corpus show prefill.chunk-shares-step    open a citation

    The answer goes to standard output, progress to standard error.

    \b
    Exit codes: 0 answered; 2 you can mend it, the message says how;
    3 the corpus of claims is broken; 4 something outside failed; 130 Ctrl-C.
    """  # noqa: D301  click reads the backspace that \b makes


@cli.command(hidden=True)  # nobody needs to name it
@click.argument("words", nargs=-1, metavar='"QUESTION"')
@click.option("--json", "as_json", is_flag=True, help="Print the answer as one JSON object.")
@click.option(
    "--version",
    metavar="X.Y.Z",
    help="The vLLM version to answer for; without it: the one that the question, the log or the thread names, "
    "else the newest.",
)
@click.option("--thread", metavar="NAME", default="", help="Keep a conversation of this name, or go on with it.")
def question(words: tuple[str, ...], as_json: bool, version: str | None, thread: str) -> None:
    """Answer a question; text on standard input is evidence."""
    from ui.commands.question import answer_question

    answer_question(" ".join(words), as_json=as_json, version=version, thread=thread)


@cli.group(short_help="Look into the claims that answers cite: list, show, search, lint.")
def corpus() -> None:
    """Look into the claims that answers cite.

    A claim is one checked statement about vLLM with its sources. Its id, such as prefill.chunk-shares-step, is what
    an answer puts in square brackets; the part before the dot is its topic.
    """


@corpus.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print a list of {id, title, topic}.")
@click.option("--topic", default="", help="Only this topic.")
def corpus_list(as_json: bool, topic: str) -> None:
    """Print id and title of every claim."""
    from ui.commands.corpus import list_claims

    list_claims(as_json=as_json, topic=topic)


@corpus.command("show")
@click.argument("claim_ids", nargs=-1, required=True, metavar="ID...")
@click.option("--json", "as_json", is_flag=True, help="Print whole claims as a JSON list.")
def corpus_show(claim_ids: tuple[str, ...], as_json: bool) -> None:
    """Print whole claims with their sources."""
    from ui.commands.corpus import show_claims

    show_claims(claim_ids, as_json=as_json)


@corpus.command("search")
@click.argument("words", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Print a list of {id, title, score, text}.")
@click.option("--version", metavar="X.Y.Z", help="Only claims that hold for this vLLM version.")
@click.option("--topic", help="Only this topic.")
@click.option("--limit", type=click.IntRange(1, 100), default=5, show_default=True, help="How many.")
def corpus_search(words: tuple[str, ...], as_json: bool, version: str | None, topic: str | None, limit: int) -> None:
    """Find claims by words or by a flag's name, best first."""
    from ui.commands.corpus import search_claims

    search_claims(" ".join(words), as_json=as_json, version=version, topic=topic, limit=limit)


@corpus.command("lint")
@click.option("--json", "as_json", is_flag=True, help="Print a list of {severity, where, message}.")
def corpus_lint(as_json: bool) -> None:
    """Check every claim: form, ids, references, ranges, age."""
    from ui.commands.corpus import lint_corpus

    lint_corpus(as_json=as_json)


@cli.group(short_help="What a vLLM release accepts and exports: show NAME, list, check, diff.")
def flags() -> None:
    """What each vLLM release accepts and exports: flags, environment variables, metrics.

    Read from the released source of 44 versions, so that a name can be checked against the one that runs.
    """


@flags.command("show", context_settings={"ignore_unknown_options": True})
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.option(
    "--json", "as_json", is_flag=True, help="Print a list of {name, kind, alive, events, replaced_by, replaces}."
)
def flags_show(names: tuple[str, ...], as_json: bool) -> None:
    """Print the history of a flag, variable or metric: when it came, changed and went, and what replaced it."""
    from ui.commands.flags import show_history

    show_history(names, as_json=as_json)


@flags.command("list")
@click.option("--version", metavar="X.Y.Z", help="The vLLM version; by default the newest known.")
@click.option("--json", "as_json", is_flag=True, help="Print {flags, env, metrics} with defaults and choices.")
def flags_list(version: str | None, as_json: bool) -> None:
    """Print everything that one version accepts and exports."""
    from ui.commands.flags import list_surface

    list_surface(version=version, as_json=as_json)


@flags.command("check", context_settings={"ignore_unknown_options": True})
@click.argument("given", nargs=-1, required=True, type=click.UNPROCESSED, metavar="[FILE | - | -- vllm serve …]")
@click.option("--version", metavar="X.Y.Z", help="The vLLM version: a release, a range, an rc or a dev build.")
@click.option("--from-image", "image", metavar="IMAGE", default="", help="Take the version from an image's tag.")
@click.option("--model", metavar="NAME", default="", help="The model, when its name in the launch does not tell.")
@click.option("--gpu", metavar="NAME", default="", help="The GPU; some rules hold only for some.")
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning", "note"]),
    default="error",
    show_default=True,
    help="From which severity on the exit status is 1.",
)
@click.option("--json", "form", flag_value="json", help="Print {version, basis, findings}.")
@click.option("--sarif", "form", flag_value="sarif", help="Print SARIF 2.1.0, which CI systems and editors show.")
def flags_check(
    given: tuple[str, ...],
    version: str | None,
    image: str,
    model: str,
    gpu: str,
    fail_on: "Severity",
    form: str | None,
) -> int:
    """Check a launch of vLLM before it is launched: names, values, pairs, known mistakes.

    Reads a command, a shell script, a Dockerfile, a compose file, Kubernetes or Helm YAML, a --config file or an env
    file. What the launch does not show is not guessed.

    \b
    ask flags check --version 0.33.0 -- vllm serve MODEL --swap-space 16
    ask flags check --gpu H200 deploy.yaml
    kubectl get deploy vllm -o yaml | ask flags check -

    Exit codes: 0 clean (notes alone are clean), 1 findings, 2 the input cannot be used.
    """  # noqa: D301  click reads the backspace that \b makes
    from ui.commands.check import check_launch

    return check_launch(given, version=version, image=image, model=model, gpu=gpu, fail_on=fail_on, form=form or "text")


@flags.command("diff", context_settings={"ignore_unknown_options": True})
@click.argument("given", nargs=-1, type=click.UNPROCESSED, metavar="[FILE | - | -- vllm serve …]")
@click.option("--from", "before", required=True, metavar="X.Y.Z", help="The release that runs.")
@click.option("--to", "after", metavar="X.Y.Z", help="The release to come; by default the newest known.")
@click.option("--json", "as_json", is_flag=True, help="Print {from, to, breaks, shifts, adds, added}.")
def flags_diff(given: tuple[str, ...], before: str, after: str | None, as_json: bool) -> None:
    """Tell what an upgrade breaks, what it changes silently, and what is worth trying.

    With a launch (a command or a file, as for `check`) only what touches it.
    """
    from ui.commands.upgrade import show_upgrade

    show_upgrade(given, before=before, after=after, as_json=as_json)


@cli.command(short_help="What is known of a model: its shapes, size and sources.")
@click.argument("name", default="")
@click.option("--json", "as_json", is_flag=True, help="Print the facts as JSON.")
def models(name: str, as_json: bool) -> None:
    """Print a model by name, alias or path to a config.json; without one, list all."""
    from ui.commands.catalog import show_models

    show_models(name, as_json=as_json)


@cli.command(short_help="What is known of a GPU: memory, speeds, links and sources.")
@click.argument("name", default="")
@click.option("--json", "as_json", is_flag=True, help="Print the facts as JSON.")
def gpus(name: str, as_json: bool) -> None:
    """Print a GPU by name or alias; without one, list all."""
    from ui.commands.catalog import show_gpus

    show_gpus(name, as_json=as_json)

"""The `ask` command: a question is the default, every other command is imported only when it is called."""

import sys
from typing import Any

import click
from click_default_group import DefaultGroup

PROGRAM_VERSION = "0.1.0"


class AskGroup(DefaultGroup):  # type: ignore[misc]  # the package ships no types
    """Decides between a command and a question before click parses.

    A command's name starts a question when what follows cannot be that command's arguments (`corpus looks odd`), and a
    lone word that is nearly a command's name is refused rather than answered.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Route the arguments."""
        if args and args[0] in self.commands and not self._fits(args):
            args = [str(self.default_cmd_name), *args]
        elif len(args) == 1:
            self._refuse_typo(args[0])
        return list(super().parse_args(ctx, args))

    def _fits(self, args: list[str]) -> bool:
        command, rest = self.commands[args[0]], args[1:]
        if not isinstance(command, click.Group) or not rest:
            return True
        return rest[0] in command.commands or rest[0].startswith("-")

    def _refuse_typo(self, word: str) -> None:
        if word in self.commands or not word.isidentifier():
            return
        import difflib

        near = difflib.get_close_matches(word.lower(), list(self.commands), n=1, cutoff=0.7)
        if near:
            raise click.UsageError(f'{word!r} is not a command; did you mean `ask {near[0]}`? To ask it: ask "{word}?"')


@click.group(
    cls=AskGroup,
    default="question",
    default_if_no_args=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(PROGRAM_VERSION, "-V", "--program-version", prog_name="ask", help="Show ask's own version.")
def cli() -> None:
    r"""Ask about the performance of a vLLM server; every sentence of an answer can be checked.

    \b
    ask "why is ITL spiking"                    answer a question
    kubectl logs POD | ask "what is wrong"      with evidence from standard input
    ask --version 0.27.0 "does --swap-space exist"
    ask corpus search "preemption"              look into what is known

    Answers go to standard output, progress to standard error. Exit codes: 0 answered, 2 you can mend it,
    3 the corpus needs mending, 4 something outside failed.
    """


@cli.command(short_help="Answer a question (the default command).")
@click.argument("words", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print the answer as one JSON object.")
@click.option("--version", metavar="X.Y.Z", help="The vLLM version to answer for; default: as told, else the newest.")
@click.option("--thread", metavar="NAME", default="", help="Keep and continue a conversation of this name.")
def question(words: tuple[str, ...], as_json: bool, version: str | None, thread: str) -> None:
    """Answer a question; text on standard input is evidence."""
    from ui.commands.question import run

    run(" ".join(words), as_json=as_json, version=version, thread=thread)


@cli.group(short_help="List, show, search and lint the claims.")
def corpus() -> None:
    """Look into the claims that answers cite."""


@corpus.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print a list of {id, title, topic}.")
@click.option("--topic", default="", help="Only this topic.")
def corpus_list(as_json: bool, topic: str) -> None:
    """List every claim by topic."""
    from ui.commands.corpus import list_claims

    list_claims(as_json=as_json, topic=topic)


@corpus.command("show")
@click.argument("claim_ids", nargs=-1, required=True, metavar="ID...")
@click.option("--json", "as_json", is_flag=True, help="Print whole claims as a JSON list.")
def corpus_show(claim_ids: tuple[str, ...], as_json: bool) -> None:
    """Show claims with their sources."""
    from ui.commands.corpus import show_claims

    show_claims(claim_ids, as_json=as_json)


@corpus.command("search")
@click.argument("words", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Print a list of {id, title, score, text}.")
@click.option("--version", metavar="X.Y.Z", help="Only claims that hold for this vLLM version.")
@click.option("--topic", help="Only this topic.")
@click.option("--limit", type=click.IntRange(1, 100), default=5, show_default=True, help="How many.")
def corpus_search(words: tuple[str, ...], as_json: bool, version: str | None, topic: str | None, limit: int) -> None:
    """Search the claims, best first."""
    from ui.commands.corpus import search_claims

    search_claims(" ".join(words), as_json=as_json, version=version, topic=topic, limit=limit)


@corpus.command("lint")
@click.option("--json", "as_json", is_flag=True, help="Print a list of {severity, where, message}.")
def corpus_lint(as_json: bool) -> None:
    """Check form, ids, references, ranges and age of every claim."""
    from ui.commands.corpus import lint_corpus

    lint_corpus(as_json=as_json)


def main(argv: list[str] | None = None) -> None:
    """Run the command line; errors on purpose become one line and an exit code, everything else crashes."""
    from knowledge.errors import AskError

    try:
        code: Any = cli.main(args=argv, prog_name="ask", standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except AskError as exc:
        click.echo(f"ask: {exc}", err=True)
        sys.exit(exc.exit_code)
    except click.ClickException as exc:
        exc.show()
        sys.exit(2)
    except click.Abort:
        sys.exit(130)
    except BrokenPipeError:
        _end_of_pipe()


def _end_of_pipe() -> None:
    """Whoever read us has gone (`ask … | head`): end without a traceback at interpreter shutdown."""
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(141)


if __name__ == "__main__":
    main()

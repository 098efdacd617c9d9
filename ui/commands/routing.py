"""Decide what a command line means, before click parses it: a command, or a question in plain words."""

from collections.abc import Iterable
from typing import NoReturn

import click
from click_default_group import DefaultGroup

ALIKE_RATIO = 0.8
"""Words this alike are one mistyped as the other; `--revision`, which vLLM has, is less alike to our `--version`."""


class AskGroup(DefaultGroup):  # type: ignore[misc]  # the package ships no types
    """A group in which whatever is no command is a question.

    - `corpus search x` is a command; `corpus looks odd`, `gpus are idle` and everything after `--` are questions.
    - Options of the question may stand anywhere; any other option is a word of it (`is --swap-space gone`).
    - A lone word that looks like a command, or an option that looks like one of ours, is refused.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Route, then parse."""
        return list(super().parse_args(ctx, self.route(ctx, args)))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Show the options of a question too: they are what `ask` is mostly called with."""
        options = _names(self._question().params).values()
        rows = [row for option in options if (row := option.get_help_record(ctx))]
        with formatter.section("Options of a question"):
            formatter.write_dl(rows)
        super().format_options(ctx, formatter)

    def route(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the command that is meant in front: `args` themselves, or `question OPTIONS -- WORDS`.

        Raises:
            click.UsageError: It looks like something mistyped; says what may have been meant.
        """
        if args and (args[0] in _names(self.get_params(ctx)) or self._is_command(args)):
            return args
        at = args.index("--") if "--" in args else len(args)
        options, words = self._split(ctx, args[:at])
        plain = args[at + 1 :]
        if not plain:
            self._refuse_mistyped(words)
        return [str(self.default_cmd_name), *options, "--", *words, *plain]

    def _question(self) -> click.Command:
        return self.commands[str(self.default_cmd_name)]  # type: ignore[no-any-return]  # an untyped base

    def _is_command(self, args: list[str]) -> bool:
        command = self.commands.get(args[0])
        if command is None or command is self._question():
            return False
        if len(args) == 1 or args[1] in ("-h", "--help"):
            return True
        if isinstance(command, click.Group):
            return args[1] in command.commands
        return _takes(command, [arg for arg in args[1:] if not arg.startswith("-")])

    def _split(self, ctx: click.Context, args: list[str]) -> tuple[list[str], list[str]]:
        """Options of the question with their values, and its words."""
        known = _names([*self._question().params, self.get_help_option(ctx)])
        options: list[str] = []
        words: list[str] = []
        rest = iter(args)
        for arg in rest:
            option = known.get(arg.partition("=")[0])
            if option is None:
                _refuse_near_option(arg, list(known))
                words.append(arg)
                continue
            options.append(arg)
            if not option.is_flag and "=" not in arg:
                options.append(next(rest, None) or _refuse_no_value(arg))
        return options, words

    def _refuse_mistyped(self, words: list[str]) -> None:
        match words:
            case [group, command, *_] if command in getattr(self.commands.get(group), "commands", ()):
                raise click.UsageError(f"options come after the command: ask {group} {command} …")
            case [option] if option.startswith("-") and " " not in option:
                raise click.UsageError(f'no such option: {option}; to ask about it: ask "what does {option} do"')
            case [word] if word.isidentifier():
                self._refuse_near_command(word)

    def _refuse_near_command(self, word: str) -> None:
        import difflib

        meant = {"help": "ask --help", str(self.default_cmd_name): 'ask "why is ITL spiking"'}
        for name, command in self.commands.items():
            meant.setdefault(name, f"ask {name}")
            if isinstance(command, click.Group):
                meant |= {inner: f"ask {name} {inner}" for inner in command.commands}
        for near in difflib.get_close_matches(word.lower(), meant, n=1, cutoff=ALIKE_RATIO):
            raise click.UsageError(f'{word!r} is not a command; did you mean `{meant[near]}`? To ask it: ask "{word}?"')


def _takes(command: click.Command, words: list[str]) -> bool:
    """Whether a command has room for so many words; `gpus are idle` has too many for `gpus NAME`."""
    rooms = [param.nargs for param in command.params if isinstance(param, click.Argument)]
    return -1 in rooms or len(words) <= sum(rooms)


def _names(params: Iterable[click.Parameter | None]) -> dict[str, click.Option]:
    return {name: param for param in params if isinstance(param, click.Option) for name in param.opts}


def _refuse_near_option(arg: str, known: list[str]) -> None:
    if not arg.startswith("--") or " " in arg:
        return
    import difflib

    for near in difflib.get_close_matches(arg.partition("=")[0], known, n=1, cutoff=ALIKE_RATIO):
        raise click.UsageError(
            f"no such option: {arg}; did you mean {near}? To ask about it, put -- before the question"
        )


def _refuse_no_value(option: str) -> NoReturn:
    hint = "; ask's own version: ask --program-version" if option == "--version" else ""
    raise click.UsageError(f"{option} needs a value{hint}")

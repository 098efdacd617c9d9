"""A launch of vLLM as somebody wrote it down: its words, its environment, and where each of them stands."""

from typing import Literal

from knowledge.corpus.claim import Closed

Command = Literal["serve", "bench"]
Platform = Literal["", "docker", "compose", "kubernetes"]

OPAQUE = "\N{WHITE SQUARE}"
"""Stands in a word for what only the shell, the template or the cluster would know."""


class Word(Closed, frozen=True):
    """One word of a command line, as the program receives it.

    Attributes:
        text: The word after quoting and expansion; what could not be expanded is `OPAQUE`.
        line: Where it stands, 1-based.
    """

    text: str
    line: int = 1

    @property
    def is_opaque(self) -> bool:
        """Whether part of it is not known."""
        return OPAQUE in self.text


class Setting(Closed, frozen=True):
    """An environment variable that the launch sets.

    Attributes:
        name: Its name.
        value: Its value; None when it comes from elsewhere (a secret, a ConfigMap) and is not known.
        line: Where it stands, 1-based.
    """

    name: str
    value: str | None
    line: int = 1


class Note(Closed, frozen=True):
    """What the reader had to mend or could not see.

    Attributes:
        code: `json-broken-by-shell`, `variable-unset`, `file-not-read`, `yaml-false-dropped`.
        subject: The flag, variable or file that it is about.
        message: What was done about it.
        line: Where it stands, 1-based.
    """

    code: Literal["json-broken-by-shell", "variable-unset", "file-not-read", "yaml-false-dropped"]
    subject: str
    message: str
    line: int = 1


class Launch(Closed, frozen=True):
    """One launch.

    Attributes:
        words: The words after `vllm serve` or `vllm bench SUBCOMMAND`; a configuration file's settings are turned
            into words in front of the others, as vLLM does.
        env: What it sets in the environment, in order; a later one wins.
        command: The command of `vllm`.
        subcommand: For `bench`, which one.
        image: The container image, when told.
        service: The service or container it belongs to, when the file names several.
        whole: Whether the words are a whole command; an env file has none, so nothing can be said of absent flags.
        module: Whether it starts with `python -m vllm.entrypoints…`, which takes the model as `--model`.
        platform: What the file is for, when it is for containers.
        mounts: Paths inside the container at which volumes are mounted.
        notes: What the reader had to mend or could not see.
    """

    words: tuple[Word, ...]
    env: tuple[Setting, ...] = ()
    command: Command = "serve"
    subcommand: str = ""
    image: str = ""
    service: str = ""
    whole: bool = True
    module: bool = False
    platform: Platform = ""
    mounts: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()

"""Read a Dockerfile: the image, environment and command of its last stage.

Source: https://docs.docker.com/reference/dockerfile/ (ENTRYPOINT and CMD, how they join; ENV in both forms).
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from tools.flags.launch import OPAQUE, Launch, Setting
from tools.flags.read.find_launch import Around
from tools.flags.read.lexer import Token, cut
from tools.flags.read.located import Lines, Located
from tools.flags.read.shell import launches_in_container
from tools.flags.read.variables import Scope

_INSTRUCTION: Final = re.compile(r"\s*([A-Za-z]+)[ \t]+(?:\\\n|[ \t])*")
_HEREDOC: Final = re.compile(r"<<-?(['\"]?)(\w+)\1")
_TAKES_HEREDOC: Final = re.compile(r"\s*(?:RUN|COPY|ADD)\s", re.IGNORECASE)
_TEXT: Final = re.compile(r'"(?:[^"\\]|\\.)*"')


def read_dockerfile(text: str) -> tuple[Launch, ...]:
    """The launch of the last stage; none when it does not start vLLM.

    Args:
        text: The file.

    Raises:
        UserError: A quote is never closed, or its variables unfold to too much.
    """
    file = _File()
    for statement in _statements(text):
        if found := _INSTRUCTION.match(statement):
            rest = Located(statement[found.end() :].rstrip(), Lines(statement).at(found.end()))
            file.instruction(found[1].upper(), rest)
    return file.stage.launches()


@dataclass(slots=True)
class _Stage:
    image: str = ""
    env: dict[str, Setting] = field(default_factory=dict)
    entry: list[Located] = field(default_factory=list)
    command: list[Located] = field(default_factory=list)
    entry_is_text: bool = False

    def launches(self) -> tuple[Launch, ...]:
        around = Around(env=[*self.env.values()], image=self.image, platform="docker")
        return launches_in_container(self.entry, [] if self.entry_is_text else self.command, around)


class _File:
    def __init__(self) -> None:
        self.stage = _Stage()
        self.named: dict[str, _Stage] = {}
        self.scope = Scope()

    def instruction(self, name: str, rest: Located) -> None:
        match name:
            case "FROM":
                self._from(rest)
            case "ARG":
                for key, value, _ in self._pairs(rest):
                    if key not in self.stage.env:
                        self.scope.known[key] = value
            case "ENV":
                for key, value, line in self._pairs(rest):
                    self.scope.known[key] = value
                    self.stage.env[key] = Setting(name=key, value=None if OPAQUE in value else value, line=line)
            case "ENTRYPOINT":
                self.stage.entry, self.stage.command = _form(rest), []
                self.stage.entry_is_text = not rest.startswith("[")
            case "CMD":
                self.stage.command = _form(rest)
            case _:
                pass

    def _from(self, rest: Located) -> None:
        words = [word for word in self.scope.expanded(rest, rest.line).split() if not word.startswith("--")]
        base = self.named.get(words[0].lower()) if words else None
        self.stage = replace(base, env=dict(base.env)) if base else _Stage(image=words[0] if words else "")
        self.scope.spend(len(self.stage.env), rest.line)
        if [word.lower() for word in words[1:2]] == ["as"]:
            self.named[words[-1].lower()] = self.stage

    def _pairs(self, rest: Located) -> Iterator[tuple[str, str, int]]:
        """`A=b C=d` with lines, or the old `A b`."""
        tokens = cut(rest, as_shell=False).tokens()
        if tokens and "=" not in tokens[0].literal():
            value = " ".join(self._value(token) for token in tokens[1:])
            if value:
                yield tokens[0].literal(), value, tokens[0].line
            return
        for token in tokens:
            key, equals, value = self._value(token).partition("=")
            if equals:
                yield key, value, token.line

    def _value(self, token: Token) -> str:
        pieces = (self.scope.expanded(one.text, token.line) if one.expands else one.text for one in token.pieces)
        return "".join(pieces)


def _form(rest: Located) -> list[Located]:
    """An exec form's words, or a shell form's text behind the shell that runs it."""
    as_json = rest.replace("\\\n", " \n")
    try:
        words = json.loads(as_json) if rest.startswith("[") else None
    except (ValueError, RecursionError):
        words = None
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        return [Located("/bin/sh", rest.line), Located("-c", rest.line), rest]
    lines = Lines(Located(as_json, rest.line))
    begins = [found.start() for found in _TEXT.finditer(as_json)]
    return [Located(word, lines.at(at)) for word, at in zip(words, begins, strict=True)]


def _statements(text: str) -> Iterator[Located]:
    """Each instruction with its line; comments and blank lines in it leave an empty line that goes on."""
    parts: list[str] = []
    began = 1
    heredocs: list[str] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if heredocs:
            heredocs = heredocs[line.strip("\t") == heredocs[0] :]
            continue
        is_empty = not line.strip() or line.lstrip().startswith("#")
        if is_empty and not parts:
            continue
        began = began if parts else number
        goes_on = is_empty or line.rstrip().endswith("\\")
        parts.append("\\" if is_empty else line.rstrip())
        if not goes_on:
            statement = Located("\n".join(parts), began)
            heredocs = [found[2] for found in _HEREDOC.finditer(statement)] if _TAKES_HEREDOC.match(statement) else []
            yield statement
            parts = []
    if parts:
        yield Located("\n".join(parts), began)

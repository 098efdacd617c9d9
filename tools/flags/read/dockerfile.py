"""Read a Dockerfile: the image, environment and command of its last stage.

Source: https://docs.docker.com/reference/dockerfile/ (ENTRYPOINT and CMD, how they join; ENV in both forms).
"""

import json
import re
import shlex
from collections.abc import Iterator
from typing import Final

from tools.flags.launch import OPAQUE, Launch, Setting
from tools.flags.read.find_launch import found_in, is_vllm_image, passed_to_image
from tools.flags.read.located import Located
from tools.flags.read.nested import nested
from tools.flags.read.variables import expanded

_INSTRUCTION: Final = re.compile(r"^\s*([A-Za-z]+)\s+(.*)$", re.DOTALL)


def read_dockerfile(text: str) -> tuple[Launch, ...]:
    """The launch of the last stage; none when it does not start vLLM.

    Args:
        text: The file.
    """
    return _Stage().read(text)


class _Stage:
    def __init__(self) -> None:
        self.image = ""
        self.env: dict[str, Setting] = {}
        self.args: dict[str, str] = {}
        self.entry: tuple[list[Located], Located | None] = ([], None)
        self.command: tuple[list[Located], Located | None] = ([], None)

    def read(self, text: str) -> tuple[Launch, ...]:
        for line, statement in _statements(text):
            found = _INSTRUCTION.match(statement)
            if found:
                self._instruction(found[1].upper(), found[2].strip(), line)
        return self._launches()

    @property
    def known(self) -> dict[str, str]:
        return {**self.args, **{s.name: s.value for s in self.env.values() if s.value is not None}}

    def _instruction(self, name: str, rest: str, line: int) -> None:
        match name:
            case "FROM":
                image = next((word for word in rest.split() if not word.startswith("--")), "")
                self.image = expanded(image, self.args, set())
                self.env, self.entry, self.command = {}, ([], None), ([], None)
            case "ARG":
                key, equals, value = rest.partition("=")
                if equals:
                    self.args[key.strip()] = expanded(value.strip("\"'"), self.known, set())
            case "ENV":
                for key, value in _pairs(rest):
                    text = expanded(value, self.known, set())
                    self.env[key] = Setting(name=key, value=None if OPAQUE in text else text, line=line)
            case "ENTRYPOINT":
                self.entry, self.command = _form(rest, line), ([], None)
            case "CMD":
                self.command = _form(rest, line)
            case _:
                pass

    def _launches(self) -> tuple[Launch, ...]:
        env = tuple(self.env.values())
        script = self.entry[1] or (self.command[1] if not self.entry[0] else None)
        shell = [Located("sh"), Located("-c"), script] if script else None
        words = shell or [*self.entry[0], *self.command[0]]
        scripts = nested(words, env, image=self.image, platform="docker")
        if scripts is not None:
            return tuple(scripts)
        official = is_vllm_image(self.image) and not self.entry[0]
        found = passed_to_image(words) if official and words else found_in(words)
        return (found.launch(env, image=self.image, platform="docker"),) if found else ()


def _form(rest: str, line: int) -> tuple[list[Located], Located | None]:
    """An exec form's words, or a shell form's text."""
    if rest.startswith("["):
        try:
            words = json.loads(rest)
        except json.JSONDecodeError:
            words = None
        if isinstance(words, list) and all(isinstance(word, str) for word in words):
            return [Located(word, line) for word in words], None
    return [], Located(rest, line)


def _pairs(rest: str) -> list[tuple[str, str]]:
    """`ENV A=b C=d`, or the old `ENV A b`."""
    if not re.match(r"[A-Za-z_]\w*=", rest):
        key, _, value = rest.partition(" ")
        return [(key, value.strip().strip("\"'"))] if value else []
    try:
        words = shlex.split(rest)
    except ValueError:
        words = rest.split()
    return [(key, value) for key, equals, value in (word.partition("=") for word in words) if equals]


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """Each instruction with its line, continuations joined, comments left out."""
    parts: list[str] = []
    began = 1
    for number, line in enumerate(text.split("\n"), start=1):
        if line.lstrip().startswith("#") or (parts and not line.strip()):
            continue
        if not parts:
            began = number
        goes_on = line.rstrip().endswith("\\")
        parts.append(line.rstrip()[:-1] if goes_on else line)
        if not goes_on:
            yield began, " ".join(parts)
            parts = []
    if parts:
        yield began, " ".join(parts)

"""Read a docker-compose file: services that run vLLM."""

from collections.abc import Iterator
from typing import Any, Final

from tools.flags.launch import OPAQUE, Launch, Note, Setting
from tools.flags.read.find_launch import Around
from tools.flags.read.lexer import Token, cut
from tools.flags.read.located import Located, line_of
from tools.flags.read.shell import launches_in_container
from tools.flags.read.variables import Scope
from tools.flags.read.yaml_values import texts

_DOLLARS: Final = "\ue001"


def read_compose(document: dict[str, Any]) -> Iterator[Launch]:
    """Yield the launch of each service that runs vLLM.

    Args:
        document: The parsed file.
    """
    services = document.get("services")
    for name, service in (services if isinstance(services, dict) else {}).items():
        if isinstance(service, dict):
            yield from _Service(str(name), service).launches()


class _Service:
    def __init__(self, name: str, service: dict[str, Any]) -> None:
        self.name = name
        self.service = service
        self.scope = Scope()
        self.notes: list[Note] = []

    def launches(self) -> tuple[Launch, ...]:
        image = self.service.get("image")
        entry = self._words(self.service.get("entrypoint"))
        args = self._words(self.service.get("command"))
        around = Around(
            env=list(self._settings(self.service.get("environment"))),
            image=self._known(image) if isinstance(image, Located) else "",
            platform="compose",
            service=self.name,
            mounts=tuple(self._mounts(self.service.get("volumes"))),
        )
        around.notes = [*self._unread(), *self.notes, *self.scope.notes()]
        return launches_in_container(entry, args, around)

    def _words(self, value: Any) -> list[Located]:
        """A command as compose reads it: a list as it is, a text split as a shell would, without running one."""
        if isinstance(value, list):
            return [_like(word, self._known(word)) for word in texts(value)]
        parts = [cut(text, as_shell=False) for text in texts(value)]
        self.notes += [note for part in parts for note in part.notes]
        return [word for part in parts for token in part.tokens() for word in self._split(token)]

    def _split(self, token: Token) -> list[Located]:
        """Compose fills in variables before it splits, so that one without quotes may be several words."""
        text = self._known(Located(token.literal(), token.line))
        parts = text.split() if any(piece.splits for piece in token.pieces) else [text]
        return [Located(part, token.line) for part in parts]

    def _known(self, text: Located) -> str:
        """Interpolate as compose does: `$$` is a dollar."""
        return self.scope.expanded(text.replace("$$", _DOLLARS), line_of(text)).replace(_DOLLARS, "$")

    def _settings(self, value: Any) -> Iterator[Setting]:
        if isinstance(value, dict):
            for name, held in value.items():
                yield self._setting(str(name), held, line_of(name))
        for pair in texts(value) if isinstance(value, list) else []:
            name, equals, held = pair.partition("=")
            yield self._setting(name, Located(held, line_of(pair)) if equals else None, line_of(pair))

    def _setting(self, name: str, held: Any, line: int) -> Setting:
        text = self._known(held) if isinstance(held, Located) else OPAQUE
        return Setting(name=name, value=None if OPAQUE in text else text, line=line)

    def _mounts(self, value: Any) -> Iterator[str]:
        for volume in value if isinstance(value, list) else []:
            if isinstance(volume, dict) and isinstance(volume.get("target"), Located):
                yield self._known(volume["target"])
            elif isinstance(volume, Located):
                parts = self._known(volume).split(":")
                yield from parts[1:2]

    def _unread(self) -> Iterator[Note]:
        listed = self.service.get("env_file")
        for held in listed if isinstance(listed, list) else [listed]:
            file = held.get("path") if isinstance(held, dict) else held
            if isinstance(file, Located):
                message = f"the variables in {file} were not seen; check that file too"
                yield Note(code="file-not-read", subject=str(file), message=message, line=line_of(file))


def _like(word: Located, text: str) -> Located:
    """A word with another text, on the same line."""
    return word if text == word else Located(text, line_of(word), None if word.breaks is None else ())

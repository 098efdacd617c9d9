"""Read a docker-compose file: services that run vLLM."""

import re
from collections.abc import Iterator
from typing import Any, Final

from tools.flags.launch import OPAQUE, Launch, Note, Setting
from tools.flags.read.find_launch import found_in, is_vllm_image, passed_to_image
from tools.flags.read.lexer import cut
from tools.flags.read.located import Located, line_of
from tools.flags.read.nested import nested
from tools.flags.read.variables import expanded
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
            yield from _service(str(name), service)


def _service(name: str, service: dict[str, Any]) -> Iterator[Launch]:
    unset: set[str] = set()
    image = _known(str(service.get("image") or ""), unset)
    words = _words(service.get("entrypoint"), unset) + _words(service.get("command"), unset)
    env = tuple(_settings(service.get("environment"), unset))
    notes = [*_notes(service), *(_unset(variable) for variable in sorted(unset))]
    mounts = tuple(_mounts(service.get("volumes")))
    scripts = nested(words, env, image=image, platform="compose", service=name, mounts=mounts, notes=notes)
    if scripts is not None:
        yield from scripts
        return
    found = passed_to_image(words) if is_vllm_image(image) and words else found_in(words)
    if found is not None:
        yield found.launch(env, notes, image=image, service=name, platform="compose", mounts=mounts)


def _words(value: Any, unset: set[str]) -> list[Located]:
    """A command as compose reads it: a list as it is, a text split as a shell would, without running one."""
    listed = texts(value)
    if isinstance(value, list):
        return [Located(_known(word, unset), line_of(word)) for word in listed]
    return [
        Located(_known(token.literal(), unset), token.line)
        for text in listed
        for command in cut(_known_later(text), line_of(text)).commands
        for token in command
    ]


def _known_later(text: str) -> str:
    """A folded text is one command, whatever its lines."""
    return text.replace("\n", " ")


def _known(text: str, unset: set[str]) -> str:
    """Interpolate as compose does: `$$` is a dollar."""
    return expanded(text.replace("$$", _DOLLARS), {}, unset).replace(_DOLLARS, "$")


def _settings(value: Any, unset: set[str]) -> Iterator[Setting]:
    if isinstance(value, dict):
        for name, held in value.items():
            text = None if held is None else _known(str(held), unset)
            yield Setting(name=str(name), value=None if text is None or OPAQUE in text else text, line=line_of(name))
    for pair in texts(value) if isinstance(value, list) else []:
        name, equals, held = pair.partition("=")
        text = _known(held, unset)
        yield Setting(name=name, value=text if equals and OPAQUE not in text else None, line=line_of(pair))


def _mounts(value: Any) -> Iterator[str]:
    for volume in value if isinstance(value, list) else []:
        if isinstance(volume, dict) and isinstance(volume.get("target"), str):
            yield str(volume["target"])
        elif isinstance(volume, Located):
            parts = re.sub(r"\$\{[^}]*\}", "x", volume).split(":")
            if len(parts) > 1:
                yield parts[1]


def _notes(service: dict[str, Any]) -> Iterator[Note]:
    for file in texts(service.get("env_file")):
        message = f"the variables in {file} were not seen; check that file too"
        yield Note(code="file-not-read", subject=str(file), message=message, line=line_of(file))


def _unset(name: str) -> Note:
    message = f"${name} is not set in the input; what it stands for was not checked"
    return Note(code="variable-unset", subject=name, message=message)

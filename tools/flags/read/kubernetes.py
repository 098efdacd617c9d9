"""Read Kubernetes and Helm YAML: every container that runs vLLM, in whatever kind of document."""

import re
from collections.abc import Iterator
from typing import Any, Final

from tools.flags.launch import OPAQUE, Launch, Setting
from tools.flags.read.find_launch import Found, found_in, is_vllm_image, passed_to_image
from tools.flags.read.located import Located, line_of
from tools.flags.read.nested import nested
from tools.flags.read.yaml_values import mappings, texts

EXTRA: Final = ("extraArgs", "extra_args", "vllmArgs", "engineArgs", "additionalArgs")
"""Lists of arguments in the values of charts, which join others that the chart adds."""

_REFERENCE: Final = re.compile(r"\$\((\w+)\)")


def read_kubernetes(document: Any) -> Iterator[Launch]:
    """Yield a launch for each container, and for each list of extra arguments in chart values.

    Args:
        document: One parsed document.
    """
    for path, mapping in mappings(document):
        if "args" in mapping or "command" in mapping:
            yield from _container(path, mapping)
        for key in EXTRA:
            if words := texts(mapping.get(key)):
                yield from _extra(path, mapping, words)


def _container(path: tuple[str, ...], container: dict[str, Any]) -> Iterator[Launch]:
    env = tuple(_settings(container.get("env")))
    known = {setting.name: setting.value for setting in env if setting.value is not None}
    command = [_referred(word, known) for word in texts(container.get("command"))]
    args = [_referred(word, known) for word in texts(container.get("args"))]
    image = _image(container.get("image"))
    words = command + args
    name = str(container.get("name") or (path[-1] if path else ""))
    mounts = tuple(_mounts(container.get("volumeMounts")))
    scripts = nested(words, env, image=image, platform="kubernetes", service=name, mounts=mounts)
    if scripts is not None:
        yield from scripts
        return
    found = _found(command, words, image)
    if found is not None:
        yield found.launch(env, image=image, service=name, platform="kubernetes", mounts=mounts)


def _found(command: list[Located], words: list[Located], image: str) -> Found | None:
    if not command and is_vllm_image(image):
        return passed_to_image(words)
    return found_in(words)


def _extra(path: tuple[str, ...], mapping: dict[str, Any], words: list[Located]) -> Iterator[Launch]:
    if words[0].startswith("-"):
        name = str(mapping.get("name") or (path[-1] if path else ""))
        launch = Found(words).launch(_settings(mapping.get("env")), service=name, platform="kubernetes")
        yield Launch(words=launch.words, env=launch.env, service=name, platform="kubernetes", whole=False)


def _image(value: Any) -> str:
    """An image as text, or from a chart's `{repository, tag}`."""
    if isinstance(value, dict):
        return f"{value.get('repository') or ''}:{value.get('tag') or ''}".strip(":")
    return str(value or "")


def _settings(value: Any) -> Iterator[Setting]:
    for entry in value if isinstance(value, list) else []:
        if isinstance(entry, dict) and isinstance(entry.get("name"), Located):
            held = entry.get("value")
            known = str(held) if isinstance(held, Located) and OPAQUE not in held else None
            yield Setting(name=str(entry["name"]), value=known, line=line_of(entry["name"]))
    if isinstance(value, dict):
        for name, held in value.items():
            yield Setting(name=str(name), value=str(held) if isinstance(held, Located) else None, line=line_of(name))


def _mounts(value: Any) -> Iterator[str]:
    for mount in value if isinstance(value, list) else []:
        if isinstance(mount, dict) and isinstance(mount.get("mountPath"), str):
            yield str(mount["mountPath"])


def _referred(word: Located, known: dict[str, str]) -> Located:
    """Expand `$(NAME)` as Kubernetes does."""
    text = _REFERENCE.sub(lambda found: known.get(found[1], OPAQUE), word)
    return Located(text, line_of(word))

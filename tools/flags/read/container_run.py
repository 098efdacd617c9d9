"""Read the options of `docker run OPTIONS IMAGE ARGUMENTS`."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from tools.flags.launch import Note, Setting
from tools.flags.read.find_launch import Around
from tools.flags.read.located import Located, line_of

_IMAGE: Final = re.compile(r"(?:[\w.-]+(?::\d+)?/)?[\w./-]*vllm[\w./-]*(?::[\w.-]+)?(?:@sha256:\w+)?")
_ENGINES: Final = frozenset({"docker", "podman", "nerdctl"})
_IMAGE_CHARS: Final = 300
_TAKES_VALUE: Final = re.compile(r"-\w{0,6}[acehlmpuvw]|--[a-z0-9-]+")
_TAKES_NONE: Final = frozenset(
    {
        "--detach",
        "--init",
        "--interactive",
        "--no-healthcheck",
        "--oom-kill-disable",
        "--privileged",
        "--publish-all",
        "--quiet",
        "--read-only",
        "--rm",
        "--sig-proxy",
        "--tty",
    }
)


def container_run(words: list[Located], known: Mapping[str, str]) -> tuple[list[Located], list[Located], Around] | None:
    """The entry point, the arguments and the surroundings of a container, or None when the words run no vLLM image.

    Args:
        words: The words of one command.
        known: Variables of the shell that runs it, which `-e NAME` passes on.
    """
    began = next((at for at, word in enumerate(words) if word.rpartition("/")[2] in _ENGINES), None)
    asked = set(words[began + 1 : began + 4]) if began is not None else set()
    if began is None or not {"run", "create"} & asked or "compose" in asked:
        return None
    image_at = next((at for at in range(began + 2, len(words)) if _is_image(words, at)), None)
    if image_at is None:
        return None
    options = list(_options(words[began + 2 : image_at]))
    around = Around(
        env=[_passed(value, known) for name, value in options if name in {"-e", "--env"}],
        image=str(words[image_at]),
        platform="docker",
        mounts=tuple(path for name, value in options if (path := _mounted(name, value))),
        notes=[_unread(value) for name, value in options if name == "--env-file"],
    )
    entry = [value for name, value in options if name == "--entrypoint" and value]
    return entry[-1:], words[image_at + 1 :], around


def _is_image(words: list[Located], at: int) -> bool:
    word, before = words[at], words[at - 1]
    takes_value = bool(_TAKES_VALUE.fullmatch(before)) and before not in _TAKES_NONE
    is_name = len(word) <= _IMAGE_CHARS and bool(_IMAGE.fullmatch(word))
    return is_name and not word.startswith("-") and not takes_value


def _options(words: list[Located]) -> Iterator[tuple[str, Located]]:
    """Each option with its value, whichever way they are joined."""
    for at, word in enumerate(words):
        name, equals, value = word.partition("=")
        if word.startswith("--") and equals:
            yield name, Located(value, line_of(word))
        elif re.match(r"-[ev]\S", word):
            yield word[:2], Located(word[2:], line_of(word))
        elif word.startswith("-") and at + 1 < len(words):
            yield str(word), words[at + 1]


def _passed(pair: Located, known: Mapping[str, str]) -> Setting:
    name, equals, value = pair.partition("=")
    return Setting(name=name, value=value if equals else known.get(name), line=line_of(pair))


def _mounted(option: str, value: str) -> str:
    if option in {"-v", "--volume"}:
        return value.split(":")[1] if ":" in value else ""
    if option == "--mount":
        target = re.search(r"(?:^|,)(?:target|dst|destination)=([^,]+)", value)
        return target[1] if target else ""
    return ""


def _unread(file: Located) -> Note:
    message = f"the variables in {file} were not seen; check that file too"
    return Note(code="file-not-read", subject=str(file), message=message, line=line_of(file))

"""Find the launch of vLLM among the words of one command: what starts it, and what is passed to it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from knowledge.surface.spelling import readings
from knowledge.surface.surface import Surface
from tools.flags.launch import Command, Launch, Note, Platform, Setting
from tools.flags.read.located import Located, as_words, line_of

_MODULE: Final = re.compile(r"vllm\.entrypoints\.(?:openai\.api_server|api_server|cli\.main)")
_IMAGE: Final = re.compile(r"[\w./-]*vllm[\w./-]*(?::[\w.-]+)?(?:@sha256:\w+)?")
_ENGINES: Final = frozenset({"docker", "podman", "nerdctl"})
_ONE_VALUE: Final = re.compile(r"-[evpwuhm]|--[a-z-]+")


@dataclass(slots=True)
class Found:
    """A launch as found.

    Attributes:
        words: What is passed to vLLM.
        command: `serve` or `bench`.
        subcommand: Of `bench`.
        module: Whether it is started as a module.
        image: The container image, when the command runs one.
        settings: Variables set by the command itself.
    """

    words: list[Located]
    command: Command = "serve"
    subcommand: str = ""
    module: bool = False
    image: str = ""
    settings: list[Setting] = field(default_factory=list)
    mounts: tuple[str, ...] = ()

    def launch(
        self,
        env: Iterable[Setting] = (),
        notes: Iterable[Note] = (),
        *,
        image: str = "",
        service: str = "",
        platform: Platform = "",
        mounts: tuple[str, ...] = (),
    ) -> Launch:
        """The launch, with what its surroundings add."""
        return Launch(
            words=as_words(self.words),
            env=(*env, *self.settings),
            command=self.command,
            subcommand=self.subcommand,
            image=self.image or image,
            service=service,
            module=self.module,
            platform=platform or ("docker" if self.image else ""),
            mounts=mounts or self.mounts,
            notes=tuple(notes),
        )


def found_in(words: list[Located]) -> Found | None:
    """The launch in a command's words, or None.

    Args:
        words: The words, expanded; wrappers such as `numactl` or `uv run` may stand in front.
    """
    if words and words[0].startswith("--"):
        return Found(words) if _is_ours(words[0]) else None
    if words and words[0].rpartition("/")[2] in _ENGINES and "run" in words[:3]:
        return _container(words)
    for at, word in enumerate(words):
        if (found := _program(word, words[at + 1 :])) is not None:
            found.settings = _settings(words[:at])
            return found
    return None


def passed_to_image(words: list[Located]) -> Found:
    """What an official image's entry point does with its arguments: `vllm serve`, unless they name a program."""
    found = found_in(words)
    if found is not None:
        return found
    return Found(words[1:] if words[:1] == ["serve"] else words)


def is_vllm_image(image: str) -> bool:
    """Whether an image is called after vLLM."""
    return "vllm" in image.lower()


def _is_ours(flag: str) -> bool:
    surface = Surface.load()
    return any(surface.lookup(asked.name) is not None for asked in readings(flag.partition("=")[0])) or len(flag) > 3


def _program(word: str, behind: list[Located]) -> Found | None:
    if word.rpartition("/")[2] == "vllm" and behind:
        if behind[0] == "serve":
            return Found(behind[1:])
        if behind[0] == "bench":
            return Found(behind[2:], command="bench", subcommand=behind[1] if len(behind) > 1 else "")
        return None
    if word == "-m" and behind and (module := _MODULE.fullmatch(behind[0])):
        rest = behind[1:]
        if module[0].endswith("cli.main"):
            return Found(rest[1:]) if rest[:1] == ["serve"] else None
        return Found(rest, module=True)
    return None


def _settings(words: Iterable[Located]) -> list[Setting]:
    """`env A=b` in front of a program."""
    pairs = (re.fullmatch(r"([A-Za-z_]\w*)=(.*)", word, re.DOTALL) for word in words)
    return [
        Setting(name=pair[1], value=pair[2], line=line_of(word))
        for pair, word in zip(pairs, words, strict=True)
        if pair
    ]


def _container(words: list[Located]) -> Found | None:
    """`docker run OPTIONS IMAGE ARGUMENTS`."""
    image_at = next((at for at, word in enumerate(words) if at > 1 and _is_image(words, at)), None)
    if image_at is None:
        return None
    options, image = words[:image_at], words[image_at]
    entry = _option(options, "--entrypoint")
    found = passed_to_image([*([entry] if entry and entry != "vllm" else []), *words[image_at + 1 :]])
    found.image = str(image)
    found.settings = [*_passed(options), *found.settings]
    found.mounts = tuple(_mounted(options))
    return found


def _is_image(words: list[Located], at: int) -> bool:
    word, before = words[at], words[at - 1]
    takes_value = bool(_ONE_VALUE.fullmatch(before)) and before not in {"--rm", "--privileged", "--init", "--detach"}
    return not word.startswith("-") and bool(_IMAGE.fullmatch(word)) and not takes_value


def _option(options: list[Located], name: str) -> Located | None:
    for at, word in enumerate(options):
        if word == name and at + 1 < len(options):
            return options[at + 1]
        if word.startswith(f"{name}="):
            return Located(word.partition("=")[2], line_of(word))
    return None


def _passed(options: list[Located]) -> Iterable[Setting]:
    for at, word in enumerate(options):
        pair = ""
        if word in {"-e", "--env"} and at + 1 < len(options):
            pair = options[at + 1]
        elif word.startswith("--env="):
            pair = word.partition("=")[2]
        if pair:
            name, equals, value = pair.partition("=")
            yield Setting(name=name, value=value if equals else None, line=line_of(word))


def _mounted(options: list[Located]) -> Iterable[str]:
    for at, word in enumerate(options[:-1]):
        if word in {"-v", "--volume"}:
            parts = options[at + 1].split(":")
            if len(parts) > 1:
                yield parts[1]

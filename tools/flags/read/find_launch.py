"""Find the launch of vLLM among the words of one command: what starts it, and what is passed to it."""

import re
from dataclasses import dataclass, field
from typing import Final

import msgspec
from packaging.version import Version

from tools.flags.launch import Command, Launch, Note, Platform, Setting
from tools.flags.read.located import Located, as_words, line_of
from tools.flags.target import OWN_IMAGES, of_image

SERVES_SINCE: Final = Version("0.11.1")
"""Before it the official image ran `python3 -m vllm.entrypoints.openai.api_server` (docker/Dockerfile @ 0.11.0)."""

TELLING: Final = frozenset(
    {
        "--gpu-memory-utilization",
        "--max-model-len",
        "--max-num-batched-tokens",
        "--max-num-seqs",
        "--model",
        "--pipeline-parallel-size",
        "--served-model-name",
        "--tensor-parallel-size",
    }
)
"""Flags by which arguments without a program are known to be vLLM's."""

_MODULE: Final = re.compile(r"vllm\.entrypoints\.(?:openai\.api_server|api_server|cli\.main)")
_SETTING: Final = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL)
_TALKERS: Final = frozenset({"echo", "printf"})


@dataclass(slots=True)
class Found:
    """A launch as found.

    Attributes:
        words: What is passed to vLLM.
        command: `serve` or `bench`.
        subcommand: Of `bench`.
        module: Whether it is started as a module.
        settings: Variables set by the command itself.
    """

    words: list[Located]
    command: Command = "serve"
    subcommand: str = ""
    module: bool = False
    settings: list[Setting] = field(default_factory=list)


@dataclass(slots=True)
class Around:
    """What surrounds a command.

    Attributes:
        env: Variables that it is given.
        image: The image it runs in.
        platform: What kind of manifest it stands in.
        service: The name of its container.
        mounts: Where volumes are mounted in it.
        notes: What was noted about it.
    """

    env: list[Setting] = field(default_factory=list)
    image: str = ""
    platform: Platform = ""
    service: str = ""
    mounts: tuple[str, ...] = ()
    notes: list[Note] = field(default_factory=list)

    def launch(self, found: Found) -> Launch:
        """The launch that was found in it."""
        return Launch(
            words=as_words(found.words),
            env=(*self.env, *found.settings),
            command=found.command,
            subcommand=found.subcommand,
            image=self.image,
            service=self.service,
            module=found.module,
            platform=self.platform,
            mounts=self.mounts,
            notes=tuple(self.notes),
        )

    def joined(self, inner: Launch) -> Launch:
        """A launch of a script that runs in it."""
        return msgspec.structs.replace(
            inner,
            env=(*self.env, *inner.env),
            image=inner.image or self.image,
            service=self.service,
            platform=inner.platform or self.platform,
            mounts=inner.mounts or self.mounts,
            notes=(*self.notes, *inner.notes),
        )


def found_in(words: list[Located]) -> Found | None:
    """The launch in a command's words, or None.

    Args:
        words: The words, expanded; wrappers such as `numactl` or `uv run` may stand in front.
    """
    if words and words[0] in _TALKERS:
        return None
    for at in range(len(words)):
        if (found := _program(words, at)) is not None:
            found.settings = _settings(words[:at])
            return found
    return None


def found_in_container(entry: list[Located], args: list[Located], image: str) -> Found | None:
    """The launch of a container, or None.

    Args:
        entry: What replaces the entry point of the image; [] when nothing does.
        args: What is passed to the entry point.
        image: The image.
    """
    named = found_in(entry + args)
    if named is not None or not args:
        return named
    if is_vllm_image(image) and not entry:
        return Found(args[1:] if args[0] == "serve" else args, module=_runs_module(image))
    flags = {word.partition("=")[0].replace("_", "-") for word in args}
    return Found(args) if args[0].startswith("-") and flags & TELLING else None


def is_vllm_image(image: str) -> bool:
    """Whether an image is called after vLLM."""
    return "vllm" in image.lower()


def _runs_module(image: str) -> bool:
    return bool(OWN_IMAGES.search(image)) and Version(of_image(image).release) < SERVES_SINCE


def _program(words: list[Located], at: int) -> Found | None:
    word, next_word = words[at], words[at + 1] if at + 1 < len(words) else ""
    if word.rpartition("/")[2] == "vllm":
        if next_word == "serve":
            return Found(words[at + 2 :])
        if next_word == "bench":
            subcommand = words[at + 2] if at + 2 < len(words) else ""
            return Found(words[at + 3 :], command="bench", subcommand=subcommand)
    if word == "-m" and (module := _MODULE.fullmatch(next_word)):
        if not module[0].endswith("cli.main"):
            return Found(words[at + 2 :], module=True)
        if words[at + 2 : at + 3] == ["serve"]:
            return Found(words[at + 3 :])
    return None


def _settings(words: list[Located]) -> list[Setting]:
    """`env A=b` in front of a program."""
    pairs = ((_SETTING.fullmatch(word), word) for word in words)
    return [Setting(name=pair[1], value=pair[2], line=line_of(word)) for pair, word in pairs if pair]

"""Which release a launch is for, and whether it is vLLM's own build."""

import re
from typing import Final

from knowledge.versions import KnownVersion, resolve
from tools.flags.launch import Launch

OWN_IMAGES: Final = re.compile(r"^(?:docker\.io/)?vllm/vllm-|^public\.ecr\.aws/[^/]+/vllm-")
_TAGGED: Final = re.compile(r"vllm[-_]?v?(\d+\.\d+[.\w]*)", re.IGNORECASE)
_NUMBERED: Final = re.compile(r"v?(\d+\.\d+[.\w]*)")
_FORK: Final = re.compile(r"\b(vllm-[a-z]+|fork\b[^,;()]*)", re.IGNORECASE)


def target(launch: Launch, version: str | None = None, image: str = "") -> tuple[KnownVersion, str]:
    """The release to check against, and what the build calls itself when it is not vLLM's own.

    Args:
        launch: Its image counts when nothing else is told.
        version: As given by the person; it wins.
        image: As given by the person.

    Raises:
        UserError: `version` names no version.
    """
    told = image or launch.image
    fork = _fork(version or "", told)
    if version is not None:
        return resolve(version), fork
    if not told:
        return resolve(None), fork
    return of_image(told), fork


def of_image(image: str) -> KnownVersion:
    """The release that an image's tag names; the newest one, said to be assumed, when it names none."""
    name, _, tag = (image.rpartition("@")[0] or image).rpartition("/")[2].partition(":")
    named = _TAGGED.search(tag) or _NUMBERED.match(tag) or _TAGGED.search(name)
    return resolve(named[1] if named else "unknown", f"named by the image {image}")


def _fork(version: str, image: str) -> str:
    told = _FORK.search(version)
    if told:
        return told[1].strip()
    return f"the image {image}" if image and not OWN_IMAGES.search(image) else ""

"""A shell script inside a manifest: `bash -c "…"` as the command of a container."""

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from tools.flags.launch import OPAQUE, Launch, Note, Platform, Setting
from tools.flags.read.located import Located, line_of
from tools.flags.read.shell import read_shell, script_in


def nested(
    words: list[Located],
    env: tuple[Setting, ...],
    *,
    image: str,
    platform: Platform,
    service: str = "",
    mounts: tuple[str, ...] = (),
    notes: Iterable[Note] = (),
) -> Iterator[Launch] | None:
    """The launches of the script that a container's words run, with what the container adds.

    Args:
        words: The container's command.
        env: Its environment.
        image: Its image.
        platform: What kind of manifest it stands in.
        service: Its name.
        mounts: Where its volumes are.
        notes: What was noted about it.

    Returns:
        None when the words run no script.
    """
    script = script_in(words)
    if script is None:
        return None
    known: Mapping[str, str] = {setting.name: setting.value or OPAQUE for setting in env}
    return (
        msgspec.structs.replace(
            inner,
            env=(*env, *inner.env),
            image=image,
            service=service,
            platform=platform,
            mounts=mounts,
            notes=(*notes, *inner.notes),
        )
        for inner in read_shell(str(script), line_of(script), known)
    )

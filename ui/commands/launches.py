"""Read the launch that a command line names: a file, standard input, or the words of the command itself."""

import shlex
from pathlib import Path

from knowledge.errors import UserError
from tools.flags.launch import Launch
from tools.flags.read import read
from ui.stdin import read_stdin
from ui.terminal import note

MAX_BYTES = 2 * 2**20


def launches(given: tuple[str, ...]) -> tuple[str, tuple[Launch, ...]]:
    """The name of the input, "" when it has none, and the launches in it.

    Args:
        given: A file, `-`, one quoted command, or the words of a command.

    Raises:
        UserError: The input cannot be read, or holds no launch.
    """
    name, text = _text(given)
    return name, read(text, name)


def _text(given: tuple[str, ...]) -> tuple[str, str]:
    if len(given) != 1:
        return "", shlex.join(given)
    only = given[0]
    if only == "-":
        return "", read_stdin(note)
    if only.startswith("-") or any(blank in only for blank in " \n"):
        return "", only
    return only, _file(Path(only))


def _file(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise UserError(
                f"{path} is larger than {MAX_BYTES // 2**20} MiB, which no launch is; give the launch alone"
            )
        return path.read_text("utf-8", errors="replace")
    except (OSError, ValueError) as exc:
        why = exc.strerror if isinstance(exc, OSError) else "no path"
        raise UserError(f"{str(path)!r}: {why}; give a file, `-`, or `-- vllm serve …`") from exc

"""Read the launch that a command line names: a file, standard input, or the words of the command itself."""

import codecs
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
    if not only.strip():
        raise UserError("nothing was given; give a file, `-`, or `-- vllm serve …`")
    is_command = only.startswith("-") or any(blank in only for blank in " \n")
    if is_command and ("\n" in only or not Path(only).is_file()):
        return "", only
    return only, _file(Path(only))


def _file(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise UserError(
                f"{path} is larger than {MAX_BYTES // 2**20} MiB, which no launch is; give the launch alone"
            )
        return _decoded(path.read_bytes(), path)
    except (OSError, ValueError) as exc:
        why = exc.strerror if isinstance(exc, OSError) else "no path"
        raise UserError(f"{str(path)!r}: {why}; give a file, `-`, or `-- vllm serve …`") from exc


def _decoded(raw: bytes, path: Path) -> str:
    """Text in UTF-8, or in UTF-16 with its mark."""
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return raw.decode("utf-16", errors="replace")
    if b"\0" in raw:
        raise UserError(f"{path} is not text; give a command, a script or a manifest")
    return raw.decode("utf-8-sig", errors="replace")

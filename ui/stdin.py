"""Read standard input when, and only when, somebody sent something through it."""

import os
import select
import stat
import time
from collections.abc import Callable
from typing import Final

from knowledge.errors import UserError

FIRST_BYTE_WAIT_S: Final = 2.0
"""`kubectl logs` needs about a second to begin; an inherited pipe that nobody writes to must not hold us longer."""

IDLE_WAIT_S: Final = 1.5
"""A pipe that was silent this long after its last byte (`kubectl logs -f`) is taken as told."""

TOTAL_WAIT_S: Final = 15.0

MAX_BYTES: Final = 32 * 2**20
"""A longer text is cut here; what was read is said."""

_CHUNK: Final = 1 << 16
_BINARY_SAMPLE: Final = 1 << 16


def read_stdin(note: Callable[[str], None], fd: int = 0) -> str:
    """Read what came through a pipe or from a file.

    Args:
        note: Told, in one line, when less than everything was read.
        fd: The descriptor to read.

    Returns:
        The text; empty when standard input is a terminal, a device, closed, or a pipe that nobody writes to.

    Raises:
        UserError: It is not text.
    """
    try:
        mode = os.fstat(fd).st_mode
    except OSError:
        return ""
    if stat.S_ISREG(mode):
        raw = _read_file(fd, note)
    elif stat.S_ISFIFO(mode):
        raw = _read_pipe(fd, note)
    else:
        return ""
    return _decode(raw)


def _read_file(fd: int, note: Callable[[str], None]) -> bytes:
    parts, size = [], 0
    while size < MAX_BYTES and (chunk := os.read(fd, _CHUNK)):
        parts.append(chunk)
        size += len(chunk)
    if size >= MAX_BYTES:
        note(f"standard input is long: read its first {size / 2**20:.0f} MiB")
    return b"".join(parts)


def _read_pipe(fd: int, note: Callable[[str], None]) -> bytes:
    parts, size = [], 0
    end = time.monotonic() + TOTAL_WAIT_S
    wait = FIRST_BYTE_WAIT_S
    while size < MAX_BYTES:
        ready, _, _ = select.select([fd], [], [], max(0.0, min(wait, end - time.monotonic())))
        if not ready:
            if size:
                note(f"standard input stays open: read the {size} bytes that came so far")
            break
        chunk = os.read(fd, _CHUNK)
        if not chunk:
            break
        parts.append(chunk)
        size += len(chunk)
        wait = IDLE_WAIT_S
    if size >= MAX_BYTES:
        note(f"standard input is long: read its first {size / 2**20:.0f} MiB")
    return b"".join(parts)


def _decode(raw: bytes) -> str:
    at = raw[:_BINARY_SAMPLE].find(b"\0")
    if at >= 0:
        raise UserError(
            f"standard input is not text (a zero byte at offset {at}); send text, for example: zcat FILE.gz | ask …"
        )
    text = raw.decode("utf-8", errors="replace")
    if raw and text.count("\ufffd") > len(text) // 10:
        raise UserError("standard input is not UTF-8 text; send text, for example: zcat FILE.gz | ask …")
    return text

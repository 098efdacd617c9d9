"""Read standard input when, and only when, somebody sent something through it."""

import os
import select
import stat
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Final

from knowledge.errors import UserError

FIRST_BYTE_WAIT_S: Final = 10.0
"""`kubectl logs` or `ssh` may need seconds to begin; a pipe that nobody writes to must not hold us longer."""

IDLE_WAIT_S: Final = 1.5
"""A pipe that was silent this long after its last byte (`kubectl logs -f`) is taken as told."""

TOTAL_WAIT_S: Final = 15.0

HEAD_BYTES: Final = 2 * 2**20
TAIL_BYTES: Final = 6 * 2**20
"""Of a longer text the head (version, arguments) and the tail (the crash) are kept, and that is said."""

_CHUNK_BYTES: Final = 1 << 16
_BINARY_SAMPLE_BYTES: Final = 1 << 16


def read_stdin(note: Callable[[str], None], fd: int = 0) -> str:
    """Read what came through a pipe or from a file.

    Args:
        note: Told, in one line, when less than everything was read.
        fd: The descriptor to read.

    Returns:
        The text; empty when standard input is a terminal, a device, closed, or a pipe that nobody writes to.

    Raises:
        UserError: It is not text, or cannot be read.
    """
    try:
        mode = os.fstat(fd).st_mode
    except OSError:
        return ""
    if stat.S_ISREG(mode):
        chunks = _file_chunks(fd)
    elif stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode):  # some programs start others on a socket pair
        chunks = _pipe_chunks(fd, note)
    else:
        return ""
    try:
        raw = _head_and_tail(chunks, note)
    except OSError as exc:
        raise UserError(f"standard input cannot be read: {exc}; redirect another file, or </dev/null") from exc
    return _decode(raw)


def _head_and_tail(chunks: Iterator[bytes], note: Callable[[str], None]) -> bytes:
    head = bytearray()
    tail: deque[bytes] = deque()
    tail_bytes = left_out_bytes = 0
    for chunk in chunks:
        room = HEAD_BYTES - len(head)
        head += chunk[:room]
        if len(chunk) > room:
            tail.append(chunk[room:])
            tail_bytes += len(chunk) - room
        while tail_bytes > TAIL_BYTES:
            dropped = len(tail.popleft())
            tail_bytes -= dropped
            left_out_bytes += dropped
    if not left_out_bytes:
        return bytes(head) + b"".join(tail)
    lost = f"{left_out_bytes / 2**20:.1f} MiB"
    note(f"standard input is long: {lost} in its middle are left out, and line numbers count what was read")
    return bytes(head) + f"\n[{lost} left out]\n".encode() + b"".join(tail)


def _file_chunks(fd: int) -> Iterator[bytes]:
    while chunk := os.read(fd, _CHUNK_BYTES):
        yield chunk


def _pipe_chunks(fd: int, note: Callable[[str], None]) -> Iterator[bytes]:
    """What comes until the writer closes, pauses for too long, or has had its time."""
    end_s = time.monotonic() + TOTAL_WAIT_S
    wait_s = FIRST_BYTE_WAIT_S
    size_bytes = 0
    while True:
        ready, _, _ = select.select([fd], [], [], max(0.0, min(wait_s, end_s - time.monotonic())))
        if not ready:
            break
        chunk = os.read(fd, _CHUNK_BYTES)
        if not chunk:
            return
        yield chunk
        size_bytes += len(chunk)
        wait_s = IDLE_WAIT_S
        if time.monotonic() > end_s:
            break
    if size_bytes:
        note(f"standard input stays open: the {size_bytes} bytes that came so far are read")
    else:
        note(f"standard input is a pipe through which nothing came in {FIRST_BYTE_WAIT_S:g} s: going on without it")


def _decode(raw: bytes) -> str:
    at = raw[:_BINARY_SAMPLE_BYTES].find(b"\0")
    if at >= 0:
        raise UserError(
            f"standard input is not text (a zero byte at offset {at}); send text, for example: zcat FILE.gz | ask …"
        )
    text = raw.decode("utf-8-sig", errors="replace")
    if text.count("\ufffd") > len(text) // 10:
        raise UserError("standard input is not UTF-8 text; send text, for example: zcat FILE.gz | ask …")
    return text

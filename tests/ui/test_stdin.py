import gzip
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from knowledge.errors import UserError
from ui import stdin
from ui.stdin import HEAD_BYTES, TAIL_BYTES, read_stdin


@pytest.fixture
def notes() -> list[str]:
    return []


@pytest.fixture
def pipe(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[int, int]]:
    """Both ends of a pipe, with waits short enough for a test."""
    monkeypatch.setattr(stdin, "FIRST_BYTE_WAIT_S", 0.1)
    monkeypatch.setattr(stdin, "IDLE_WAIT_S", 0.05)
    ends = os.pipe()
    yield ends
    for end in ends:
        try:
            os.close(end)
        except OSError:
            continue


def test_a_pipe_is_read_to_its_end(pipe: tuple[int, int], notes: list[str]) -> None:
    out, into = pipe
    os.write(into, b"one\ntwo\n")
    os.close(into)
    assert read_stdin(notes.append, out) == "one\ntwo\n"
    assert notes == []


def test_an_empty_pipe_is_nothing(pipe: tuple[int, int], notes: list[str]) -> None:
    out, into = pipe
    os.close(into)
    assert read_stdin(notes.append, out) == ""
    assert notes == []


def test_a_pipe_that_stays_open_without_data_is_left_and_said(pipe: tuple[int, int], notes: list[str]) -> None:
    assert read_stdin(notes.append, pipe[0]) == ""
    assert "0.1 s" in notes[0]


def test_a_pipe_that_stays_open_after_data_gives_what_came(pipe: tuple[int, int], notes: list[str]) -> None:
    os.write(pipe[1], b"INFO begins\n")
    assert read_stdin(notes.append, pipe[0]) == "INFO begins\n"
    assert "12 bytes" in notes[0]


def test_a_pipe_that_never_pauses_is_read_for_a_bounded_time(
    pipe: tuple[int, int], notes: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stdin, "TOTAL_WAIT_S", 0.0)
    os.write(pipe[1], b"x" * 3)
    assert read_stdin(notes.append, pipe[0]) == "xxx"
    assert "3 bytes" in notes[0]


def test_a_socket_is_read_like_a_pipe(notes: list[str]) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(b"log line")
        theirs.shutdown(socket.SHUT_WR)
        assert read_stdin(notes.append, ours.fileno()) == "log line"


def from_file(path: Path, content: bytes, notes: list[str]) -> str:
    path.write_bytes(content)
    with path.open("rb") as file:
        return read_stdin(notes.append, file.fileno())


@pytest.mark.parametrize(
    ("content", "text"),
    [
        pytest.param(b"INFO ready\n", "INFO ready\n", id="text"),
        pytest.param(b"", "", id="empty"),
        pytest.param(b"\xef\xbb\xbfINFO ready\n", "INFO ready\n", id="byte-order-mark"),
        pytest.param("Größe ×8".encode(), "Größe ×8", id="utf-8"),
        pytest.param("INFO Größe der Anfrage".encode("latin-1"), "INFO Gr\ufffd\ufffde der Anfrage", id="latin-1"),
    ],
)
def test_a_redirected_file_is_read(tmp_path: Path, notes: list[str], content: bytes, text: str) -> None:
    assert from_file(tmp_path / "in", content, notes) == text
    assert notes == []


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"INFO\0ready", id="zero-byte"),
        pytest.param(gzip.compress(b"INFO ready\n" * 50), id="gzip"),
        pytest.param(bytes(range(128, 256)) * 4, id="not-utf-8"),
        pytest.param("INFO".encode("utf-16"), id="utf-16"),
    ],
)
def test_what_is_no_text_is_refused_with_the_way_to_send_it(tmp_path: Path, notes: list[str], content: bytes) -> None:
    with pytest.raises(UserError, match=r"standard input .* zcat"):
        from_file(tmp_path / "in", content, notes)


@pytest.mark.parametrize(
    ("over_bytes", "told"), [(0, 0), (1, 1), (8 * 2**20, 1)], ids=["at-limit", "one-more", "40-MiB"]
)
def test_of_a_long_text_head_and_tail_are_kept_and_that_is_said(
    tmp_path: Path, notes: list[str], over_bytes: int, told: int
) -> None:
    middle = b"a" * (HEAD_BYTES + TAIL_BYTES + over_bytes - len("version crash"))
    text = from_file(tmp_path / "in", b"version " + middle + b"crash", notes)
    assert text.startswith("version ")
    assert text.endswith("crash")
    assert len(text) <= HEAD_BYTES + TAIL_BYTES + 40
    assert len(notes) == told
    assert ("left out]" in text) is bool(told)


@pytest.mark.parametrize("device", [os.devnull, "/dev/zero"])
def test_a_device_is_not_read(notes: list[str], device: str) -> None:
    with Path(device).open("rb") as file:
        assert read_stdin(notes.append, file.fileno()) == ""


def test_a_terminal_is_not_read(notes: list[str]) -> None:
    ours, theirs = os.openpty()
    os.write(ours, b"typed ahead\n")
    assert read_stdin(notes.append, theirs) == ""
    os.close(ours)
    os.close(theirs)


def test_a_closed_descriptor_is_nothing(pipe: tuple[int, int], notes: list[str]) -> None:
    os.close(pipe[0])
    assert read_stdin(notes.append, pipe[0]) == ""


def test_a_file_opened_for_writing_is_refused(tmp_path: Path, notes: list[str]) -> None:
    with (tmp_path / "out").open("wb") as file, pytest.raises(UserError, match="cannot be read"):
        read_stdin(notes.append, file.fileno())

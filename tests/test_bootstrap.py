"""The wrapper `ask` and `bootstrap`, in a copy, with a stand-in for Python, venv and pip."""

import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
STUB = """#!/bin/bash
# A Python that notes what it is asked to do. Its venv holds a copy of itself and an `ask` that repeats what it gets.
case "$*" in
    *version_info*) exit "${STUB_TOO_OLD:-0}" ;;
    "-m venv"*)
        echo venv >>"$STUB_LOG"
        [ -z "${STUB_NO_VENV:-}" ] || exit 1
        rm -rf .venv && mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
    *"pip"*)
        echo "pip $(cat | wc -c)" >>"$STUB_LOG"
        echo "pip speaks"
        [ -z "${STUB_NO_NET:-}" ] || exit 1
        if [ -n "${STUB_HANG:-}" ]; then touch "$STUB_LOG.hangs"; exec sleep 30; fi
        printf '#!/bin/bash\\necho "asked: $*"; cat\\n' >.venv/bin/ask && chmod +x .venv/bin/ask ;;
esac
"""


class Checkout:
    """A copy of the wrapper scripts beside a stub interpreter."""

    def __init__(self, place: Path) -> None:
        self.root = place / "a check out"
        self.root.mkdir(parents=True)
        for name in ("ask", "bootstrap", "requirements.lock", "pyproject.toml"):
            shutil.copy(ROOT / name, self.root / name)
        stubs = place / "stub bin"
        stubs.mkdir()
        for name in ("python3.11", "python3.12", "python3.13", "python3"):
            (stubs / name).write_text(STUB)
            (stubs / name).chmod(0o755)
        self.log = place / "log"
        self.env = {"PATH": f"{stubs}:/usr/bin:/bin", "STUB_LOG": str(self.log)}

    def start(self, command: Path, *args: str, cwd: Path | None = None, **env: str) -> subprocess.Popen[str]:
        pipe = subprocess.PIPE
        return subprocess.Popen(
            [str(command), *args],
            cwd=cwd or self.root,
            env={**self.env, **env},
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            text=True,
            start_new_session=True,
        )

    def ask(self, *args: str, stdin: str = "", **env: str) -> tuple[int, str, str]:
        process = self.start(self.root / "ask", *args, **env)
        out, err = process.communicate(stdin, timeout=20)
        return process.returncode, out, err

    def steps(self) -> list[str]:
        return self.log.read_text().splitlines() if self.log.exists() else []


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


INSTALL = ["venv", "pip 0", "pip 0"]
"""One environment, two calls of pip, each with nothing on its standard input."""


def test_first_use_installs_and_hands_everything_to_the_question(checkout: Checkout) -> None:
    code, out, err = checkout.ask("why is", "it slow", stdin="a log\n")
    assert (code, out) == (0, "asked: why is it slow\na log\n")
    assert "pip speaks" in err
    assert checkout.steps() == INSTALL


def test_a_later_use_goes_straight_through(checkout: Checkout) -> None:
    checkout.ask("one")
    assert checkout.ask("two") == (0, "asked: two\n", "")
    assert checkout.steps() == INSTALL


def test_through_a_link_and_from_another_folder(checkout: Checkout, tmp_path: Path) -> None:
    link = tmp_path / "bin" / "ask"
    link.parent.mkdir()
    link.symlink_to(checkout.root / "ask")
    process = checkout.start(link, "x", cwd=tmp_path)
    assert process.communicate("", timeout=20)[0] == "asked: x\n"
    assert (checkout.root / ".venv/installed-from").exists()
    assert not (tmp_path / ".venv").exists()


def test_two_at_once_install_once(checkout: Checkout) -> None:
    both = [checkout.start(checkout.root / "ask", name) for name in ("one", "two")]
    outs = [process.communicate("", timeout=20)[0] for process in both]
    assert outs == ["asked: one\n", "asked: two\n"]
    assert checkout.steps() == INSTALL


@pytest.mark.parametrize(
    ("env", "code", "mend", "steps"),
    [
        pytest.param({"STUB_TOO_OLD": "1"}, 2, "apt install python3", [], id="python-too-old"),
        pytest.param({"STUB_NO_VENV": "1"}, 2, "apt install python3-venv", ["venv"], id="no-venv"),
        pytest.param({"STUB_NO_NET": "1"}, 4, "tries again", ["venv", "pip 0"], id="pip-fails"),
    ],
)
def test_what_cannot_be_installed_is_said_and_tried_again(
    checkout: Checkout, env: dict[str, str], code: int, mend: str, steps: list[str]
) -> None:
    got, out, err = checkout.ask("x", **env)
    assert (got, out) == (code, "")
    assert mend in err
    assert checkout.steps() == steps
    assert checkout.ask("x")[:2] == (0, "asked: x\n")


def test_interrupted_half_way_starts_over(checkout: Checkout) -> None:
    process = checkout.start(checkout.root / "ask", "x", STUB_HANG="1")
    while not checkout.log.with_name("log.hangs").exists():
        assert process.poll() is None
    os.killpg(process.pid, signal.SIGTERM)  # as Ctrl-C does, but a shell cannot have been told to ignore it
    process.communicate(timeout=20)
    assert process.returncode == -signal.SIGTERM
    assert checkout.ask("x")[:2] == (0, "asked: x\n")
    assert checkout.steps() == ["venv", "pip 0", *INSTALL]


def test_a_changed_lock_installs_again(checkout: Checkout) -> None:
    checkout.ask("x")
    with (checkout.root / "requirements.lock").open("a") as lock:
        lock.write("# changed\n")
    checkout.ask("x")
    assert checkout.steps() == INSTALL * 2


def test_a_moved_checkout_installs_again(checkout: Checkout) -> None:
    checkout.ask("x")
    checkout.root = checkout.root.rename(checkout.root.with_name("moved"))
    assert checkout.ask("x")[:2] == (0, "asked: x\n")
    assert checkout.steps() == INSTALL * 2


def test_a_named_python_may_stand_in_a_folder_with_a_space(checkout: Checkout, tmp_path: Path) -> None:
    own = tmp_path / "my python" / "python"
    own.parent.mkdir()
    own.write_text(STUB.replace("echo venv", "echo own venv"))
    own.chmod(0o755)
    assert checkout.ask("x", PYTHON=str(own))[0] == 0
    assert checkout.steps()[0] == "own venv"

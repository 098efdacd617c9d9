"""Where `ask` starts and ends: the exit code, Ctrl-C, and errors made on purpose as one line.

Nothing but the standard library's smallest is imported before Ctrl-C is caught, the commands included.
"""

import os
import signal
import sys
from types import FrameType

INTERRUPTED = 128 + signal.SIGINT
STDERR = 2


def main() -> None:
    """Run the command line of this process and end it."""
    signal.signal(signal.SIGINT, _interrupt)
    try:
        _fill_closed_descriptors()
        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        code = INTERRUPTED
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a second Ctrl-C, while threads end, has nothing left to tell
    sys.exit(code)


def run(args: list[str]) -> int:
    """Run one command line; programming errors crash.

    Args:
        args: As the shell split them; bytes that are no UTF-8 may stand in them as surrogates.

    Returns:
        The exit code.
    """
    import click

    from knowledge.errors import AskError
    from ui.commands.tree import cli
    from ui.terminal import accept_any_text, note

    accept_any_text()
    try:
        code = cli.main(args=[_as_text(arg) for arg in args], prog_name="ask", standalone_mode=False)
    except AskError as exc:
        note(str(exc))
        return exc.exit_code
    except click.ClickException as exc:
        exc.show()
        return exc.exit_code
    except click.Abort:
        return INTERRUPTED
    return code if isinstance(code, int) else 0


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    """Raise at once.

    asyncio replaces Python's own handler by one that waits for the next `await`, which an index build never reaches;
    it leaves any other handler alone.
    """
    raise KeyboardInterrupt


def _fill_closed_descriptors() -> None:
    """Open the null device in place of a closed standard stream, so that no file of ours becomes one by accident."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= STDERR:
        pass
    os.close(descriptor)


def _as_text(arg: str) -> str:
    return os.fsencode(arg).decode("utf-8", errors="replace")


if __name__ == "__main__":
    main()

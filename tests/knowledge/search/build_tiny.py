"""Open the index of a corpus folder in a process of its own: `build_tiny.py CORPUS HOME [DIE_AT]`.

Prints what it found, and whether it built; an error on purpose is its class and its message. With DIE_AT it kills
itself as soon as it is told of a step that begins with those words.
"""

import os
import signal
import sys
from pathlib import Path

from knowledge.errors import AskError
from knowledge.search.find import find
from knowledge.search.index import open_index
from knowledge.settings import Settings


def main(corpus: str, home: str, die_at: str = "") -> None:
    steps: list[str] = []

    def progress(what: str, _done: int, _total: int) -> None:
        steps.append(what)
        if die_at and what.startswith(die_at):
            os.kill(os.getpid(), signal.SIGKILL)

    try:
        index = open_index(Settings(home=Path(home)), progress, Path(corpus))
    except AskError as exc:
        print(type(exc).__name__, exc)  # noqa: T201
        return
    found = [hit.claim.id for hit in find(index, "pears") if hit.cosine is not None]
    print("built" if steps else "opened", *found)  # noqa: T201
    index.close()


if __name__ == "__main__":
    main(*sys.argv[1:])

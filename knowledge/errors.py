"""The error tree, by who can mend it.

AskError
  x UserError          the person: flag, file, setting           exit 2
  x CorpusError        a maintainer: claim, citation, index      exit 3
  x UpstreamError      nobody here: server, network, disk        exit 4   retryable: bool
  x ToolArgumentError  the model: goes back to it as text, at most twice

A message says what, where, and what to do. Missing evidence is a result, not an error, and a
programming error is left to crash.
"""


class AskError(Exception):
    """Root of everything that is raised on purpose; never raised itself."""

    exit_code: int = 1


class UserError(AskError):
    """The person who asked can mend it: a flag, a file, a setting, a permission."""

    exit_code = 2


class CorpusError(AskError):
    """A maintainer can mend it: a claim that does not parse, a citation that points nowhere."""

    exit_code = 3


class UpstreamError(AskError):
    """Something outside failed: a server, the network, a disk.

    Args:
        message: What failed, where, and what to do.
        retryable: Whether the same call may succeed later.
    """

    exit_code = 4

    def __init__(self, message: str, *, retryable: bool) -> None:
        super().__init__(message)
        self.retryable = retryable


class ToolArgumentError(AskError):
    """A model called a tool with arguments that do not fit; the text goes back to it."""

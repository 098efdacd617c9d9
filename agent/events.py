"""What a front-end sees while a question is answered. The last event is always `Answer` or `Failed`."""

from agent.answer import Answer, Sentence
from knowledge.corpus.claim import ClaimId, Closed
from knowledge.errors import AskError


class ToolStarted(Closed, frozen=True):
    """A tool begins."""

    tool: str
    what: str


class ToolFinished(Closed, frozen=True):
    """A tool ended; `summary` is one line for people."""

    tool: str
    summary: str
    seconds: float


class Retrieved(Closed, frozen=True):
    """Claims were found."""

    claims: tuple[ClaimId, ...]


class ApprovalNeeded(Closed, frozen=True):
    """Something that acts waits for a yes; nothing has run.

    Attributes:
        thread: The conversation to resume.
        tool: The acting tool.
        command: Exactly what would run.
        target: What it would run against.
        cost: What it would cost.
    """

    thread: str
    tool: str
    command: str
    target: str
    cost: str


class Failed(Closed, frozen=True):
    """No answer, and why.

    Attributes:
        message: What, where and what to do.
        exit_code: As knowledge.errors sets it.
    """

    message: str
    exit_code: int

    def error(self) -> AskError:
        """The same as an exception, for a front-end that ends with it."""
        failed = AskError(self.message)
        failed.exit_code = self.exit_code
        return failed


Event = ToolStarted | ToolFinished | Retrieved | ApprovalNeeded | Sentence | Answer | Failed

"""The one door: `Assistant.ask(...)` yields events; front-ends and evals use nothing else."""

import contextlib
import sqlite3
from collections.abc import AsyncIterator
from types import TracebackType
from typing import TYPE_CHECKING, Any, cast

import msgspec

from agent.answer import Answer
from agent.events import ApprovalNeeded, Event, Failed
from agent.graph import Turn, build_graph
from agent.toolbox import TOOLS, Tool
from knowledge.errors import AskError, UpstreamError, UserError
from knowledge.search.index import Index, Progress, open_index, silent
from knowledge.settings import Settings

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

EPHEMERAL = ""
"""The name of a conversation that is not kept."""

MODEL_NOT_BUILT = "ASK_BASE_URL is set, but no model writes answers yet: rules and templates wrote this one"

BUSY_WAIT_S = 5.0
"""How long another process may hold the conversations file before we say so."""


class Assistant:
    """Answers questions. Use as `async with Assistant(settings) as assistant`.

    Args:
        settings: Data folder, embedding model, endpoint.
        progress: Told about an index build.
        keep: Whether conversations are kept in the data folder.
        tools: The tools at hand.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        progress: Progress = silent,
        keep: bool = True,
        tools: dict[str, Tool] | None = None,
    ) -> None:
        self._settings = settings
        self._progress = progress
        self._keep = keep
        self._tools = tools or TOOLS
        self._stack = contextlib.AsyncExitStack()

    async def __aenter__(self) -> "Assistant":
        """Open index and conversations.

        Raises:
            AskError: Either cannot be opened; the message names the mend.
        """
        self._index: Index = open_index(self._settings, self._progress)
        self._stack.callback(self._index.close)
        saver = await self._stack.enter_async_context(open_threads(self._settings)) if self._keep else None
        self._graph = build_graph(saver)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close both."""
        await self._stack.aclose()

    async def ask(
        self,
        question: str,
        *,
        attachments: tuple[str, ...] = (),
        version: str | None = None,
        thread: str = EPHEMERAL,
    ) -> AsyncIterator[Event]:
        """Answer a question.

        Args:
            question: The person's words; may hold pasted lines.
            attachments: Texts that came with it.
            version: vLLM version to speak for; wins over what is said in the text.
            thread: Conversation to continue.

        Yields:
            What happens, in order; the last event is `Answer`, `Failed`, or `ApprovalNeeded` when a yes is awaited.
        """
        turn = self._turn(question, attachments, version, thread)
        async for event in self._run({"approved": {}}, turn):
            yield event

    async def resume(self, thread: str, *, approved: bool) -> AsyncIterator[Event]:
        """Go on after `ApprovalNeeded`, with a person's yes or no."""
        from langgraph.types import Command

        async for event in self._run(Command(resume=approved), self._turn("", (), None, thread)):
            yield event

    def _turn(self, question: str, attachments: tuple[str, ...], version: str | None, thread: str) -> Turn:
        notices = (MODEL_NOT_BUILT,) if self._settings.base_url else ()
        return Turn(question, attachments, version, self._index, thread, self._tools, notices)

    async def _run(self, start: Any, turn: Turn) -> AsyncIterator[Event]:
        config: RunnableConfig = {"configurable": {"thread_id": turn.thread}}
        last: Answer | ApprovalNeeded | None = None
        try:
            stream = self._graph.astream(
                start,
                config,
                context=turn,
                stream_mode=["custom", "updates"],
                durability="exit" if self._keep else None,
            )
            async for mode, chunk in cast("AsyncIterator[tuple[str, Any]]", stream):
                if mode == "custom":
                    yield chunk
                    continue
                if waits := chunk.get("__interrupt__"):
                    # Not yielded yet: the thread is stored when the stream ends, and must be before anybody says yes.
                    last = msgspec.convert(waits[0].value, ApprovalNeeded)
                last = (chunk.get("check_and_answer") or {}).get("answer", last)
        except AskError as exc:
            yield Failed(message=str(exc), exit_code=exc.exit_code)
            return
        except sqlite3.OperationalError as exc:
            failed = _threads_busy(self._settings, exc)
            yield Failed(message=str(failed), exit_code=failed.exit_code)
            return
        if last is not None:
            yield last


@contextlib.asynccontextmanager
async def open_threads(settings: Settings) -> AsyncIterator["AsyncSqliteSaver"]:
    """Open the file that keeps conversations.

    Raises:
        UserError: The folder cannot be written, or the file is damaged; it is left as it is.
        UpstreamError: Another process holds the file.
    """
    import aiosqlite
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    path = settings.home / "threads.db"
    async with contextlib.AsyncExitStack() as stack:
        try:
            settings.home.mkdir(parents=True, exist_ok=True)
            base = await stack.enter_async_context(aiosqlite.connect(path, timeout=BUSY_WAIT_S))
            saver = AsyncSqliteSaver(base)
            await saver.setup()
        except sqlite3.OperationalError as exc:
            if "locked" in str(exc):
                raise _threads_busy(settings, exc) from exc
            raise UserError(
                f"{path} cannot be opened: {exc}; set ASK_HOME to a folder that can be written, or ask without --thread"
            ) from exc
        except sqlite3.DatabaseError as exc:
            raise UserError(
                f"{path} is damaged ({exc}) and was left as it is; to start new conversations: "
                f"mv '{path}' '{path}.damaged'"
            ) from exc
        except OSError as exc:
            raise UserError(f"the data folder {settings.home} cannot be written: {exc}; set ASK_HOME") from exc
        yield saver


def _threads_busy(settings: Settings, exc: Exception) -> UpstreamError:
    path = settings.home / "threads.db"
    return UpstreamError(
        f"{path}: {exc}; another process writes to it, ask again in a moment or without --thread",
        retryable=True,
    )

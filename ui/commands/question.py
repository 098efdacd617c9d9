"""`ask "…"`: one question, one answer."""

import asyncio
import contextlib

from agent.answer import Answer
from agent.assistant import EPHEMERAL, Assistant
from agent.events import ApprovalNeeded, Failed
from knowledge.errors import UserError
from knowledge.settings import read_settings
from knowledge.versions import resolve
from ui.render_cli import progress_line
from ui.stdin import read_stdin
from ui.terminal import note, progress_bar, write_json, write_markdown


def answer_question(words: str, *, as_json: bool, version: str | None, thread: str) -> None:
    """Answer a question and standard input, and print the answer.

    Raises:
        AskError: There is no answer; the message says why and what to do.
    """
    if version is not None:
        resolve(version)  # a wrong --version must not cost the seconds that opening the index takes
    pasted = read_stdin(note)
    if not words.strip() and not pasted.strip():
        raise UserError('nothing was asked; try: ask "why is ITL spiking", or: ask --help')
    answer = asyncio.run(_answer(words, (pasted,) if pasted.strip() else (), version, thread))
    if as_json:
        write_json(answer)
        return
    write_markdown(answer.answer)
    for line in answer.unchecked:
        note(f"not checked: {line}")


async def _answer(words: str, attachments: tuple[str, ...], version: str | None, thread: str) -> Answer:
    async with contextlib.AsyncExitStack() as stack:
        with progress_bar() as progress:
            assistant = Assistant(read_settings(), progress=progress, keep=thread != EPHEMERAL)
            await stack.enter_async_context(assistant)
        async for event in assistant.ask(words, attachments=attachments, version=version, thread=thread):
            if line := progress_line(event):
                note(line)
            match event:
                case Answer():
                    return event
                case Failed():
                    raise event.error()
                case ApprovalNeeded():
                    raise UserError("this needs a yes, which a one-shot question cannot give")
                case _:
                    pass
    raise AssertionError("the last event is an answer or a failure")

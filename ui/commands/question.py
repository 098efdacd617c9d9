"""`ask "…"`: one question, one answer."""

import asyncio

import click
import msgspec

from agent.answer import Answer
from agent.assistant import EPHEMERAL, Assistant
from agent.events import ApprovalNeeded, Failed
from knowledge.errors import UserError
from knowledge.settings import read_settings
from knowledge.versions import resolve
from ui.render_cli import progress_line
from ui.stdin import read_stdin
from ui.terminal import note, print_markdown, progress_bar


def run(words: str, *, as_json: bool, version: str | None, thread: str) -> None:
    """Answer and print.

    Raises:
        AskError: There is no answer; the message says why and what to do.
    """
    if version is not None:
        resolve(version)  # a wrong --version must not cost the seconds that opening the index takes
    pasted = read_stdin(note)
    if not words.strip() and not pasted.strip():
        raise UserError('nothing was asked; try: ask "why is ITL spiking"')
    answer = asyncio.run(_ask(words, (pasted,) if pasted.strip() else (), version, thread))
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(answer), indent=2))
        return
    print_markdown(answer.answer)
    for line in answer.unchecked:
        note(f"not checked: {line}")


async def _ask(words: str, attachments: tuple[str, ...], version: str | None, thread: str) -> Answer:
    settings = read_settings()
    with progress_bar() as progress:
        assistant = Assistant(settings, progress=progress, keep=thread != EPHEMERAL)
        await assistant.__aenter__()
    try:
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
    finally:
        await assistant.__aexit__(None, None, None)
    raise UserError("the question ended without an answer")

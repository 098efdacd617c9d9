"""Where a name stands: whether the release has it, since when, what took its place, and what is known about it."""

from collections.abc import Iterator
from typing import Final

from agent.answer import Command, Sentence
from agent.evidence import Evidence
from agent.templates.draft import Draft
from agent.templates.lines import heading, lead, lever
from tools.flags.standing import Stands

EVENTS_TOLD: Final = 4
ALSO_SHOWN: Final = 2


def write(evidence: Evidence) -> Draft:
    """Write the verdict of each name, its history, and the claims that name it."""
    stands = evidence.standings.names if evidence.standings else ()
    sentences = [sentence for number, one in enumerate(stands) for sentence in _told(number, one)]
    naming = [found.claim for found in evidence.found if found.named][:ALSO_SHOWN]
    if naming:
        sentences.append(heading("Also"))
        for claim in naming:
            sentences += lever(claim) if claim.head.lever else [lead(claim, form="item")]
    known = [(number, one) for number, one in enumerate(stands) if one.events]
    commands = tuple(
        Command(command=f"ask flags show {one.name}", purpose="its whole history with sources", reads_only=True)
        for _, one in known
    )
    shown = tuple(
        Sentence(text=command.command, steps=(f"standing.{number}",), form="code")
        for command, (number, _) in zip(commands, known, strict=True)
    )
    return Draft(sentences=(*sentences, *shown), commands=commands)


def _told(number: int, one: Stands) -> Iterator[Sentence]:
    step = f"standing.{number}"
    yield Sentence(text=one.verdict, steps=(step,))
    last = range(len(one.events))[-EVENTS_TOLD:]
    yield from (Sentence(text=one.events[at], steps=(f"{step}.{at}",), form="item") for at in last)

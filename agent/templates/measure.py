"""How to measure something: what to read and the command that reads it, then what misleads."""

from typing import Final

from agent.answer import Command, Sentence
from agent.evidence import Evidence
from agent.templates.draft import Draft
from agent.templates.explain import NEARLY_AS_GOOD, covers
from agent.templates.lines import DEFAULT_ENDPOINT, code, heading, lead
from knowledge.corpus.claim import Claim

TOPICS: Final = ("measure", "bench", "observe")
"""Topics whose claims tell how to measure; a claim with a sign tells it too."""

SHOWN: Final = 4


def write(evidence: Evidence) -> Draft:
    """Write how, with the commands, and the window that numbers need."""
    if not covers(evidence.found):
        return Draft(sentences=())
    best = evidence.found[0]
    floor = (best.near or 0.0) - NEARLY_AS_GOOD
    near = [found.claim for found in evidence.found if found.named or (found.near or 0.0) >= floor]
    telling = [claim for claim in near if claim.topic in TOPICS or claim.head.sign]
    others = [claim for claim in near if claim not in telling and claim.head.lever is None]
    chosen = (telling + others)[:SHOWN] or [best.claim]
    sentences: list[Sentence] = [Sentence(text=chosen[0].title, claims=(chosen[0].id,), form="heading")]
    paragraphs = chosen[0].body.split("\n\n")
    sentences += [Sentence(text=" ".join(p.split()), claims=(chosen[0].id,)) for p in paragraphs]
    commands = _commands(chosen, evidence)
    sentences += [code(command) for command in commands]
    if chosen[1:]:
        sentences += [heading("Also"), *(lead(claim, form="item") for claim in chosen[1:])]
    window = evidence.standing.get("window")
    tells_window = window is not None and window in chosen
    return Draft(
        sentences=tuple(sentences),
        commands=commands,
        next=(lead(window),) if window and not tells_window else (),
    )


def _commands(claims: list[Claim], evidence: Evidence) -> tuple[Command, ...]:
    base = (evidence.profile.endpoints or (DEFAULT_ENDPOINT,))[0]
    signs = [(claim, claim.head.sign.command) for claim in claims if claim.head.sign and claim.head.sign.command]
    return tuple(
        Command(
            command=command.replace("{endpoint}", base),
            purpose=claim.title,
            reads_only=True,
            claims=(claim.id,),
        )
        for claim, command in signs[:2]
    )

"""Why is something so: causes in the order to look, how to tell them apart, what moves each and what it costs."""

from collections.abc import Iterable
from typing import Final

from agent.answer import Finding, Sentence
from agent.evidence import CauseEvidence, Evidence
from agent.templates.draft import Draft
from agent.templates.launch import rows as launch_rows
from agent.templates.lines import (
    cause_heading,
    code,
    first_sentence,
    heading,
    lead,
    lever,
    lever_name,
    look_commands,
    opening,
    other_levers,
)
from agent.templates.upgrade import changes
from knowledge.causes import causes
from knowledge.corpus.claim import Claim, ClaimId

LEVERS_NAMED: Final = 4
"""Levers of a cause that are not shown whole are named, up to so many."""

LIKELY: Final = 2
"""Without evidence, the first so many causes are shown whole; of the others how to tell them, and their levers by name.

Somebody with a paging alert reads the first screen; a cause becomes whole as soon as evidence speaks for it.
"""

SHIFTS_SHOWN: Final = 6
LEVERS_OF_FURTHER: Final = 2
"""A further cause names so many levers: the one that eases it now and the one that fixes it, when it has both."""


def write(evidence: Evidence) -> Draft:
    """Write a diagnosis."""
    commands = look_commands(evidence)
    sentences: list[Sentence] = []
    if evidence.symptom:
        sentences.append(lead(evidence.symptom))
    sentences += [*_nothing_seen(evidence), *_from_tools(evidence)]
    if commands:
        sentences += [heading("Look first"), *(code(command) for command in commands)]
    proven = any(cause.seen for cause in evidence.causes)
    whole = [c for rank, c in enumerate(evidence.causes) if c.seen or (not proven and rank < LIKELY)]
    further = [cause for cause in evidence.causes if cause not in whole]
    shown: set[ClaimId] = set()
    for cause in whole:
        levers = _first_of_each_stage([c for c in cause.levers if c.id not in shown])
        shown.update(claim.id for claim in levers)
        sentences += _cause(cause, levers)
    sentences += _unproven(further) if proven else _further(further)
    if restart := evidence.standing.get("restart"):
        sentences += [heading("Before a restart"), lead(restart)]
    window = evidence.standing.get("window")
    return Draft(
        sentences=tuple(sentences),
        findings=tuple(_finding(cause) for cause in evidence.causes),
        commands=tuple(commands),
        next=(lead(window),) if window else (),
    )


def _cause(cause: CauseEvidence, levers: list[Claim]) -> list[Sentence]:
    rows = [cause_heading(cause)]
    rows += [
        Sentence(text=f"**Seen:** {seen.text}", steps=seen.steps, claims=(seen.claim,), form="item")
        for seen in cause.seen
    ]
    rows += [opening(claim, label="Why:") for claim in cause.explaining[:1]]
    rows += [lead(claim, form="item", label="Shows as:") for claim in cause.showing[:1]]
    for claim in levers:
        rows += lever(claim)
    return rows + other_levers(_not_yet_named(cause.levers, levers)[:LEVERS_NAMED])


def _first_of_each_stage(levers: list[Claim]) -> list[Claim]:
    stages: dict[str, Claim] = {}
    for claim in levers:
        if claim.head.lever:
            stages.setdefault(claim.head.lever.stage, claim)
    return list(stages.values())


def _from_tools(evidence: Evidence) -> list[Sentence]:
    """What the launch and the change of release say: they are suspects before any cause is weighed."""
    rows: list[Sentence] = []
    if evidence.launches and evidence.launches.found:
        rows += [heading("In your launch"), *launch_rows(evidence.launches)]
    if evidence.upgrade:
        rows += [heading("Between the two releases"), *changes(evidence.upgrade, "shifts", SHIFTS_SHOWN)]
    return rows


def _further(rest: list[CauseEvidence]) -> list[Sentence]:
    """Less likely causes: how to tell them, and what moves them, by name."""
    rows = [heading("Further causes, if the signs above are absent")] if rest else []
    for cause in rest:
        name = causes()[cause.cause]
        told = [
            *(first_sentence(claim) for claim in cause.explaining[:1]),
            *(claim.lead for claim in cause.showing[:1]),
        ]
        rows.append(
            Sentence(
                text=f"**{name[:1].upper()}{name[1:]}:** {' '.join(told)}",
                claims=tuple(claim.id for claim in (*cause.explaining[:1], *cause.showing[:1])),
                form="item",
            )
        )
        levers = _first_of_each_stage(list(cause.levers))[:LEVERS_OF_FURTHER]
        if levers:
            named = "; ".join(lever_name(claim) for claim in levers)
            rows.append(Sentence(text=f"**Levers:** {named}.", claims=tuple(c.id for c in levers), form="subitem"))
    return rows


def _unproven(rest: list[CauseEvidence]) -> list[Sentence]:
    """Causes that the symptom would allow and that nothing pasted speaks for."""
    if not rest:
        return []
    named = "; ".join(causes()[cause.cause] for cause in rest)
    signs = [(*cause.showing, *cause.explaining)[0].id for cause in rest]
    text = f"Nothing in what was pasted speaks for these, which clears none of them: {named}."
    return [Sentence(text=text, claims=tuple(signs))]


def _not_yet_named(levers: Iterable[Claim], shown: Iterable[Claim]) -> list[Claim]:
    """Levers that set something else than those shown and than each other: two topics may hold one flag."""
    by_name = {lever_name(claim): claim for claim in shown}
    return [claim for claim in levers if by_name.setdefault(lever_name(claim), claim) is claim and claim not in shown]


def _nothing_seen(evidence: Evidence) -> list[Sentence]:
    """Say that a paste was read and shows no known sign; silence would look like a clean bill."""
    scanned = next((step for step in evidence.steps if step.name == "log_signs.scanned"), None)
    if scanned is None or any(cause.seen for cause in evidence.causes):
        return []
    text = f"None of the known signs stands in the {scanned.value} lines pasted; that clears no cause."
    return [Sentence(text=text, steps=(scanned.name,))]


def _finding(cause: CauseEvidence) -> Finding:
    return Finding(
        cause=cause.cause,
        name=causes()[cause.cause],
        outcome="fired" if cause.seen else "candidate",
        evidence=tuple(seen.text for seen in cause.seen),
        claims=tuple(c.id for c in (*cause.explaining[:1], *cause.showing[:1])),
        levers=tuple(c.id for c in cause.levers),
    )

"""Why is something so: causes in the order to look, how to tell them apart, what moves each and what it costs."""

from collections.abc import Iterable
from typing import Final

from agent.answer import Finding, Sentence
from agent.evidence import CauseEvidence, Evidence
from agent.templates.draft import Draft
from agent.templates.launch import rows
from agent.templates.lines import (
    cause_heading,
    code,
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
"""Without evidence, the first so many causes show what eases them now and what fixes them; later ones show one lever.

Somebody with a paging alert reads the first screen; a cause becomes whole as soon as evidence speaks for it.
"""


def write(evidence: Evidence) -> Draft:
    """Write a diagnosis."""
    commands = look_commands(evidence)
    sentences: list[Sentence] = []
    if evidence.symptom:
        sentences.append(lead(evidence.symptom))
    sentences += _nothing_seen(evidence)
    if commands:
        sentences += [heading("Look first"), *(code(command) for command in commands)]
    proven = any(cause.seen for cause in evidence.causes)
    shown: set[ClaimId] = set()
    for rank, cause in enumerate(evidence.causes):
        whole = bool(cause.seen) or (not proven and rank < LIKELY)
        levers = (_first_of_each_stage if whole else _first_fix)([c for c in cause.levers if c.id not in shown])
        shown.update(claim.id for claim in levers)
        sentences += _cause(cause, levers)
    if evidence.launches and evidence.launches.found:
        sentences += [heading("In your launch"), *rows(evidence.launches)]
    if evidence.upgrade:
        shifts = changes(evidence.upgrade, "shifts")
        sentences += [heading("Between the two releases"), *shifts]
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


def _first_fix(levers: list[Claim]) -> list[Claim]:
    fixes = [claim for claim in levers if claim.head.lever and claim.head.lever.stage == "fix"]
    return (fixes or levers)[:1]


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

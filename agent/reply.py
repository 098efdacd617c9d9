"""Turn a draft into the answer: check it, say what stands, list what was not looked at."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from agent.answer import Answer, Citation, Sentence, cite
from agent.check import Ground, check
from agent.evidence import Evidence
from agent.render import render
from agent.templates.draft import Draft
from agent.templates.unknown import unknown
from knowledge.causes import causes
from knowledge.corpus.claim import CITATION, Claim, ClaimId


def reply(draft: Draft, evidence: Evidence, claims: Mapping[ClaimId, Claim], emit: Callable[[Any], None]) -> Answer:
    """Check a draft and make the answer of what stands.

    Args:
        draft: What the writer handed over.
        evidence: What it was written from.
        claims: The whole corpus.
        emit: Told each sentence that stands, in order.

    Returns:
        The answer, its `seconds` still to be set.
    """
    ground = Ground(claims, {step.name: step for step in evidence.steps}, evidence.release)
    kept, refused = check(draft.sentences, ground)
    nexts, refused_next = check(draft.next, ground)
    if not kept:
        fallback = unknown(evidence)
        kept, _ = check(fallback.sentences, ground)
        nexts, _ = check(fallback.next, ground)
    for sentence in kept:
        emit(sentence)
    shown = {sentence.text for sentence in kept if sentence.form == "code"}
    citations = tuple(_citations((*kept, *nexts), claims))
    return Answer(
        question=evidence.question,
        answer=render(kept, nexts, citations, _basis(evidence)),
        version=evidence.release,
        version_basis=evidence.basis,
        citations=citations,
        findings=draft.findings,
        commands=tuple(command for command in draft.commands if command.command in shown),
        unchecked=tuple(_unchecked(draft, evidence)),
        next=tuple(sentence.text for sentence in nexts),
        mode="template",
        seconds=0.0,
        steps=evidence.steps,
        dropped=tuple(str(d) for d in (*refused, *refused_next)),
    )


def _citations(sentences: Iterable[Sentence], claims: Mapping[ClaimId, Claim]) -> Iterable[Citation]:
    """Every claim that backs a sentence, and those that a claim's own words point to."""
    cited = dict.fromkeys(claim for s in sentences for claim in (*s.claims, *CITATION.findall(s.text)))
    return (cite(claims[claim_id]) for claim_id in cited if claim_id in claims)


def _basis(evidence: Evidence) -> str:
    return (
        f"*Speaks for vLLM {evidence.release} ({evidence.basis}). "
        "Written by rules and templates from checked claims, without a model.*"
    )


def _unchecked(draft: Draft, evidence: Evidence) -> Iterable[str]:
    yield from draft.unchecked
    if evidence.missing:
        names = ", ".join(causes()[cause] for cause in evidence.missing)
        yield f"no claim covers these for vLLM {evidence.release}: {names}"
    if not evidence.pasted and evidence.causes:
        yield "no log and no metrics of your server were read; every cause listed is a candidate"
    if "metrics" in evidence.pasted:
        yield "the pasted metrics were recognised but not judged; one scrape holds no rates"
    if "yaml" in evidence.pasted:
        yield "the pasted YAML was read for the version, model and flags only"

"""Every template on the shipped corpus: whatever the release, what is shown is backed."""

import re
from typing import get_args

import pytest

from agent.check import Ground, check
from agent.compose import TEMPLATES, compose
from agent.gather import STANDING, gather
from agent.intake.profile import Profile
from agent.parts import Parts
from agent.plan import QuestionKind, plan
from agent.templates.diagnosis import LIKELY
from agent.toolbox import TOOLS, Workbench
from knowledge.corpus.claim import Claim
from knowledge.corpus.read import read_corpus
from knowledge.search.index import Index
from knowledge.versions import in_range, releases, resolve

WORDS_AT_MOST = 1400
"""What a person reads under a paging alert, commands included."""

SYMPTOMS = [claim for claim in read_corpus() if claim.head.symptom]
SAMPLE = ("0.11.0", "0.14.1", "0.20.0", "0.24.0", "0.27.0", "0.30.0", releases()[-1])
QUESTIONS = (
    "why is ITL spiking",
    "TTFT is high but the queue is empty",
    "TTFT high and the queue keeps growing",
    "TPOT is high, TTFT is fine",
    "preemptions keep climbing",
    "only 40 requests run although I send 200",
    "throughput is low",
    "CUDA out of memory at start",
    "how do I increase throughput",
    "how do I lower TPOT",
    "what is the default max_num_batched_tokens",
    "what does --enable-expert-parallel cost",
    "where is --num-gpu-blocks-override for",
    "does --swap-space still exist",
    "is vllm:gpu_cache_usage_perc gone and what replaced VLLM_ATTENTION_BACKEND",
    "what changed between 0.22 and 0.33",
    "will this start: vllm serve deepseek-ai/DeepSeek-V3 -tp 8 --enable-expert-parallel --enable-dbo --swap-space 4",
    "is it safe to raise gpu-memory-utilization",
    "how do I see whether preemptions happen",
    "how do I measure goodput",
)


def evidence_for(index: Index, question: str, release: str):  # type: ignore[no-untyped-def]
    parts = Parts(index.claims.values(), release)
    made = plan(question, {}, parts)
    release = made.release or release
    bench = Workbench(
        pastes={},
        parts=parts,
        question=question,
        version=resolve(release),
        profile=Profile(),
        claims=index.claims,
    )
    return gather(
        question=question,
        topic=question,
        plan=made,
        version=resolve(release),
        profile=Profile(),
        pasted=(),
        results=[TOOLS[call.tool].run(call, bench) for call in made.calls],
        index=index,
    )


@pytest.mark.parametrize("release", SAMPLE)
@pytest.mark.parametrize("question", QUESTIONS)
def test_nothing_is_dropped_and_everything_is_backed(index: Index, question: str, release: str) -> None:
    evidence = evidence_for(index, question, release)
    draft = compose(evidence)
    ground = Ground(index.claims, {step.name: step for step in evidence.steps}, evidence.release)
    kept, refused = check((*draft.sentences, *draft.next), ground)
    assert [str(dropped) for dropped in refused] == []
    assert kept


@pytest.mark.parametrize("claim", SYMPTOMS, ids=lambda claim: claim.id)
def test_each_cause_of_a_symptom_is_explained_shown_and_moved(index: Index, claim: Claim) -> None:
    assert claim.head.symptom
    parts = Parts(index.claims.values(), releases()[-1])
    for cause in claim.head.symptom.causes:
        assert parts.explaining(cause), cause
        assert parts.showing(cause), cause
        assert parts.moving(cause), cause


def test_the_standing_claims_hold_for_the_newest_release(index: Index) -> None:
    for claim_id in STANDING.values():
        assert in_range(releases()[-1], index.claims[claim_id].head.applies)


def test_the_itl_answer_is_what_an_operator_would_sign(index: Index) -> None:
    draft = compose(evidence_for(index, "why is ITL spiking", releases()[-1]))
    causes = [sentence.text.lower() for sentence in draft.sentences if sentence.form == "cause"]
    assert len(causes) == LIKELY
    text = "\n".join(sentence.text for sentence in draft.sentences)
    assert text.count("**Costs:**") >= LIKELY
    assert len(draft.findings) >= 5
    assert text.count("**Levers:**") == len(draft.findings) - LIKELY
    assert len(text.split()) < WORDS_AT_MOST
    for word in ("preempt", "CUDA", "JIT", "garbage", "detokenis"):
        assert re.search(word, text, re.IGNORECASE), word


def test_a_lever_is_one_unit(index: Index) -> None:
    draft = compose(evidence_for(index, "how do I lower TPOT", releases()[-1]))
    for unit in {sentence.unit for sentence in draft.sentences if sentence.unit}:
        parts = "".join(sentence.text for sentence in draft.sentences if sentence.unit == unit)
        for label in ("**Costs:**", "**Verify:**", "**Undo:**"):
            assert label in parts
        head = index.claims[unit].head.lever
        assert head
        for warning in head.warnings:
            assert warning in parts


def test_every_kind_of_question_has_a_template() -> None:
    assert set(TEMPLATES) == set(get_args(QuestionKind))

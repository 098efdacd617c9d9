"""Not knowing is an answer: it says so, how near the corpus came, and what would help."""

import re
from typing import Final

from agent.answer import Sentence
from agent.evidence import Evidence
from agent.gather import NEAREST, TOLD
from agent.templates.draft import Draft
from knowledge.search.terms import words

_ASKS: Final = re.compile(
    r"\?|^\W*(?:why|how|what|which|when|where|who|is|are|do|does|did|can|could|should|would|will)\b", re.IGNORECASE
)


_TELLING: Final = frozenset(
    ("run", "running", "runs", "use", "using", "serve", "serving", "have", "has", "vllm", "version", "release", "gpus")
)
"""Words that carry a fact and ask nothing."""


def only_tells(evidence: Evidence) -> bool:
    """Whether a message tells of the deployment and says nothing else (`we run 0.31 on 8xH200`)."""
    told = next((step for step in evidence.steps if step.name == TOLD), None)
    if told is None or _ASKS.search(evidence.question):
        return False
    facts = str(told.value).lower()
    known = {*words(facts), *words(facts.replace(" ", "")), *_TELLING}
    return not set(words(evidence.question)) - known


def unknown(evidence: Evidence) -> Draft:
    """Say that nothing known answers the question, or, where nothing was asked, what was noted."""
    told = next((step for step in evidence.steps if step.name == TOLD), None)
    if told and not _ASKS.search(evidence.question):
        return Draft(sentences=(Sentence(text=f"Noted for this conversation: {told.value}.", steps=(TOLD,)),))
    near = next((step for step in evidence.steps if step.name == NEAREST), None)
    if near is None:
        return Draft(sentences=())
    text = (
        "Nothing in the corpus answers this; it holds claims about the speed, memory and start-up of vLLM servers, "
        f"and the nearest one has a similarity of {near.value} to your question."
    )
    ask = (
        "If it is about a vLLM server: name the symptom (TTFT, TPOT, ITL, throughput, preemptions, memory, start-up) "
        'and paste the log around it, for example `kubectl logs POD | ask "what is wrong"`.'
    )
    return Draft(sentences=(Sentence(text=text, steps=(NEAREST,)),), next=(Sentence(text=ask, steps=(NEAREST,)),))

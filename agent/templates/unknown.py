"""Not knowing is an answer: it says so, how near the corpus came, and what would help."""

from agent.answer import Sentence
from agent.evidence import Evidence
from agent.templates.draft import Draft

NEAREST = "search.nearest"


def unknown(evidence: Evidence) -> Draft:
    """Say that nothing known answers the question."""
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

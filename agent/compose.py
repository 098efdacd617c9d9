"""Choose the writer: a template now; a model's writers join here later and hand over the same `Draft`."""

from collections.abc import Callable
from typing import Final

from agent.evidence import Evidence
from agent.plan import QuestionKind
from agent.templates import diagnosis, explain, goal, launch, measure, name, safety, upgrade
from agent.templates.draft import Draft

TEMPLATES: Final[dict[QuestionKind, Callable[[Evidence], Draft]]] = {
    "diagnosis": diagnosis.write,
    "goal": goal.write,
    "explain": explain.write,
    "name": name.write,
    "upgrade": upgrade.write,
    "launch": launch.write,
    "measure": measure.write,
    "safety": safety.write,
}


def compose(evidence: Evidence) -> Draft:
    """Write the draft; a template that finds nothing to say leaves it empty."""
    return TEMPLATES[evidence.plan.kind](evidence)

"""The gate before a sentence is shown.

Its citations hold for the release, its numbers and names have a source, and every flag, variable and metric that it
names exists in the release. A sentence that fails is dropped with everything in its unit, and a heading that stands
over nothing goes too.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from agent.answer import Sentence
from agent.templates.lines import LABELS
from knowledge.corpus.claim import Claim, ClaimId
from knowledge.surface.existence import Exists
from knowledge.surface.mentions import mentioned
from knowledge.surface.surface import Surface
from knowledge.versions import in_range
from tools.contract import Step

_NUMBER = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)*(?:[kKMG](?!\w)|(?=[^\w]|$|[A-Za-zµ]+\b))")
HEADINGS = ("heading", "cause")
_DCGM = re.compile(r"\bDCGM_\w+")


@dataclass(frozen=True, slots=True)
class Dropped:
    """A sentence refused, and why."""

    sentence: Sentence
    reason: str

    def __str__(self) -> str:
        return f"{self.reason}: {self.sentence.text[:120]!r}"


@dataclass(frozen=True, slots=True)
class Ground:
    """What sentences may rest on.

    Attributes:
        claims: The whole corpus, withdrawn claims included, so that the reason can be told.
        steps: Traced values of the turn by name.
        release: The release that the answer speaks for.
    """

    claims: Mapping[ClaimId, Claim]
    steps: Mapping[str, Step]
    release: str


def check(sentences: Iterable[Sentence], ground: Ground) -> tuple[list[Sentence], list[Dropped]]:
    """Keep what is backed.

    Returns:
        The sentences that stand, in order, and those refused with the reason.
    """
    ordered = list(sentences)
    refused = [Dropped(s, reason) for s in ordered for reason in [_fault(s, ground)] if reason]
    lost_units = {d.sentence.unit: d.reason for d in refused if d.sentence.unit}
    faulty = {id(d.sentence) for d in refused}
    kept = []
    for sentence in ordered:
        if id(sentence) in faulty:
            continue
        if sentence.unit in lost_units:
            refused.append(Dropped(sentence, f"its unit lost a part ({lost_units[sentence.unit]})"))
            continue
        kept.append(sentence)
    return list(_no_empty_headings(kept)), refused


def numbers(text: str) -> set[str]:
    """Numbers of a text in one spelling, those inside names (`H100`, `p99`, `fp8`) left out."""
    return {match[0].replace(",", "") for match in _NUMBER.finditer(text)}


def _fault(sentence: Sentence, ground: Ground) -> str:
    return next((reason for rule in RULES for reason in rule(sentence, ground)), "")


def _is_backed(sentence: Sentence, _ground: Ground) -> Iterator[str]:
    fixed = sentence.form == "heading" and sentence.text in LABELS
    if not fixed and not sentence.claims and not sentence.steps:
        yield "no claim and no step backs it"


def _citations_hold(sentence: Sentence, ground: Ground) -> Iterator[str]:
    for claim_id in sentence.claims:
        claim = ground.claims.get(claim_id)
        if claim is None:
            yield f"claim {claim_id} does not exist"
        elif claim.head.withdrawn:
            yield f"claim {claim_id} was withdrawn on {claim.head.withdrawn}"
        elif not in_range(ground.release, claim.head.applies):
            yield f"claim {claim_id} holds for vLLM {claim.head.applies}, not {ground.release}"
    for name in sentence.steps:
        if name not in ground.steps:
            yield f"step {name} was not computed"


def _numbers_have_a_source(sentence: Sentence, ground: Ground) -> Iterator[str]:
    if sentence.form == "code":
        return  # a command's digits are ports and paths; its names are checked instead
    for number in sorted(numbers(sentence.text) - numbers(_backing(sentence, ground))):
        yield f"the number {number} is in no cited claim and no step"


def _names_have_a_source(sentence: Sentence, ground: Ground) -> Iterator[str]:
    for name in sorted(_names(sentence.text) - _names(_backing(sentence, ground))):
        yield f"the name {name} is in no cited claim and no step"


def _names_exist(sentence: Sentence, ground: Ground) -> Iterator[str]:
    """A flag, variable or metric that the release lacks is refused, unless a cited claim says that it lacks it."""
    surface = Surface.load()
    heads = [ground.claims[c].head for c in sentence.claims if c in ground.claims]
    excused = {name for head in heads for name in (*head.absent, *head.foreign)}
    excused.update(mentioned(_step_values(sentence, ground)))  # a line of somebody's log is quoted, not advised
    for name in mentioned(sentence.text):
        if name not in excused and not isinstance(surface.exists(name, ground.release), Exists):
            yield f"vLLM {ground.release} has no {name}"


def _names(text: str) -> set[str]:
    return {*mentioned(text), *_DCGM.findall(text)}


def _backing(sentence: Sentence, ground: Ground) -> str:
    cited = [ground.claims[c] for c in sentence.claims if c in ground.claims]
    texts = [f"{claim.text()} {claim.head.applies}" for claim in cited]
    return "\n".join((*texts, _step_values(sentence, ground)))


def _step_values(sentence: Sentence, ground: Ground) -> str:
    return "\n".join(str(ground.steps[name].value) for name in sentence.steps if name in ground.steps)


def _no_empty_headings(sentences: list[Sentence]) -> Iterator[Sentence]:
    for at, sentence in enumerate(sentences):
        last = at + 1 == len(sentences)
        if sentence.form in HEADINGS and (last or sentences[at + 1].form in HEADINGS):
            continue
        yield sentence


RULES: tuple[Callable[[Sentence, Ground], Iterator[str]], ...] = (
    _is_backed,
    _citations_hold,
    _numbers_have_a_source,
    _names_have_a_source,
    _names_exist,
)

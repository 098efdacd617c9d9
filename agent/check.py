"""The gate before a sentence is shown: its citations exist and hold for the release, its numbers have a source.

A sentence that fails is dropped with everything in its unit, and a heading that stands over nothing goes too.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from agent.answer import Sentence
from agent.templates.lines import LABELS
from knowledge.corpus.claim import Claim, ClaimId
from knowledge.versions import in_range
from tools.contract import Step

_NUMBER = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)*(?:[kKMG](?!\w)|(?=%|×|x\b|[^\w]|$|[a-z]{1,3}\b))")
HEADINGS = ("heading", "cause")
_FAMILY = re.compile(r"\b(?:vllm|DCGM)[:_][A-Za-z0-9_:]+")


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
    backing = _backing(sentence, ground)
    for name in sorted(set(_FAMILY.findall(sentence.text))):
        if name not in backing:
            yield f"the metric {name} is in no cited claim"


def _backing(sentence: Sentence, ground: Ground) -> str:
    cited = [ground.claims[c] for c in sentence.claims if c in ground.claims]
    texts = [f"{claim.text()} {claim.head.applies}" for claim in cited]
    texts += [str(ground.steps[name].value) for name in sentence.steps if name in ground.steps]
    return "\n".join(texts)


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
)

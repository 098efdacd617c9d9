"""What a release would stumble over in the launch that was pasted."""

from collections.abc import Iterator
from typing import Final

from agent.answer import Sentence
from agent.evidence import Evidence
from agent.templates.draft import Draft
from agent.templates.lines import heading, lead
from tools.flags.launch_checks import LaunchChecks, Placed

MARK: Final = {"error": "Stops the start", "warning": "Hurts", "note": "Worth knowing"}
FOUND_SHOWN: Final = 12


def write(evidence: Evidence) -> Draft:
    """Write the verdict, the findings, and the claims that say why."""
    checks = evidence.launches
    if checks is None:
        return Draft(sentences=())
    if checks.unread:
        return Draft(sentences=(), unchecked=(f"the launch could not be read: {checks.unread}",))
    return Draft(sentences=(*_verdict(checks), *rows(checks), *_why(evidence, checks)))


def rows(checks: LaunchChecks) -> Iterator[Sentence]:
    """The findings as list entries, the worst first."""
    return (_row(one) for one in checks.found[:FOUND_SHOWN])


def _verdict(checks: LaunchChecks) -> Iterator[Sentence]:
    errors = sum(one.finding.severity == "error" for one in checks.found)
    text = (
        f"Findings that stop this launch: {errors}."
        if errors
        else "Nothing in this launch is known to stop the start; what its words do not show was not checked."
    )
    yield Sentence(text=text, steps=("flags_check.errors",))


def _row(one: Placed) -> Sentence:
    finding = one.finding
    text = f"**{MARK[finding.severity]}:** {finding.message}"
    return Sentence(text=text, steps=(one.step,), claims=finding.claims, form="item")


def _why(evidence: Evidence, checks: LaunchChecks) -> Iterator[Sentence]:
    cited = dict.fromkeys(claim for one in checks.found for claim in one.finding.claims)
    claims = [evidence.cited[claim] for claim in cited if claim in evidence.cited]
    if claims:
        yield heading("Why")
        yield from (lead(claim, form="item") for claim in claims)

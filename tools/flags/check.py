"""Check a launch against a vLLM release: every rule, each finding with its place."""

from collections.abc import Iterable

import msgspec

from knowledge.catalog.found import FoundModel
from knowledge.catalog.gpu import Gpu
from knowledge.catalog.model_names import find_model
from knowledge.versions import KnownVersion
from tools.contract import Step, Traced
from tools.flags.finding import SEVERITIES, Finding, Severity
from tools.flags.launch import Launch
from tools.flags.parse.walk import parse
from tools.flags.rule import run
from tools.flags.rules import RULES
from tools.flags.subject import Subject


class Checked(Traced, frozen=True):
    """What was found in one launch.

    Attributes:
        version: The release it was checked against.
        basis: How we came to it.
        findings: The worst first, then in order of the input.
    """

    version: str = ""
    basis: str = ""
    findings: tuple[Finding, ...] = ()

    def at_least(self, severity: Severity) -> tuple[Finding, ...]:
        """The findings that are this bad or worse."""
        allowed = SEVERITIES[: SEVERITIES.index(severity) + 1]
        return tuple(finding for finding in self.findings if finding.severity in allowed)


def check(
    launch: Launch,
    version: KnownVersion,
    *,
    model: FoundModel | None = None,
    gpu: Gpu | None = None,
    fork: str = "",
) -> Checked:
    """Run every rule over a launch.

    Args:
        launch: What was written down.
        version: The release to check against.
        model: The model; None looks up the one that the launch names.
        gpu: The GPU, when known.
        fork: What a build that is not vLLM's own calls itself.
    """
    parsed = parse(launch, version.release)
    subject = Subject(launch, parsed, version, model or _named(parsed.model), gpu, fork)
    found = [finding for rule in RULES for finding in run(rule, subject)]
    placed = sorted(_unique(found), key=lambda f: (SEVERITIES.index(f.severity), f.line, f.code))
    findings = tuple(msgspec.structs.replace(finding, service=launch.service) for finding in placed)
    counts = tuple(
        Step(
            name=f"{severity}s found",
            formula=f"findings of severity {severity} in vLLM {version.release}",
            value=sum(finding.severity == severity for finding in findings),
            unit="count",
        )
        for severity in SEVERITIES
    )
    return Checked(version=version.release, basis=version.basis, findings=findings, steps=counts)


def _unique(findings: Iterable[Finding]) -> Iterable[Finding]:
    return dict.fromkeys(findings)


def _named(name: str | None) -> FoundModel | None:
    found = find_model(name) if name else None
    return found if isinstance(found, FoundModel) else None

"""`ask flags check`: what a vLLM release would stumble over in a launch, before it is launched."""

from typing import Any

from tools.flags.check import Checked, check
from tools.flags.finding import SEVERITIES, Finding, Severity
from tools.flags.launch import Launch
from tools.flags.target import target
from ui.commands.launches import launches
from ui.commands.named import gpu_named, model_named
from ui.terminal import printable, write, write_json


def check_launch(
    given: tuple[str, ...],
    *,
    version: str | None,
    image: str,
    model: str,
    gpu: str,
    fail_on: Severity,
    form: str,
) -> int:
    """Check what was given and print it.

    Args:
        given: A file, `-` for standard input, or the words of a command.
        version: The vLLM version as typed; None when not told.
        image: The image as typed; "" when not told.
        model: The model's name or config.json; "" takes the one in the command.
        gpu: The GPU's name; "" when not told.
        fail_on: The severity from which on the exit status is 1.
        form: `text`, `json` or `sarif`.

    Returns:
        The exit status: 0 clean, 1 findings at or above `fail_on`.

    Raises:
        UserError: The input cannot be read, or names no launch, version, model or GPU.
    """
    name, found = launches(given)
    checked = [_checked(launch, version, image, model, gpu) for launch in found]
    match form:
        case "json":
            write_json(_as_object(checked))
        case "sarif":
            from ui.commands.sarif import sarif

            write_json(sarif(name, [finding for one in checked for finding in one.findings]))
        case _:
            write("\n\n".join(_as_text(one, launch) for one, launch in zip(checked, found, strict=True)) + "\n")
    return int(any(one.at_least(fail_on) for one in checked))


def _checked(launch: Launch, version: str | None, image: str, model: str, gpu: str) -> Checked:
    known, fork = target(launch, version, image)
    return check(
        launch,
        known,
        model=model_named(model) if model else None,
        gpu=gpu_named(gpu).gpu if gpu else None,
        fork=fork,
    )


def _as_text(one: Checked, launch: Launch) -> str:
    counted = [(severity, sum(finding.severity == severity for finding in one.findings)) for severity in SEVERITIES]
    counts = ", ".join(f"{count} {severity}{'s' if count > 1 else ''}" for severity, count in counted if count)
    place = f"{launch.service}: " if launch.service else ""
    head = f"{place}vLLM {one.version} ({one.basis}): {counts or 'nothing found'}"
    return "\n".join([head, *(_row(finding) for finding in one.findings)])


def _row(finding: Finding) -> str:
    line = f" line {finding.line}" if finding.line else ""
    alive = f" [{finding.alive[0]} to {finding.alive[1]}]" if finding.alive else ""
    claims = f" ask corpus show {' '.join(finding.claims)}" if finding.claims else ""
    return f"  {finding.severity}{line}: {printable(finding.message)}{alive} ({finding.code}){claims}"


def _as_object(checked: list[Checked]) -> dict[str, Any]:
    first = checked[0]
    return {
        "version": first.version,
        "basis": first.basis,
        "findings": [_finding_object(finding, one) for one in checked for finding in one.findings],
    }


def _finding_object(finding: Finding, one: Checked) -> dict[str, Any]:
    return {
        "code": finding.code,
        "severity": finding.severity,
        "subject": finding.subject,
        "message": finding.message,
        "alive": list(finding.alive) if finding.alive else None,
        "replacement": finding.replacement or None,
        "claims": list(finding.claims),
        "line": finding.line,
        "service": finding.service,
        "version": one.version,
    }

"""Findings as SARIF 2.1.0, the format in which CI systems and editors show them.

Source: https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/sarif-v2.1.0-os.html (sections 3.13 to 3.34).
"""

from collections.abc import Iterable
from typing import Any, Final
from urllib.parse import quote

from tools.flags.finding import Finding
from tools.flags.rules import RULES

SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"
STDIN: Final = "stdin"


def sarif(name: str, findings: Iterable[Finding]) -> dict[str, Any]:
    """One run over one input.

    Args:
        name: The file that was read; "" when there was none.
        findings: What was found in it.
    """
    rules = [
        {
            "id": code,
            "name": code,
            "shortDescription": {"text": _first_line(rule.check.__module__)},
            "fullDescription": {"text": _documentation(rule.check.__module__)},
        }
        for rule in RULES
        for code in rule.codes
    ]
    driver = {"name": "ask flags check", "rules": rules}
    results = [_result(name, finding) for finding in findings]
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results}]}


def _result(name: str, finding: Finding) -> dict[str, Any]:
    place = {"artifactLocation": {"uri": quote(name) or STDIN}, "region": {"startLine": max(1, finding.line)}}
    return {
        "ruleId": finding.code,
        "level": finding.severity,
        "message": {"text": finding.message},
        "locations": [{"physicalLocation": place}],
    }


def _documentation(module: str) -> str:
    import sys

    return (sys.modules[module].__doc__ or "").strip()


def _first_line(module: str) -> str:
    return _documentation(module).partition("\n")[0]

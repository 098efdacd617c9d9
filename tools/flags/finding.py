"""What a rule found in a launch."""

from typing import Literal

from knowledge.corpus.claim import ClaimId, Closed

Severity = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")
"""`error`: it does not start, or does not do what is written. `warning`: it starts, and is known to hurt or to do
nothing. `note`: worth knowing; a launch with notes alone is clean."""


class Finding(Closed, frozen=True):
    """One finding.

    Attributes:
        code: The rule that found it.
        severity: How bad it is.
        subject: The flag, key, variable or word that it is about.
        message: What is wrong and what to do, in one or two sentences.
        alive: First and last release that has the subject; None when that is not the point.
        replacement: What to write instead; "" when there is nothing.
        claims: Claims that say why.
        line: Where the subject stands in the input; 0 when it does not stand there.
        service: The service or container, when the input names several.
    """

    code: str
    severity: Severity
    subject: str
    message: str
    alive: tuple[str, str] | None = None
    replacement: str = ""
    claims: tuple[ClaimId, ...] = ()
    line: int = 0
    service: str = ""

"""A shortened flag that may mean several.

## What it looks for
A beginning of a flag's name that more than one flag of the release shares.

## Why it matters
The parser takes a unique beginning for the flag, and refuses one that is not; a beginning that is unique today may
not be after an upgrade.

## Not this rule
A beginning of no flag is `name-unknown`.

## What to do
Write the flag in full.
"""

from collections.abc import Iterator

from tools.flags.finding import Finding
from tools.flags.rule import Rule
from tools.flags.subject import Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Yield every ambiguous beginning, and a note for every shortened flag."""
    for fault in subject.parsed.faults:
        if fault.code == "flag-ambiguous":
            message = f"{fault.subject} is refused: {fault.detail}; write it in full."
            yield Finding(
                code="flag-ambiguous", severity=subject.refusal, subject=fault.subject, message=message, line=fault.line
            )
    for use in subject.parsed.given:
        typed = use.typed.partition(".")[0].replace("_", "-")
        if typed.startswith("--") and typed not in use.facts.all_spellings:
            message = f"{typed} is read as {use.name}, as long as no other flag begins so; write it in full."
            yield Finding(
                code="flag-shortened",
                severity="note",
                subject=use.typed,
                message=message,
                replacement=use.name,
                line=use.line,
            )


RULE = Rule(name="flag-ambiguous", codes=("flag-ambiguous", "flag-shortened"), check=check)

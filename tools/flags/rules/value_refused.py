"""A value that the release's parser refuses.

## What it looks for
A flag without the value it needs, or with one it does not take (`--enable-dbo=true`); a value of the wrong type,
outside the choices, or JSON that does not parse.

## Why it matters
The parser ends there and the server does not start.

## Not this rule
A flag whose value is right for the parser and wrong for the model or the hardware has a rule of its own.

## What to do
Write one of the values that the message names.
"""

from collections.abc import Iterator
from typing import Final

from tools.flags.finding import Finding
from tools.flags.rule import Rule
from tools.flags.subject import Subject

CODES: Final = ("value-missing", "value-not-taken", "value-refused")


def check(subject: Subject) -> Iterator[Finding]:
    """Yield every refused value."""
    for fault in subject.parsed.faults:
        if fault.code in CODES:
            message = f"vLLM {subject.version.release} refuses {fault.subject}: {fault.detail}."
            yield Finding(
                code=fault.code, severity=subject.refusal, subject=fault.subject, message=message, line=fault.line
            )
    for use in subject.parsed.given:
        members = use.facts.members
        if members and isinstance(use.value, str) and not _is_member(use.value, members):
            message = (
                f"vLLM {subject.version.release} has no {use.value!r} for {use.name}; it has {', '.join(members)}."
            )
            yield Finding(
                code="value-refused", severity=subject.refusal, subject=use.typed, message=message, line=use.line
            )


def _is_member(value: str, members: tuple[str, ...]) -> bool:
    """Enum members are found by name in any case; levels by number too; `auto` leaves the choice to vLLM."""
    asked = value.upper()
    return asked in {"AUTO", "NONE"} or asked in {m.upper() for m in members} or f"O{asked}" in members


RULE = Rule(name="value-refused", codes=CODES, check=check)

"""A switch in the environment that is set to a word.

## What it looks for
A variable of vLLM's own whose default is true or false, set to `true`, `false`, `yes`, `no`, `on`, `off` or nothing.

## Why it matters
Most switches are read with `int()`, so that `true` ends the start with "invalid literal for int()", possibly late.

## Not this rule
Variables with text values.

## What to do
Write 1 or 0.
"""

from collections.abc import Iterator
from typing import Final

from tools.flags.finding import Finding
from tools.flags.misfits import OWN_PREFIX
from tools.flags.rule import Rule
from tools.flags.subject import Subject

WORDS: Final = {"true": "1", "yes": "1", "on": "1", "false": "0", "no": "0", "off": "0", "": "0"}
CLAIMS = ("config.variable-values",)


def check(subject: Subject) -> Iterator[Finding]:
    """Yield every switch set to a word."""
    known = subject.release.env
    for setting in subject.env:
        facts = known.get(setting.name)
        number = WORDS.get((setting.value or "").lower()) if setting.value is not None else None
        if number is None or facts is None or not isinstance(facts.default, bool) or facts.choices:
            continue
        if not setting.name.startswith(OWN_PREFIX):
            continue
        message = f"{setting.name}={setting.value} may end the start: most switches are numbers. Write {number}."
        yield Finding(
            code="env-not-a-number",
            severity="warning",
            subject=setting.name,
            message=message,
            replacement=f"{setting.name}={number}",
            claims=CLAIMS,
            line=setting.line,
        )


RULE = Rule(name="env-not-a-number", codes=("env-not-a-number",), check=check, applies=">=0.11", claims=CLAIMS)

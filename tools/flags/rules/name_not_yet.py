"""A flag, JSON key or variable that only later releases have.

## What it looks for
Names that the release lacks and that a later release has.

## Why it matters
Advice and recipes are written for the newest release. An older server refuses the flag, and passes over the variable.

## Not this rule
A name that earlier releases had too is `name-removed`.

## What to do
Upgrade, or leave it out and look how the older release did it.
"""

from collections.abc import Iterator

from knowledge.surface.existence import NotYet
from tools.flags.finding import Finding
from tools.flags.misfits import misfits
from tools.flags.rule import Rule
from tools.flags.subject import Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Yield every name that is too new."""
    for misfit in misfits(subject):
        if isinstance(misfit.standing, NotYet):
            effect = "does not start with it" if misfit.severity == "error" else "ignores it"
            came, release = misfit.standing.first, subject.version.release
            yield misfit.finding("not-yet", f"{misfit.called} came with vLLM {came}; {release} {effect}.")


RULE = Rule(name="name-not-yet", codes=("flag-not-yet", "key-not-yet", "env-not-yet"), check=check)

"""A flag, JSON key or variable that no release of vLLM has.

## What it looks for
Names that no release known here has, with the name that was probably meant.

## Why it matters
Mostly it is a slip of the hand. A flag or key stops the start; a variable does silently nothing.

## Not this rule
Names of plug-ins and forks are `name-foreign`.

## What to do
Write the name that was meant, or take it out.
"""

from collections.abc import Iterator
from typing import Final

from knowledge.surface.existence import Unknown
from tools.flags.finding import Finding
from tools.flags.foreign import owner
from tools.flags.misfits import misfits
from tools.flags.near import nearest
from tools.flags.rule import Rule
from tools.flags.subject import Subject

NEAR_AT_MOST: Final = 50
"""Looking for the nearest of hundreds of names takes a millisecond; a text with more slips than this is no launch."""


def check(subject: Subject) -> Iterator[Finding]:
    """Yield every name that nobody has."""
    for at, misfit in enumerate(misfits(subject)):
        if isinstance(misfit.standing, Unknown) and not owner(misfit.typed, subject.fork):
            typed = misfit.typed.rpartition(".")[2] if misfit.kind == "key" else misfit.typed.partition(".")[0]
            near = nearest(typed, misfit.rivals) if at < NEAR_AT_MOST else ""
            effect = (
                "It has no effect" if misfit.kind == "env" or misfit.severity == "warning" else "The start ends there"
            )
            hint = f"; {near} is near" if near else ""
            yield misfit.finding("unknown", f"no vLLM release has {misfit.typed}{hint}. {effect}.", replacement=near)


RULE = Rule(name="name-unknown", codes=("flag-unknown", "key-unknown", "env-unknown"), check=check)

"""A name that belongs to a plug-in or a fork, not to vLLM.

## What it looks for
Names that no release of vLLM has, and that begin like those of a known plug-in, or stand in a launch whose version or
image says that it is not vLLM's own build.

## Why it matters
Nothing can be said about them here, and nothing should be guessed: the plug-in's own documentation counts.

## Not this rule
A name of no release in a launch of vLLM's own build is `name-unknown`.

## What to do
Look into the plug-in's documentation for the version that is installed.
"""

from collections.abc import Iterator

from knowledge.surface.existence import Unknown
from tools.flags.finding import Finding
from tools.flags.foreign import owner
from tools.flags.misfits import misfits
from tools.flags.rule import Rule
from tools.flags.subject import Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Yield every name of others."""
    for misfit in misfits(subject):
        if isinstance(misfit.standing, Unknown) and (whose := owner(misfit.typed, subject.fork)):
            message = f"{misfit.typed} is not vLLM's own but of {whose}; what it does there is not known here."
            yield misfit.finding("foreign", message, severity="note")


RULE = Rule(name="name-foreign", codes=("flag-foreign", "key-foreign", "env-foreign"), check=check)

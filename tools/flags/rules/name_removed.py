"""A flag, JSON key or variable that earlier releases had and this one has not.

## What it looks for
Names that the release lacks and that an earlier release has.

## Why it matters
A flag or key that is gone stops the start ("unrecognized arguments"). A variable that is gone changes nothing: the
server starts, warns at most, and runs without what was asked for.

## Not this rule
A name that no release has is `name-unknown`; one that only later releases have is `name-not-yet`.

## What to do
Write what took its place, when something did; else take it out.
"""

from collections.abc import Iterator

from knowledge.surface.existence import Gone
from tools.flags.finding import Finding
from tools.flags.misfits import Misfit, misfits
from tools.flags.rule import Rule
from tools.flags.subject import Subject
from tools.flags.successor import successor


def check(subject: Subject) -> Iterator[Finding]:
    """Yield every name that is gone."""
    for misfit in misfits(subject):
        if isinstance(misfit.standing, Gone):
            yield _finding(subject, misfit, misfit.standing)


def _finding(subject: Subject, misfit: Misfit, gone: Gone) -> Finding:
    new = successor(misfit.name, subject.version.release)
    note = new.note or (f"vLLM {gone.back} accepts it again." if gone.back else "")
    advice = f"write {new.typed}" if new.typed else "take it out"
    effect = "is ignored by" if misfit.severity == "warning" else "stops the start of"
    message = f"{misfit.called} went after vLLM {gone.last} and {effect} {subject.version.release}: {advice}. {note}"
    return misfit.finding("renamed" if new.typed else "removed", message.strip(), replacement=new.typed)


RULE = Rule(
    name="name-removed",
    codes=("flag-removed", "flag-renamed", "key-removed", "key-renamed", "env-removed", "env-renamed"),
    check=check,
)

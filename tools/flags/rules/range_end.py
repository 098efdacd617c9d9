"""A flag that the oldest release of the range takes and the newest one refuses.

## What it looks for
When a range of versions was asked for: flags of the launch that the oldest release has and the newest one has not.

## Why it matters
A recipe "for 0.10 or newer" is mostly run with the newest.

## Not this rule
A flag that the oldest release lacks is judged by its name.

## What to do
Name the release that runs, or write what took the flag's place.
"""

from collections.abc import Iterator

from knowledge.surface.existence import Gone
from knowledge.surface.surface import Surface
from tools.flags.finding import Finding
from tools.flags.rule import Rule
from tools.flags.subject import Subject
from tools.flags.successor import successor


def check(subject: Subject) -> Iterator[Finding]:
    """Yield every flag that goes within the range."""
    until = subject.version.until
    if not until or until == subject.version.release:
        return
    surface = Surface.load()
    command = f"{subject.launch.command} {subject.launch.subcommand}".strip()
    for use in {use.name: use for use in subject.parsed.given}.values():
        standing = surface.exists(use.name, until, command)
        if isinstance(standing, Gone):
            instead = successor(use.name, until).typed
            advice = f"; write {instead} there" if instead else ""
            yield Finding(
                code="flag-gone-later",
                severity="note",
                subject=use.typed,
                message=f"{use.name} went after vLLM {standing.last}, within the range given{advice}.",
                replacement=instead,
                line=use.line,
            )


RULE = Rule(name="range-end", codes=("flag-gone-later",), check=check)

"""A flag, JSON key or variable that the release still takes and announces to drop.

## What it looks for
Names that the release's own source marks as deprecated.

## Why it matters
It works today; the next upgrade may refuse to start with it. The announced release is not reliable: some names were
accepted after it.

## Not this rule
A name that is gone already is `name-removed`.

## What to do
Move to what the announcement names, at leisure.
"""

from collections.abc import Iterator

from knowledge.surface.kinds import Deprecation
from tools.flags.finding import Finding
from tools.flags.rule import Rule
from tools.flags.subject import Subject
from tools.flags.successor import successor


def check(subject: Subject) -> Iterator[Finding]:
    """Yield every name that is on its way out."""
    for use in subject.parsed.given:
        if use.facts.deprecated:
            yield _finding("flag", use.name, use.typed, use.facts.deprecated, use.line, subject)
        for key in _keys(use.keys, use.value):
            facts = subject.release.config_keys.get(f"{use.facts.config}.{key}")
            if facts and facts.deprecated:
                name = f"{use.facts.config}.{key}"
                yield _finding("key", name, f"{use.name}.{key}", facts.deprecated, use.line, subject)
    for setting in subject.env:
        known = subject.release.env.get(setting.name)
        if known and known.deprecated:
            yield _finding("env", setting.name, setting.name, known.deprecated, setting.line, subject)


def _keys(keys: tuple[str, ...], value: object) -> tuple[str, ...]:
    if keys:
        return keys[:1]
    return tuple(value) if isinstance(value, dict) else ()


def _finding(kind: str, name: str, typed: str, told: Deprecation, line: int, subject: Subject) -> Finding:
    curated = successor(name, subject.version.release).typed
    instead = curated or " or ".join(mention for mention in told.mentions if mention != name)
    end = f", removal announced for {told.removal}" if told.removal else ""
    advice = f" Write {instead}." if instead else ""
    called = typed if kind == "key" else name
    return Finding(
        code=f"{kind}-deprecated",
        severity="note",
        subject=typed,
        message=f"{called} is deprecated in vLLM {subject.version.release}{end}; it still works.{advice}",
        replacement=instead,
        line=line,
    )


RULE = Rule(name="name-deprecated", codes=("flag-deprecated", "key-deprecated", "env-deprecated"), check=check)

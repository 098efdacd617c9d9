"""A value in a JSON flag that is none of the key's choices.

## What it looks for
Keys of JSON flags (`--compilation-config`, `--speculative-config`, …) whose value is text outside the choices that the
release's config class allows.

## Why it matters
The command line parses, and the start ends a moment later when the config object is built.

## Not this rule
A key that the class does not have is `name-unknown`, `name-removed` or `name-not-yet`.

## What to do
Write one of the values that the message names.
"""

from collections.abc import Iterator
from typing import Any

from knowledge.surface.kinds import KeyFacts
from tools.flags.finding import Finding
from tools.flags.parse.values import listed
from tools.flags.rule import Rule
from tools.flags.subject import Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Yield every value outside its key's choices."""
    known = subject.release.config_keys
    for use in subject.parsed.given:
        if use.facts.config and use.known:
            value: Any = use.value
            for key in reversed(use.keys):
                value = {key: value}
            for path, wrong, allowed in _refused(known, use.facts.config, use.name, value):
                message = f"vLLM {subject.version.release} has no {wrong!r} for {path}; it has {listed(allowed)}."
                yield Finding(
                    code="key-value-refused", severity=subject.refusal, subject=path, message=message, line=use.line
                )


def _refused(known: dict[str, KeyFacts], owner: str, path: str, value: Any) -> Iterator[tuple[str, str, list[str]]]:
    if not isinstance(value, dict):
        return
    for key, inner in value.items():
        facts = known.get(f"{owner}.{key}")
        if facts is None:
            continue
        if facts.config:
            yield from _refused(known, facts.config, f"{path}.{key}", inner)
        allowed = [str(choice) for choice in facts.choices or facts.members]
        if allowed and isinstance(inner, str) and inner.upper() not in {name.upper() for name in allowed}:
            yield f"{path}.{key}", inner, allowed


RULE = Rule(name="key-value-refused", codes=("key-value-refused",), check=check)

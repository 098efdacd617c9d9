"""A word that no flag takes.

## What it looks for
Words beside the model and the values of flags: a second positional word, or any for a benchmark.

## Why it matters
The parser ends with "unrecognized arguments". Mostly a value was split by the shell, a switch was given a value
(`--enable-dbo true`), or a list flag swallowed the model that was meant to follow it.

## Not this rule
A word with dashes in front is judged by its name.

## What to do
Quote what belongs together; write switches without a value; put the model first.
"""

from collections.abc import Iterator

from tools.flags.finding import Finding
from tools.flags.rule import Rule
from tools.flags.subject import Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Yield every word that is left over."""
    for fault in subject.parsed.faults:
        if fault.code == "word-not-taken":
            word, line = fault.subject, fault.line
            message = f"{word!r} belongs to no flag; the parser refuses it. {_hint(subject, word, line)}".strip()
            yield Finding(code="word-not-taken", severity=subject.refusal, subject=word, message=message, line=line)


def _hint(subject: Subject, word: str, line: int) -> str:
    switches = [use.typed for use in subject.parsed.given if use.facts.nargs == 0 and use.line <= line]
    if word.lower() in ("true", "false") and switches:
        return "A switch takes no value; use its --no- form to switch it off."
    if word.startswith("-") and not word.isascii():
        return "Its dash is a typographic one."
    return ""


RULE = Rule(name="word-not-taken", codes=("word-not-taken",), check=check)

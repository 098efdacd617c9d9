"""A JSON flag of which only the last part takes effect.

## What it looks for
A JSON flag given as JSON and key by key, or key by key in two spellings (`-cc.mode` and `--compilation-config.mode`).

## Why it matters
The keys are collected into one object that comes last and replaces the others, without a word.

## Not this rule
Keys of one spelling are merged. The same flag twice as JSON is `flag-repeated`.

## What to do
Write all of it in one form.
"""

from collections.abc import Iterator

from tools.flags.finding import Finding
from tools.flags.rule import Rule
from tools.flags.subject import Subject

CLAIMS = ("config.json-and-dotted",)


def check(subject: Subject) -> Iterator[Finding]:
    """Yield every flag that loses keys."""
    for name in dict.fromkeys(use.name for use in subject.parsed.given if use.keys):
        *earlier, last = subject.parsed.objects(name)
        lost = sorted({key for one in earlier for key in one} - set(last))
        use = subject.parsed.last(name)
        if lost and use:
            message = f"the keys given one by one replace the rest of {name}: {', '.join(lost)} is lost. Use one form."
            yield Finding(
                code="json-replaced", severity="warning", subject=name, message=message, claims=CLAIMS, line=use.line
            )


RULE = Rule(name="json-replaced", codes=("json-replaced",), check=check, applies=">=0.12", claims=CLAIMS)

"""A flag that is given twice with different values.

## What it looks for
The same flag twice, or a switch and its opposite (`--enable-prefix-caching … --no-enable-prefix-caching`).

## Why it matters
The last one wins without a word, so the launch does not do what half of it says.

## Not this rule
Keys of a JSON flag given one by one are merged.

## What to do
Keep one of them.
"""

from collections.abc import Iterator

from tools.flags.finding import Finding
from tools.flags.rule import Rule
from tools.flags.subject import Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Yield every flag whose uses differ."""
    for name in dict.fromkeys(use.name for use in subject.parsed.given if not use.keys):
        uses = [use for use in subject.parsed.uses(name) if not use.keys]
        if len(uses) > 1:
            last = uses[-1]
            differ = any(use.value != last.value or use.words != last.words for use in uses)
            shown = " ".join([last.typed, *last.words])
            message = f"{name} is given {len(uses)} times; the last one, {shown}, wins."
            yield Finding(
                code="flag-repeated",
                severity="warning" if differ else "note",
                subject=name,
                message=message,
                line=last.line,
            )


RULE = Rule(name="flag-repeated", codes=("flag-repeated",), check=check)

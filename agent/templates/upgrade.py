"""What an upgrade breaks, changes without a word, and adds."""

from collections.abc import Iterator
from typing import Final

from agent.answer import Command, Sentence
from agent.evidence import Evidence
from agent.templates.draft import Draft
from agent.templates.lines import heading
from tools.flags.changes import Change, Effect
from tools.flags.upgrade import Upgraded

HEADINGS: Final[dict[Effect, str]] = {
    "breaks": "What breaks",
    "shifts": "What changes without a word",
    "adds": "Worth trying after it",
}
SHOWN: Final[dict[Effect, int]] = {"breaks": 10, "shifts": 10, "adds": 4}


def write(evidence: Evidence) -> Draft:
    """Write the changes, those that break first."""
    result = evidence.upgrade
    if result is None:
        return Draft(sentences=())
    sentences = [_summary(result)]
    for effect, label in HEADINGS.items():
        sentences += [heading(label), *changes(result, effect, SHOWN[effect])]
    command = Command(
        command=result.command,
        purpose="only what touches your own launch",
        reads_only=True,
    )
    sentences += [
        heading("For your own launch"),
        Sentence(text=command.command, steps=("upgrade.command",), form="code"),
    ]
    return Draft(sentences=tuple(sentences), commands=(command,))


def changes(result: Upgraded, effect: Effect, at_most: int) -> Iterator[Sentence]:
    """The changes of one effect: behaviour that claims tell of before defaults and variables."""
    listed = sorted(result.of(effect), key=_is_bare)[:at_most]
    for change in listed:
        yield Sentence(
            text=f"**{change.release}:** {change.message}",
            steps=(change.step,),
            claims=change.claims,
            form="item",
        )
    count = len(result.of(effect))
    if count > len(listed):
        yield Sentence(text=f"`ask flags diff` lists all {count}.", steps=(f"upgrade.{effect}",), form="item")


def _is_bare(change: Change) -> tuple[int, bool]:
    order = {"behaviour": 0, "flag": 1, "key": 2, "default": 3, "metric": 4, "variable": 5}
    return order.get(change.kind, 3), not change.replacement


def _summary(result: Upgraded) -> Sentence:
    counts = {effect: len(result.of(effect)) for effect in HEADINGS}
    text = (
        f"From vLLM {result.before} to {result.after}: {counts['breaks']} names or values that worked are refused, "
        f"{counts['shifts']} things change without a word."
    )
    return Sentence(text=text, steps=("upgrade", "upgrade.breaks", "upgrade.shifts"))

"""What an upgrade breaks, what it changes silently, and what it adds, from the surface and the corpus.

- The surface tells names that go, values that are no longer taken, defaults that differ, and names that come.
- The corpus tells behaviour: claims of the change topics, and levers, that begin to hold within the upgrade.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

import msgspec

from knowledge.corpus.claim import Claim
from knowledge.surface.surface import Surface
from knowledge.versions import in_range, releases, resolve
from tools.contract import Step, Traced
from tools.flags.changes import Change, Effect, Window, come, gone, moved_defaults, order
from tools.flags.check import check
from tools.flags.finding import Finding
from tools.flags.launch import Launch
from tools.flags.parse.given import Parsed
from tools.flags.parse.walk import parse

CHANGE_TOPICS: Final = ("changes", "recent")


class Upgraded(Traced, frozen=True):
    """What an upgrade changes.

    Attributes:
        before: The release that runs.
        after: The release to come.
        changes: What breaks, then what shifts, then what is added; each in order of release.
        added: Names that came, too many to tell one by one.
    """

    before: str = ""
    after: str = ""
    changes: tuple[Change, ...] = ()
    added: tuple[str, ...] = ()

    @property
    def command(self) -> str:
        """The command that tells what touches a launch of one's own."""
        return f"ask flags diff --from {self.before} --to {self.after} -- vllm serve …"

    def of(self, effect: Effect) -> tuple[Change, ...]:
        """The changes of one effect."""
        return tuple(change for change in self.changes if change.effect == effect)


@dataclass(frozen=True, slots=True)
class Reading:
    """A launch as the two releases of an upgrade read it.

    Attributes:
        parsed: As the older one parses it.
        before: What the older one finds wrong with it.
        after: What the newer one finds wrong with it.
        whole: Whether it is a whole command, of which absent flags have their defaults.
    """

    parsed: Parsed
    before: tuple[Finding, ...]
    after: tuple[Finding, ...]
    whole: bool = True


def read_by_both(launch: Launch, before: str, after: str) -> Reading:
    """Read a launch with both releases, which must be known here."""
    old, new = resolve(before), resolve(after)
    return Reading(parse(launch, old.release), check(launch, old).findings, check(launch, new).findings, launch.whole)


def upgrade(
    before: str,
    after: str,
    claims: Iterable[Claim],
    *,
    launch: Reading | None = None,
) -> Upgraded:
    """Compare two releases.

    Args:
        before: The release that runs, known here and older than `after`.
        after: The release to come, known here.
        claims: The corpus.
        launch: What is launched, when only what touches it counts.
    """
    window = Window(before, after)
    if launch is None:
        changes = [*gone(window), *moved_defaults(window, None), *_behaviour(window, claims, None)]
    else:
        changes = [
            *_broken(window, launch.before, launch.after),
            *(moved_defaults(window, launch.parsed) if launch.whole else ()),
            *_behaviour(window, claims, launch.parsed),
        ]
    at = order()
    rank: dict[Effect, int] = {"breaks": 0, "shifts": 1, "adds": 2}
    changes.sort(key=lambda change: (rank[change.effect], at[change.release], change.name))
    added = () if launch else tuple(sorted(come(window)))
    placed = tuple(msgspec.structs.replace(change, step=f"upgrade.{at}") for at, change in enumerate(changes))
    result = Upgraded(before=before, after=after, changes=placed, added=added)
    return msgspec.structs.replace(result, steps=tuple(_steps(result)))


def _steps(result: Upgraded) -> Iterator[Step]:
    """The releases, the counts, how many of each a short answer leaves out, and every message."""
    yield Step(name="upgrade", formula="the releases compared", value=f"{result.before} {result.after}")
    yield Step(name="upgrade.command", formula="all of it", value=result.command)
    for effect in ("breaks", "shifts", "adds"):
        count = len(result.of(effect))
        yield Step(name=f"upgrade.{effect}", formula="changes of this effect", value=count, unit="count")
    for change in result.changes:
        value = f"{change.release}: {change.message}"
        yield Step(name=change.step, formula=change.kind, value=value, claims=change.claims)


def _broken(window: Window, before: tuple[Finding, ...], after: tuple[Finding, ...]) -> Iterator[Change]:
    """What the new release finds wrong with a launch and the old one does not."""
    known = {(finding.code.partition("-")[2], finding.subject) for finding in before}
    for finding in after:
        if finding.severity == "note" or (finding.code.partition("-")[2], finding.subject) in known:
            continue
        yield Change(
            effect="breaks" if finding.severity == "error" else "shifts",
            kind=finding.code.partition("-")[0],
            name=finding.subject,
            release=_first_without(finding, window),
            message=finding.message,
            replacement=finding.replacement,
            claims=finding.claims,
        )


def _first_without(finding: Finding, window: Window) -> str:
    at = order()
    last = finding.alive[1] if finding.alive else ""
    following = Surface.load().next_release(last) if last in at else None
    return following if following and window.holds(following) else window.after


def _behaviour(window: Window, claims: Iterable[Claim], parsed: Parsed | None) -> Iterator[Change]:
    """Claims that begin to hold within the upgrade."""
    for claim in claims:
        begins = _begins(claim.head.applies)
        if claim.head.withdrawn or begins is None or not window.holds(begins):
            continue
        if not in_range(window.after, claim.head.applies):
            continue
        changes = claim.topic in CHANGE_TOPICS
        if (not changes and claim.head.lever is None) or not _touches(claim, parsed):
            continue
        yield Change(
            effect="shifts" if changes else "adds",
            kind="behaviour",
            name=claim.title,
            release=begins,
            message=claim.lead,
            claims=(claim.id,),
        )


def _touches(claim: Claim, parsed: Parsed | None) -> bool:
    """Whether a claim concerns a launch: it names nothing that is set, or something that the launch gives."""
    if parsed is None:
        return True
    text = claim.text()
    return any(spelling in text for use in parsed.given for spelling in use.facts.all_spellings if spelling[:2] == "--")


@cache
def _begins(applies: str) -> str | None:
    """The first release of a range; None when the range begins before all that is known here."""
    first = next((release for release in releases() if in_range(release, applies)), None)
    return None if first == releases()[0] else first

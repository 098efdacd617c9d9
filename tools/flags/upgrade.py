"""What an upgrade breaks, what it changes silently, and what it adds, from the surface and the corpus.

- The surface tells names that go, values that are no longer taken, defaults that differ, and names that come.
- The corpus tells behaviour: claims of the change topics, and levers, that begin to hold within the upgrade.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any, Final, Literal

import msgspec

from knowledge.corpus.claim import Claim, ClaimId, Closed
from knowledge.surface.difference import told_change
from knowledge.surface.kinds import Kind
from knowledge.surface.spans import Span
from knowledge.surface.store import spans_of
from knowledge.surface.surface import Surface
from knowledge.versions import in_range, releases, resolve
from tools.contract import Step, Traced
from tools.flags.check import check
from tools.flags.device_rows import told_rows
from tools.flags.finding import Finding
from tools.flags.launch import Launch
from tools.flags.parse.given import Parsed
from tools.flags.parse.walk import parse
from tools.flags.paths import typed_key
from tools.flags.successor import successor

Effect = Literal["breaks", "shifts", "adds"]

NAMED: Final[tuple[Kind, ...]] = ("flags", "env", "metrics", "config_keys")
CHANGE_TOPICS: Final = ("changes", "recent")
SUPPRESSED: Final = "==SUPPRESS=="
"""argparse's mark for a flag that sets nothing when it is absent."""
WORDS: Final = {"flags": "flag", "env": "variable", "metrics": "metric", "config_keys": "key"}


class Change(Closed, frozen=True):
    """One thing that an upgrade changes.

    Attributes:
        effect: `breaks`: what was written no longer works; `shifts`: the same words do something else; `adds`.
        kind: `flag`, `variable`, `metric`, `key`, `default` or `behaviour`.
        name: What changes.
        release: The first release that shows it.
        message: What changes, and what to do.
        replacement: What to write instead; "" when nothing.
        claims: Claims that say it.
        source: The line of vLLM's source that shows it; "" for a claim, which has its own.
        step: The step that holds the message.
    """

    effect: Effect
    kind: str
    name: str
    release: str
    message: str
    replacement: str = ""
    claims: tuple[ClaimId, ...] = ()
    source: str = ""
    step: str = ""


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


@dataclass(frozen=True, slots=True)
class Window:
    """The releases of an upgrade: after `before`, up to and with `after`."""

    before: str
    after: str

    def holds(self, release: str) -> bool:
        """Whether a release lies in it."""
        order = _order()
        return order[self.before] < order[release] <= order[self.after]


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
        changes = [*_gone(window), *_defaults(window, None), *_behaviour(window, claims, None)]
    else:
        changes = [
            *_broken(window, launch.before, launch.after),
            *(_defaults(window, launch.parsed) if launch.whole else ()),
            *_behaviour(window, claims, launch.parsed),
        ]
    order = _order()
    rank: dict[Effect, int] = {"breaks": 0, "shifts": 1, "adds": 2}
    changes.sort(key=lambda change: (rank[change.effect], order[change.release], change.name))
    added = () if launch else tuple(sorted(_come(window)))
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


def _gone(window: Window) -> Iterator[Change]:
    """Names that the old release has and the new one has not."""
    surface = Surface.load()
    for kind in NAMED:
        held = {span.name: span for span in surface.standing(kind, window.before)}
        kept = {span.name for span in surface.standing(kind, window.after)}
        for name in held.keys() - kept:
            last = _last_held(kind, name, window)
            if not _is_internal(name):
                source = surface.place(kind, held[name], last=True).url()
                yield _went(kind, name, window, surface.next_release(last) or last, source)


def _is_internal(name: str) -> bool:
    """Whether a variable serves vLLM's own tests and builds."""
    return name.startswith(("VLLM_CI_", "VLLM_TEST_")) or "_CI_" in name


def _last_held(kind: Kind, name: str, window: Window) -> str:
    order = _order()
    ends = [span.until for span in spans_of(kind) if span.name == name and span.until]
    return max((end for end in ends if order[end] < order[window.after]), key=order.__getitem__)


def _went(kind: Kind, name: str, window: Window, release: str, source: str) -> Change:
    new = successor(name, window.after)
    shown = typed_key(name, window.before)
    effect: Effect = "shifts" if kind == "env" else "breaks"
    advice = f"write {new.typed}" if new.typed else "no replacement is known here"
    return Change(
        effect=effect,
        kind=WORDS[kind],
        name=shown,
        release=release,
        message=f"{shown} is gone: {advice}. {new.note}".strip(),
        replacement=new.typed,
        source=source,
    )


def _come(window: Window) -> Iterator[str]:
    surface = Surface.load()
    for kind in ("flags", "env", "metrics"):
        had = {span.name for span in surface.standing(kind, window.before)}
        yield from {span.name for span in surface.standing(kind, window.after)} - had


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
    order = _order()
    last = finding.alive[1] if finding.alive else ""
    following = Surface.load().next_release(last) if last in order else None
    return following if following and window.holds(following) else window.after


def _defaults(window: Window, parsed: Parsed | None) -> Iterator[Change]:
    """Defaults that differ, of what the launch does not set itself."""
    given = {use.name for use in parsed.given} if parsed else set()
    yield from _changed("flags", window, lambda name: name not in given, "default")
    if parsed is None:
        yield from _changed("env", window, lambda _: True, "default")
    yield from _changed("device_defaults", window, lambda name: _flag_of(name) not in given, "rows")
    yield from _changed("device_defaults", window, lambda name: _flag_of(name) not in given, "ceiling")
    yield from _changed("levels", window, lambda _: True, "value")


def _flag_of(device_default: str) -> str:
    """The flag whose default hangs on the device: `batch.max_num_seqs` is `--max-num-seqs`."""
    if device_default == "cudagraph.capture_sizes":
        return "--max-cudagraph-capture-size"
    return "--" + device_default.rpartition(".")[2].replace("_", "-")


def _changed(kind: Kind, window: Window, counts: Callable[[str], bool], attribute: str) -> Iterator[Change]:
    surface = Surface.load()
    standing = {span.name for span in surface.standing(kind, window.after)}
    spans: dict[str, list[Span]] = {}
    for span in spans_of(kind):
        spans.setdefault(span.name, []).append(span)
    for name, lives in spans.items():
        for earlier, later in pairwise(lives):
            was, now = earlier.facts.get(attribute), later.facts.get(attribute)
            joined = surface.next_release(earlier.until) == later.since
            concerns = name in standing and counts(name) and not _is_internal(name)
            if not joined or not concerns or not window.holds(later.since):
                continue
            if _plain(was) == _plain(now) or now == SUPPRESSED:
                continue
            told = told_rows(was, now) if attribute == "rows" else told_change(_plain(was), _plain(now))
            if not told:
                continue
            shown = _flag_of(name) if kind == "device_defaults" else name
            yield Change(
                effect="shifts",
                kind="default",
                name=shown,
                release=later.since,
                message=f"the default of {shown} changes: {told}",
                source=surface.place(kind, later).url(),
            )


def _plain(value: Any) -> Any:
    """An enum member as its value; what is decided later as that."""
    if isinstance(value, dict) and "otherwise" in value:
        return ", ".join(f"{condition.replace('_', ' ')}: {number}" for condition, number in value.items())
    if value is None or (isinstance(value, dict) and "value" not in value):
        return "decided at start"
    return value["value"] if isinstance(value, dict) else value


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


@cache
def _order() -> dict[str, int]:
    return {release: position for position, release in enumerate(releases())}

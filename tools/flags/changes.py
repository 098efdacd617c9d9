"""What differs between two releases by the surface alone: names that go or come, and defaults that move."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any, Final, Literal

from knowledge.corpus.claim import ClaimId, Closed
from knowledge.surface.difference import told_change
from knowledge.surface.kinds import Kind
from knowledge.surface.spans import Span
from knowledge.surface.store import spans_of
from knowledge.surface.surface import Surface
from knowledge.versions import releases
from tools.flags.device_rows import told_rows
from tools.flags.parse.given import Parsed
from tools.flags.paths import typed_key
from tools.flags.successor import successor

Effect = Literal["breaks", "shifts", "adds"]

NAMED: Final[tuple[Kind, ...]] = ("flags", "env", "metrics", "config_keys")
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


@dataclass(frozen=True, slots=True)
class Window:
    """The releases of an upgrade: after `before`, up to and with `after`."""

    before: str
    after: str

    def holds(self, release: str) -> bool:
        """Whether a release lies in it."""
        at = order()
        return at[self.before] < at[release] <= at[self.after]


def gone(window: Window) -> Iterator[Change]:
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
    at = order()
    ends = [span.until for span in spans_of(kind) if span.name == name and span.until]
    return max((end for end in ends if at[end] < at[window.after]), key=at.__getitem__)


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


def come(window: Window) -> Iterator[str]:
    """Names that the new release has and the old one has not."""
    surface = Surface.load()
    for kind in ("flags", "env", "metrics"):
        had = {span.name for span in surface.standing(kind, window.before)}
        yield from {span.name for span in surface.standing(kind, window.after)} - had


def moved_defaults(window: Window, parsed: Parsed | None) -> Iterator[Change]:
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


@cache
def order() -> dict[str, int]:
    """The place of each release, oldest first."""
    return {release: position for position, release in enumerate(releases())}

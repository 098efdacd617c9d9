"""The names in a launch that its release does not have: flags, keys of JSON flags, environment variables."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal

from knowledge.surface.existence import Existence, Exists, Gone, NotYet, Unknown
from knowledge.surface.kinds import KeyFacts
from knowledge.surface.surface import Surface
from tools.flags.finding import Finding, Severity
from tools.flags.subject import Subject

Kind = Literal["flag", "key", "env"]

OWN_PREFIX = "VLLM_"


@dataclass(frozen=True, slots=True)
class Misfit:
    """One such name.

    Attributes:
        kind: What it names.
        typed: It, as written; a key with its flag in front.
        name: It, as vLLM spells it.
        standing: Where it stands in the release.
        alive: First and last release that has it; None when none has.
        line: Where it is written.
        severity: A flag or key stops the start; a variable is passed over with a warning, unless
            `--fail-on-environ-validation` is set.
        rivals: Names of the same kind in the release, for a near miss.
    """

    kind: Kind
    typed: str
    name: str
    standing: Existence
    alive: tuple[str, str] | None
    line: int
    severity: Severity
    rivals: tuple[str, ...] = ()

    @property
    def called(self) -> str:
        """How to call it in a sentence: a key as written, the rest as vLLM spells it."""
        return self.typed if self.kind == "key" else self.name

    def finding(self, what: str, message: str, *, severity: Severity | None = None, replacement: str = "") -> Finding:
        """A finding about it, with the code `KIND-WHAT`."""
        return Finding(
            code=f"{self.kind}-{what}",
            severity=severity or self.severity,
            subject=self.typed,
            message=message,
            alive=self.alive,
            replacement=replacement,
            line=self.line,
        )


KEYS_REFUSED: Final = ">=0.13"
"""Before, a config object was built from the keys that it knows and the others were dropped without a word."""


def misfits(subject: Subject) -> tuple[Misfit, ...]:
    """Every name that the release does not have."""
    # Several rules ask for them; like a cached property they are kept with the subject that they belong to.
    kept: dict[str, Any] = vars(subject)
    if "misfits" not in kept:
        kept["misfits"] = (*_flags(subject), *_keys(subject), *_variables(subject))
    found: tuple[Misfit, ...] = kept["misfits"]
    return found


def _misfit(
    subject: Subject,
    kind: Kind,
    typed: str,
    asked: str,
    line: int,
    severity: Severity,
    rivals: tuple[str, ...],
    command: str = "",
) -> Misfit | None:
    surface = Surface.load()
    standing = surface.exists(asked, subject.version.release, command)
    found = surface.lookup(asked, command)
    if isinstance(standing, Exists):
        return None
    severity = _lowered(subject, standing, severity)
    alive = (found.held[0], found.held[-1]) if found and not isinstance(standing, Unknown) else None
    return Misfit(kind, typed, found.name if found else asked, standing, alive, line, severity, rivals)


def _lowered(subject: Subject, standing: Existence, severity: Severity) -> Severity:
    """What is not there in the nearest release may be there in the build that was asked for."""
    version = subject.version
    if isinstance(standing, Unknown) and version.outside:
        return "warning"
    following = Surface.load().next_release(version.release)
    if isinstance(standing, NotYet) and not version.exact and not version.until and standing.first == following:
        return "note"  # a dev build lies between the two
    return severity


def _flags(subject: Subject) -> Iterator[Misfit]:
    command = f"{subject.launch.command} {subject.launch.subcommand}".strip()
    rivals = tuple(spelling for facts in subject.release.flags.values() for spelling in facts.all_spellings)
    for fault in subject.parsed.faults:
        if fault.code == "flag-not-known":
            asked = fault.subject.partition(".")[0]
            found = _misfit(subject, "flag", fault.subject, asked, fault.line, "error", rivals, command)
            # A release may have it for another command only: it is then unknown to this one.
            yield found or Misfit("flag", fault.subject, asked, Unknown(), None, fault.line, "error", ())


def _keys(subject: Subject) -> Iterator[Misfit]:
    known = subject.release.config_keys
    for use in subject.parsed.given:
        if use.facts.config and use.known:
            tree = _tree(use.keys, use.value)
            yield from _of_class(subject, known, use.facts.config, use.facts.config, use.name, tree, use.line)


def _tree(keys: tuple[str, ...], value: Any) -> Any:
    for key in reversed(keys):
        value = {key: value}
    return value


def _of_class(
    subject: Subject, known: dict[str, KeyFacts], owner: str, path: str, typed: str, tree: Any, line: int
) -> Iterator[Misfit]:
    """Judge the keys of a JSON object that a config class is built from."""
    if not isinstance(tree, dict):
        return
    rivals = tuple(name.partition(".")[2] for name in known if name.startswith(f"{owner}."))
    if not rivals:
        return
    for key, value in tree.items():
        facts = known.get(f"{owner}.{key}")
        if facts is None:
            severity: Severity = "error" if subject.runs(KEYS_REFUSED) else "warning"
            found = _misfit(subject, "key", f"{typed}.{key}", f"{path}.{key}", line, severity, rivals)
            if found and not (isinstance(found.standing, Gone) and found.standing.back):
                yield found  # a key that is there before and after was most likely there in between, unseen
        elif facts.config:
            yield from _of_class(subject, known, facts.config, f"{path}.{key}", f"{typed}.{key}", value, line)


def _variables(subject: Subject) -> Iterator[Misfit]:
    severity: Severity = "error" if subject.is_on("--fail-on-environ-validation") else "warning"
    rivals = tuple(name for name in subject.release.env if name.startswith(OWN_PREFIX))
    for setting in subject.env:
        if setting.name.startswith(OWN_PREFIX):
            found = _misfit(subject, "env", setting.name, setting.name, setting.line, severity, rivals)
            if found:
                yield found

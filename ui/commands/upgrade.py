"""`ask flags diff`: what an upgrade changes."""

from typing import Any, Final

import msgspec

from knowledge.corpus.read import read_corpus
from knowledge.errors import UserError
from knowledge.versions import releases, resolve
from tools.flags.changes import Change, Effect
from tools.flags.upgrade import Upgraded, read_by_both, upgrade
from ui.commands.launches import launches
from ui.terminal import note, printable, write, write_json

HEADINGS: Final[dict[Effect, str]] = {
    "breaks": "Breaks",
    "shifts": "Changes without a word",
    "adds": "New and worth trying",
}


def show_upgrade(given: tuple[str, ...], *, before: str, after: str | None, as_json: bool) -> None:
    """Print what changes from one release to another.

    Args:
        given: A launch, as for `ask flags check`; nothing tells of everything.
        before: The release that runs, as typed.
        after: The release to come; None is the newest known.
        as_json: Print an object.

    Raises:
        UserError: A version is none, they stand in the wrong order, or the launch cannot be read.
    """
    old, new = resolve(before, "given with --from"), resolve(after, "given with --to")
    if releases().index(old.release) >= releases().index(new.release):
        mend = "they are the same release" if old.release == new.release else "swap them"
        raise UserError(f"--from {before} ({old.release}) is not older than --to {new.release}: {mend}")
    for known in (old, new):
        if not known.exact:
            note(f"vLLM {known.release} ({known.basis})")
    found = launches(given)[1] if given else ()
    if len(found) > 1:
        raise UserError(f"the input holds {len(found)} launches; give one of them")
    told = read_by_both(found[0], old.release, new.release) if found else None
    result = upgrade(old.release, new.release, read_corpus(), launch=told)
    if as_json:
        write_json(_as_object(result))
    else:
        write(_as_text(result))


def _as_object(result: Upgraded) -> dict[str, Any]:
    told: dict[str, Any] = {effect: [msgspec.to_builtins(c) for c in result.of(effect)] for effect in HEADINGS}
    return {"from": result.before, "to": result.after, **told, "added": list(result.added)}


def _as_text(result: Upgraded) -> str:
    parts = [f"vLLM {result.before} to {result.after}"]
    for effect, heading in HEADINGS.items():
        changes = result.of(effect)
        parts.append(f"\n{heading} ({len(changes)})" if changes else f"\n{heading}: nothing known")
        parts += [_row(change) for change in changes]
    if result.added:
        parts.append(
            f"\nNew names ({len(result.added)}), `ask flags show NAME` tells more\n  {', '.join(result.added)}"
        )
    return "\n".join(parts) + "\n"


def _row(change: Change) -> str:
    cited = f" [{', '.join(change.claims)}]" if change.claims else ""
    return f"  {change.release} {change.kind}: {printable(change.message)}{cited}"

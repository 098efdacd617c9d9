"""`ask flags …`: what a vLLM release accepts and exports, and the history of a name."""

import difflib
from typing import Any

from knowledge.errors import UserError
from knowledge.surface.history import History, describe, history
from knowledge.surface.kinds import Kind
from knowledge.surface.listing import listing
from knowledge.surface.store import read_spans
from knowledge.surface.surface import Surface
from knowledge.versions import releases, resolve
from ui.terminal import note, write, write_json

NAMED_KINDS: tuple[Kind, ...] = ("flags", "env", "metrics")


def show_history(names: tuple[str, ...], *, as_json: bool) -> None:
    """Print when each name came, changed, was deprecated and went, and what replaced it.

    Raises:
        UserError: No release known here has a name; names the nearest ones.
    """
    surface = Surface.load()
    lives = [_history(surface, name) for name in names]
    if as_json:
        write_json([_as_object(life) for life in lives])
        return
    write("\n\n".join("\n".join(describe(life)) for life in lives) + "\n")


def list_surface(*, version: str | None, as_json: bool) -> None:
    """Print the whole surface of a version, by default the newest one.

    Raises:
        UserError: The version is not one.
    """
    known = resolve(version)
    if version is None or not known.exact:
        note(f"vLLM {known.release} ({known.basis})")
    release = Surface.load().at(known.release)
    if as_json:
        write_json(listing(release))
        return
    for what, names in (("flags", release.flags), ("environment variables", release.env), ("metrics", release.metrics)):
        write(f"# {len(names)} {what} of vLLM {release.version}\n" + "".join(f"{name}\n" for name in names))


def _history(surface: Surface, name: str) -> History:
    life = history(surface, name)
    if life is not None:
        return life
    known = {span.name for kind in NAMED_KINDS for span in read_spans(kind)}
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.6)
    hint = f"; near: {', '.join(near)}" if near else ""
    raise UserError(f"no vLLM release from {releases()[0]} to {releases()[-1]} has {name!r}{hint}")


def _as_object(life: History) -> dict[str, Any]:
    return {
        "name": life.subject.name,
        "kind": life.subject.kind,
        "alive": [life.subject.held[0], life.subject.held[-1]],
        "events": [
            {
                "release": event.release,
                "what": event.what,
                "attribute": event.attribute,
                "before": event.before,
                "after": event.after,
                "source": event.place.url(),
            }
            for event in life.events
        ],
        "replaced_by": [{"new": r.new, "note": r.note} for r in life.replaced_by],
        "replaces": [{"old": r.old, "note": r.note} for r in life.replaces],
    }

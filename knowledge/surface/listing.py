"""The whole surface of one release as JSON can hold it, for `ask flags list --json`."""

from typing import Any

import msgspec

from knowledge.surface.kinds import FlagFacts
from knowledge.surface.surface import Release


def listing(release: Release) -> dict[str, Any]:
    """Flags, environment variables and metrics of a release.

    Returns:
        `{"version", "flags": [{"flag", "spellings", "default", "choices", "nargs", "deprecated", ...}],
        "env": [name, ...], "metrics": [family, ...]}`, each list in order of name. `deprecated` is null or what is
        announced; `ask flags show NAME` tells the rest.
    """
    whole = {
        "version": release.version,
        "flags": [_flag(name, facts) for name, facts in release.flags.items()],
        "env": list(release.env),
        "metrics": list(release.metrics),
    }
    # One round through JSON, so that a caller sees lists whether or not it prints.
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(whole))
    return plain


def _flag(name: str, facts: FlagFacts) -> dict[str, Any]:
    return {
        "flag": name,
        "spellings": facts.all_spellings,
        "default": facts.default,
        "choices": facts.choices,
        "more_choices": facts.more_choices,
        "nargs": facts.nargs,
        "type": facts.type,
        "deprecated": facts.deprecated,
        "group": facts.group,
    }

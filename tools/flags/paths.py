"""How a key of a config class is written on the command line."""

from functools import cache

from knowledge.surface.surface import Surface


@cache
def config_paths(release: str) -> dict[str, str]:
    """Config class to the flag, or flag and keys, behind which its keys stand.

    For example `PassConfig` to `--compilation-config.pass_config`.
    """
    surface = Surface.load().at(release)
    paths = {facts.config: name for name, facts in surface.flags.items() if facts.config}
    pending = [(name.partition("."), facts.config) for name, facts in surface.config_keys.items() if facts.config]
    while pending:
        known = [((owner, key), inner) for (owner, _, key), inner in pending if owner in paths]
        if not known:
            break
        for (owner, key), inner in known:
            paths.setdefault(inner, f"{paths[owner]}.{key}")
        pending = [entry for entry in pending if entry[0][0] not in paths]
    return paths


def typed_key(name: str, release: str) -> str:
    """A key such as `PassConfig.enable_sp` as it is typed; unchanged when no flag leads to its class."""
    owner, _, key = name.partition(".")
    path = config_paths(release).get(owner)
    return f"{path}.{key}" if path else name

"""The closed list of cause ids and how an answer names each."""

import tomllib
from functools import cache
from importlib.resources import files


@cache
def causes() -> dict[str, str]:
    """Cause id to its name in words, in the order of causes.toml."""
    groups = tomllib.loads(files("knowledge").joinpath("causes.toml").read_text("utf-8"))
    return {cause: name for group in groups.values() for cause, name in group.items()}

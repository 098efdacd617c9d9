"""Names that look like vLLM's and belong to a plug-in or a fork."""

import tomllib
from functools import cache
from importlib.resources import files


@cache
def _beginnings() -> dict[str, str]:
    return dict(tomllib.loads(files("tools.flags").joinpath("foreign.toml").read_text("utf-8"))["begins"])


def owner(name: str, fork: str = "") -> str:
    """Whose name it is.

    Args:
        name: A flag or a variable as typed; underscores and dashes in a flag are the same.
        fork: What the build calls itself when it is not vLLM's own.

    Returns:
        The project, or "" when it is nobody's that is known here.
    """
    asked = name.replace("_", "-") if name.startswith("--") else name
    return next((whose for begins, whose in _beginnings().items() if asked.startswith(begins)), "") or fork

"""The settings, read once where a command starts and handed down from there."""

import os
from dataclasses import dataclass
from pathlib import Path

BUNDLED_MODEL = "bundled"
"""The embedding model that a Python package of ours carries: all-MiniLM-L6-v2."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What may differ between two installations.

    Attributes:
        home: Folder for everything written: index, exported encoders, conversations.
        embed_model: `bundled`, or the name or folder of any sentence-transformers model.
        base_url: An OpenAI-compatible endpoint that answers for us; empty means rules and templates.
    """

    home: Path
    embed_model: str = BUNDLED_MODEL
    base_url: str = ""


def read_settings() -> Settings:
    """Read the settings from the environment.

    `ASK_HOME` names the data folder, else `$XDG_DATA_HOME/vllm-ask`, else `~/.local/share/vllm-ask`;
    `ASK_EMBED_MODEL` the embedding model; `ASK_BASE_URL` the model endpoint.
    """
    env = os.environ  # noqa: TID251  this is the one place that reads the environment
    xdg = env.get("XDG_DATA_HOME") or "~/.local/share"
    home = Path(env.get("ASK_HOME") or Path(xdg) / "vllm-ask").expanduser()
    return Settings(
        home=home,
        embed_model=env.get("ASK_EMBED_MODEL") or BUNDLED_MODEL,
        base_url=env.get("ASK_BASE_URL", ""),
    )

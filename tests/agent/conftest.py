"""Assistants on the index that is built once for the whole run."""

from collections.abc import Callable
from pathlib import Path

import pytest

from agent.assistant import Assistant
from agent.toolbox import Tool
from knowledge.search.index import Index
from knowledge.settings import Settings


@pytest.fixture
def home(shared_home: Path, index: Index, tmp_path: Path) -> Path:
    """A data folder of the test's own with the shared index in it."""
    folder = tmp_path / "home"
    folder.mkdir(exist_ok=True)
    for part in ("encoders", "index"):
        (folder / part).symlink_to(shared_home / part)
    return folder


@pytest.fixture
def assistant(home: Path) -> Callable[..., Assistant]:
    """Make an assistant on that folder; two in a row are a restart."""

    def make(tools: dict[str, Tool] | None = None, *, keep: bool = True) -> Assistant:
        return Assistant(Settings(home=home), keep=keep, tools=tools)

    return make

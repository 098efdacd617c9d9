"""Every test runs with a home of its own, offline, and without the caller's settings."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from knowledge.search.index import Index, open_index
from knowledge.settings import Settings


@pytest.fixture(autouse=True)
def _own_world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ASK_EMBED_MODEL", "ASK_BASE_URL", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ASK_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


@pytest.fixture(scope="session")
def shared_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder whose encoder and index are built once for the whole run; read it, do not damage it."""
    return tmp_path_factory.mktemp("shared-home")


@pytest.fixture(scope="session")
def index(shared_home: Path) -> Iterator[Index]:
    """The index of the shipped corpus."""
    opened = open_index(Settings(home=shared_home))
    yield opened
    opened.close()

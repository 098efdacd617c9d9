"""Where settings come from."""

from pathlib import Path

import pytest

from knowledge.settings import BUNDLED_MODEL, Settings, read_settings


@pytest.mark.parametrize(
    ("env", "home"),
    [
        ({"ASK_HOME": "/a", "XDG_DATA_HOME": "/x"}, Path("/a")),
        ({"XDG_DATA_HOME": "/x"}, Path("/x/vllm-ask")),
        ({"HOME": "/h"}, Path("/h/.local/share/vllm-ask")),
        ({"ASK_HOME": "", "XDG_DATA_HOME": "", "HOME": "/h"}, Path("/h/.local/share/vllm-ask")),
        ({"ASK_HOME": "~/b", "HOME": "/h"}, Path("/h/b")),
    ],
    ids=["own", "xdg", "default", "empty", "tilde"],
)
def test_the_data_folder(env: dict[str, str], home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ASK_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert read_settings() == Settings(home=home, embed_model=BUNDLED_MODEL, base_url="")


def test_model_and_endpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASK_EMBED_MODEL", "m")
    monkeypatch.setenv("ASK_BASE_URL", "http://localhost:8000/v1")
    settings = read_settings()
    assert (settings.embed_model, settings.base_url) == ("m", "http://localhost:8000/v1")

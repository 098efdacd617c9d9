"""Open a released vLLM archive without unpacking it."""

import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from knowledge.errors import UserError
from knowledge.surface.extract.source import SourceTree


def open_archive(path: Path) -> SourceTree:
    """Read the Python files and all the names of a source distribution or a wheel into memory.

    Raises:
        UserError: The file is neither a `.tar.gz` nor a `.whl`, or cannot be opened as one.
    """
    try:
        members = dict(_sdist(path) if path.name.endswith(".tar.gz") else _wheel(path))
    except (OSError, tarfile.TarError, zipfile.BadZipFile) as exc:
        raise UserError(f"{path}: not a readable vLLM archive ({exc}); delete it and fetch it again") from exc
    texts = {name: text for name, text in members.items() if text is not None}
    return SourceTree(texts, names=tuple(members))


def _is_wanted(name: str) -> bool:
    return name.startswith("vllm/") and name.endswith(".py")


def _decode(raw: bytes) -> str:
    return raw.decode("utf-8", errors="replace")


def _sdist(path: Path) -> Iterator[tuple[str, str | None]]:
    """Yield (path below the top folder, text of the Python files)."""
    with tarfile.open(path, "r:gz") as archive:
        for member in archive:
            if member.isfile():
                name = member.name.partition("/")[2]
                stream = archive.extractfile(member) if _is_wanted(name) else None
                yield name, _decode(stream.read()) if stream else None


def _wheel(path: Path) -> Iterator[tuple[str, str | None]]:
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            yield name, _decode(archive.read(name)) if _is_wanted(name) else None

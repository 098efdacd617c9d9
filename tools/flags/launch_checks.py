"""Check every launch that stands in a text, for an answer that quotes what was found."""

from collections.abc import Iterable, Iterator
from typing import Final

from knowledge.catalog.found import FoundGpu, FoundModel
from knowledge.catalog.gpu_names import find_gpu
from knowledge.catalog.model_names import find_model
from knowledge.corpus.claim import Closed
from knowledge.errors import UserError
from knowledge.versions import KnownVersion
from tools.contract import Step, Traced
from tools.flags.check import check
from tools.flags.finding import Finding
from tools.flags.launch import Launch
from tools.flags.read import read
from tools.flags.target import target

LAUNCHES_AT_MOST: Final = 8


class Placed(Closed, frozen=True):
    """A finding and the step that holds its message."""

    finding: Finding
    step: str


class LaunchChecks(Traced, frozen=True):
    """What was found in the launches of a text.

    Attributes:
        version: The release they were checked against.
        launches: How many launches were read.
        found: The findings, launch by launch, the worst first.
        unread: Why nothing could be read; "" when something was.
    """

    version: str = ""
    launches: int = 0
    found: tuple[Placed, ...] = ()
    unread: str = ""


def launch_checks(texts: Iterable[str], version: KnownVersion, *, model: str = "", gpu: str = "") -> LaunchChecks:
    """Read launches and check them.

    Args:
        texts: Texts that may hold a command, a script or a manifest.
        version: The release to check against.
        model: The model as told, when the launch does not name one that is known.
        gpu: The GPU as told.
    """
    launches, unread = _read_all(texts)
    found_model, found_gpu = find_model(model) if model else None, find_gpu(gpu) if gpu else None
    findings = [
        finding
        for launch in launches[:LAUNCHES_AT_MOST]
        for finding in check(
            launch,
            version,
            model=_model_of(launch, found_model if isinstance(found_model, FoundModel) else None),
            gpu=found_gpu.gpu if isinstance(found_gpu, FoundGpu) else None,
            fork=target(launch)[1],
        ).findings
    ]
    placed = tuple(Placed(finding=finding, step=f"flags_check.{at}") for at, finding in enumerate(findings))
    return LaunchChecks(
        version=version.release,
        launches=len(launches),
        found=placed,
        unread="" if launches else unread,
        steps=tuple(_steps(len(launches), placed, version.release)),
    )


def _read_all(texts: Iterable[str]) -> tuple[list[Launch], str]:
    launches: list[Launch] = []
    unread = ""
    for text in texts:
        try:
            launches += read(text)
        except UserError as exc:
            unread = unread or str(exc)
    return launches, unread


def _model_of(launch: Launch, told: FoundModel | None) -> FoundModel | None:
    """The model that was told counts only where the launch's own words name none that is known."""
    named = next((found for word in launch.words if isinstance(found := find_model(word.text), FoundModel)), None)
    return None if named else told


def _steps(launches: int, placed: tuple[Placed, ...], release: str) -> Iterator[Step]:
    errors = sum(one.finding.severity == "error" for one in placed)
    yield Step(name="flags_check.launches", formula="launches read", value=launches, unit="count")
    yield Step(name="flags_check.errors", formula=f"findings that stop vLLM {release}", value=errors, unit="count")
    for one in placed:
        found = one.finding
        yield Step(name=one.step, formula=f"rule {found.code}", value=found.message, claims=found.claims)

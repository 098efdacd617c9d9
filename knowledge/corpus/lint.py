"""Find what is wrong with corpus files: form, ids, references, ranges, age.

Every check is one generator of `Problem`s and stands in `CLAIM_CHECKS` or `CORPUS_CHECKS`.
"""

import datetime as dt
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

from knowledge.causes import causes
from knowledge.corpus.claim import CITATION, Claim, Closed, CodeSource, IssueSource
from knowledge.corpus.read import corpus_files, parse_section, sections
from knowledge.errors import CorpusError
from knowledge.surface.existence import Exists
from knowledge.surface.mentions import mentioned
from knowledge.surface.surface import Surface
from knowledge.versions import in_range, parse_range, releases

STALE_DAYS = 180
"""A claim not opened for this long is reported: vLLM ships about two minors a month."""

TITLE_MAX_CHARS = 120
BODY_MAX_CHARS = 1400
BODY_MAX_PARAGRAPHS = 3

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\.[a-z0-9]+(-[a-z0-9]+)*")


class Problem(Closed, frozen=True):
    """One thing to mend: an `error` fails the lint, a `warning` does not."""

    severity: Literal["error", "warning"]
    where: str
    message: str


def lint(today: dt.date, folder: Path | None = None) -> list[Problem]:
    """Check every claim of a corpus folder.

    Args:
        today: The day to reckon age from.
        folder: The corpus, by default the shipped one.
    """
    problems: list[Problem] = []
    claims: list[Claim] = []
    for path in corpus_files(folder):
        try:
            cuts = sections(path)
        except CorpusError as exc:
            problems.append(Problem(severity="error", where=path.name, message=str(exc)))
            continue
        for section in cuts:
            try:
                claims.append(parse_section(section))
            except CorpusError as exc:
                where = f"{path.name}:{section.line}"
                problems.append(Problem(severity="error", where=where, message=str(exc)))
    for claim in claims:
        where = f"{claim.file}:{claim.line} {claim.id}"
        for check in CLAIM_CHECKS:
            problems += [Problem(severity="error", where=where, message=text) for text in check(claim, today)]
        problems += [Problem(severity="warning", where=where, message=text) for text in _age(claim, today)]
    for check_all in CORPUS_CHECKS:
        problems += check_all(claims)
    return problems


def _form(claim: Claim, _today: dt.date) -> Iterator[str]:
    if not _ID.fullmatch(claim.id):
        yield f"id {claim.id!r} is not of the form topic.slug"
    if claim.topic != Path(claim.file).stem:
        yield f"topic {claim.topic!r} is not the file's name; ids of {claim.file} begin with {claim.file[:-3]}."
    if len(claim.title) > TITLE_MAX_CHARS:
        yield f"title has {len(claim.title)} characters, at most {TITLE_MAX_CHARS}"
    if claim.title.endswith("."):
        yield "title ends in a full stop"
    paragraphs = [p for p in claim.body.split("\n\n") if p.strip()]
    if not 1 <= len(paragraphs) <= BODY_MAX_PARAGRAPHS:
        yield f"body has {len(paragraphs)} paragraphs, 1 to {BODY_MAX_PARAGRAPHS} are allowed"
    if len(claim.body) > BODY_MAX_CHARS:
        yield f"body has {len(claim.body)} characters, at most {BODY_MAX_CHARS}"
    if not claim.head.sources:
        yield "has no source"


def _ranges(claim: Claim, today: dt.date) -> Iterator[str]:
    try:
        parse_range(claim.head.applies)
    except ValueError as exc:
        yield f"applies: {exc}"
        return
    if not any(in_range(r, claim.head.applies) for r in releases()):
        yield f"applies {claim.head.applies!r} holds for no known release"
    if claim.head.checked.version not in releases():
        yield f"checked against {claim.head.checked.version!r}, which is not a known release"
    if claim.head.checked.date > today:
        yield f"checked on {claim.head.checked.date}, which is in the future"


def _sources(claim: Claim, _today: dt.date) -> Iterator[str]:
    for source in claim.head.sources:
        if isinstance(source, IssueSource) and source.state == "closed" and not source.closed_as:
            yield f"{source.label()}: a closed issue must say why it closed (closed_as)"
        if isinstance(source, CodeSource) and source.version not in releases():
            yield f"{source.label()}: {source.version!r} is not a known release"


def _parts(claim: Claim, _today: dt.date) -> Iterator[str]:
    head = claim.head
    if sum(part is not None for part in (head.symptom, head.cause, head.sign, head.lever)) > 1:
        yield "plays more than one part; split it into one claim per part"
    for cause in _named_causes(claim):
        if cause not in causes():
            yield f"cause {cause!r} is not in knowledge/causes.toml"
    for pattern in head.symptom.match if head.symptom else ():
        try:
            re.compile(pattern)
        except re.error as exc:
            yield f"symptom pattern {pattern!r} does not compile: {exc}"


def _names(claim: Claim, _today: dt.date) -> Iterator[str]:
    """Every flag, variable and metric named exists in the whole range, or the head says that it does not."""
    surface = Surface.load()
    excused = {*claim.head.absent, *claim.head.foreign}
    named = set(mentioned(claim.text()))
    for name in sorted(named - excused):
        for release in _held(claim):
            if not isinstance(surface.exists(name, release), Exists):
                yield f"names {name}, which vLLM {release} lacks; narrow `applies`, or list it in `absent` or `foreign`"
                break
    for name in sorted(excused - named):
        yield f"lists {name} in `absent` or `foreign` without naming it"


def _held(claim: Claim) -> list[str]:
    try:
        return [release for release in releases() if in_range(release, claim.head.applies)]
    except ValueError:
        return []  # _ranges tells


def _withdrawal(claim: Claim, today: dt.date) -> Iterator[str]:
    if claim.head.superseded_by and not claim.head.withdrawn:
        yield "superseded_by without withdrawn"
    if claim.head.withdrawn and claim.head.withdrawn > today:
        yield f"withdrawn on {claim.head.withdrawn}, which is in the future"


def _age(claim: Claim, today: dt.date) -> Iterator[str]:
    days = (today - claim.head.checked.date).days
    if days > STALE_DAYS and not claim.head.withdrawn:
        yield f"last checked {days} days ago; open its sources again"


def _duplicate_ids(claims: list[Claim]) -> Iterator[Problem]:
    seen: dict[str, Claim] = {}
    for claim in claims:
        if claim.id in seen:
            first = seen[claim.id]
            yield _error(claim, f"id already used at {first.file}:{first.line}")
        seen.setdefault(claim.id, claim)


def _references(claims: list[Claim]) -> Iterator[Problem]:
    by_id = {claim.id: claim for claim in claims}
    for claim in claims:
        named = {match[1] for match in CITATION.finditer(claim.body)}
        if claim.head.superseded_by:
            named.add(claim.head.superseded_by)
        for ref in sorted(named):
            if ref not in by_id:
                yield _error(claim, f"refers to {ref}, which does not exist")
            elif by_id[ref].head.withdrawn and not claim.head.withdrawn:
                yield _error(claim, f"refers to {ref}, which is withdrawn")


def _explained(claims: list[Claim]) -> Iterator[Problem]:
    """A symptom's cause that no claim explains, shows or moves would leave a hole in the answer."""
    live = [claim for claim in claims if not claim.head.withdrawn]
    explained = {claim.head.cause.id for claim in live if claim.head.cause}
    shown = {claim.head.sign.cause for claim in live if claim.head.sign}
    moved = {cause for claim in live if claim.head.lever for cause in claim.head.lever.causes}
    for claim in live:
        for cause in claim.head.symptom.causes if claim.head.symptom else ():
            for part, covered in (("cause", explained), ("sign", shown), ("lever", moved)):
                if cause not in covered:
                    yield _error(claim, f"lists cause {cause!r}, but no claim has its `{part}` part")


def _named_causes(claim: Claim) -> Iterator[str]:
    head = claim.head
    if head.symptom:
        yield from head.symptom.causes
    if head.cause:
        yield head.cause.id
    if head.sign:
        yield head.sign.cause
    if head.lever:
        yield from head.lever.causes


def _error(claim: Claim, message: str) -> Problem:
    return Problem(severity="error", where=f"{claim.file}:{claim.line} {claim.id}", message=message)


CLAIM_CHECKS: tuple[Callable[[Claim, dt.date], Iterator[str]], ...] = (
    _form,
    _ranges,
    _sources,
    _parts,
    _names,
    _withdrawal,
)
CORPUS_CHECKS: tuple[Callable[[list[Claim]], Iterator[Problem]], ...] = (
    _duplicate_ids,
    _references,
    _explained,
)

"""`ask corpus …`: look into the claims."""

import contextlib
import datetime as dt
from collections.abc import Iterable

from knowledge.corpus.claim import Claim
from knowledge.corpus.lint import lint
from knowledge.corpus.read import read_corpus
from knowledge.errors import CorpusError, UserError
from ui.terminal import note, printable, progress_bar, write, write_json


def list_claims(*, as_json: bool, topic: str) -> None:
    """Print id and title of every claim.

    Raises:
        UserError: No claim is of this topic.
    """
    every = read_corpus()
    if topic:
        _require_topic(topic, every)
    claims = [claim for claim in every if topic in ("", claim.topic)]
    if as_json:
        write_json([{"id": c.id, "title": c.title, "topic": c.topic} for c in claims])
        return
    width = max(len(claim.id) for claim in claims)
    for claim in claims:
        mark = " (withdrawn)" if claim.head.withdrawn else ""
        write(f"{claim.id:<{width}}  {claim.title}{mark}\n")


def show_claims(claim_ids: Iterable[str], *, as_json: bool) -> None:
    """Print claims with their sources.

    Raises:
        UserError: An id is unknown; names the nearest ones.
    """
    known = {claim.id: claim for claim in read_corpus()}
    claims = [_known(claim_id.strip("[]"), known) for claim_id in claim_ids]
    if as_json:
        write_json(claims)
        return
    write("\n\n".join(_as_text(claim) for claim in claims) + "\n")


def search_claims(query: str, *, as_json: bool, version: str | None, topic: str | None, limit: int) -> None:
    """Print the claims found, best first.

    Raises:
        UserError: The query is empty, or the version or the topic is unknown.
    """
    from knowledge.search.find import find
    from knowledge.search.index import open_index
    from knowledge.settings import read_settings
    from knowledge.versions import resolve

    if not query.strip():
        raise UserError('nothing to search for; try: ask corpus search "preemption"')
    release = resolve(version).release if version is not None else None
    with progress_bar() as progress:
        index = open_index(read_settings(), progress)
    with contextlib.closing(index):
        if topic is not None:
            _require_topic(topic, index.claims.values())
        hits = find(index, query, limit=limit, release=release, topic=topic)
    if as_json:
        write_json(
            [{"id": h.claim.id, "title": h.claim.title, "score": round(h.score, 5), "text": h.claim.body} for h in hits]
        )
        return
    for hit in hits:
        write(f"{hit.score:.4f}  {hit.claim.id}\n        {hit.claim.title}\n")
    if not hits:
        note("no claim found")


def lint_corpus(*, as_json: bool) -> None:
    """Print every problem of the corpus.

    Raises:
        CorpusError: There is an error among them.
    """
    today = dt.datetime.now(dt.UTC).date()
    problems = lint(today)
    errors = [problem for problem in problems if problem.severity == "error"]
    if as_json:
        write_json(problems)
    else:
        for problem in problems:
            write(printable(f"{problem.severity}: {problem.where}: {problem.message}") + "\n")
    if errors:
        raise CorpusError(f"the corpus has {len(errors)} errors")
    if not as_json:
        write(f"corpus lint: {len(read_corpus())} claims, no errors, {len(problems)} warnings\n")


def _require_topic(topic: str, claims: Iterable[Claim]) -> None:
    topics = sorted({claim.topic for claim in claims})
    if topic not in topics:
        raise UserError(f"no topic {topic!r}; there are: {', '.join(topics)}")


def _known(claim_id: str, known: dict[str, Claim]) -> Claim:
    if claim_id in known:
        return known[claim_id]
    import difflib

    near = difflib.get_close_matches(claim_id, list(known), n=3, cutoff=0.4)
    raise UserError(f"no claim {claim_id!r}; near: {', '.join(near) or 'none'} (ask corpus list)")


def _as_text(claim: Claim) -> str:
    head = claim.head
    rows = [
        f"{claim.id}  ({head.kind}, holds for vLLM {head.applies}, checked {head.checked.version} {head.checked.date})"
    ]
    if head.withdrawn:
        rows.append(f"WITHDRAWN {head.withdrawn}; see {head.superseded_by or 'no successor'}")
    rows += [claim.title, "", claim.body]
    if head.lever:
        part = head.lever
        rows += [
            "",
            f"lever ({part.stage}, {'needs a restart' if part.restart else 'no restart'}): {', '.join(part.moves)}",
            *(f"  set {flag}" for flag in part.set),
            f"  costs: {part.cost}",
            *(f"  careful: {warning}" for warning in part.warnings),
            f"  verify: {part.verify}",
            f"  undo: {part.rollback}",
        ]
    rows += ["", "sources:", *(f"  {source.label()}  {source.url()}".rstrip() for source in head.sources)]
    return "\n".join(rows)

"""A claim: one statement, one retrieval unit, one citation id, with sources that can be opened.

The head of a claim is closed: an unknown key is an error. A claim may play one part in a diagnosis
(`symptom`, `cause`, `sign`, `lever`); the templates and the triage build answers from these parts.
"""

import datetime as dt
import re
from typing import Final, Literal

import msgspec

ClaimId = str

CITATION: Final = re.compile(r"\[([a-z0-9-]+\.[a-z0-9-]+)\]")
"""A claim id in square brackets, as claims and answers cite."""

Kind = Literal["fact", "default", "advice", "regression", "number"]


class Closed(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Base of every stored model: frozen, and closed against unknown keys."""


class CodeSource(Closed, frozen=True, tag="code"):
    """A place in a released source distribution; `token` must stand in that file at that version."""

    path: str
    version: str
    token: str

    def label(self) -> str:
        """Path, version and token as one line."""
        return f"{self.path} @ {self.version}: `{self.token}`"

    def url(self) -> str:
        """The file at the release's tag."""
        return f"https://github.com/vllm-project/vllm/blob/v{self.version}/{self.path}"


class ChangeSource(Closed, frozen=True, tag="pr"):
    """A pull request."""

    number: int
    state: Literal["merged", "open", "closed"]
    repo: str = "vllm-project/vllm"

    def label(self) -> str:
        """Repository, number and state as one line."""
        return f"{self.repo}#{self.number} ({self.state})"

    def url(self) -> str:
        """The pull request's page."""
        return f"https://github.com/{self.repo}/pull/{self.number}"


class IssueSource(Closed, frozen=True, tag="issue"):
    """An issue. A closed one says WHY it closed: a closed issue is unfixed until that is read.

    Attributes:
        closed_as: For example `fixed by #1234`, `answered`, `closed by the inactivity bot, not fixed`.
    """

    number: int
    state: Literal["open", "closed"]
    closed_as: str = ""
    repo: str = "vllm-project/vllm"

    def label(self) -> str:
        """Repository, number, state and reason as one line."""
        why = f": {self.closed_as}" if self.closed_as else ""
        return f"{self.repo}#{self.number} ({self.state}{why})"

    def url(self) -> str:
        """The issue's page."""
        return f"https://github.com/{self.repo}/issues/{self.number}"


class PageSource(Closed, frozen=True, tag="doc"):
    """A documentation page, blog post or paper, with the day it was read."""

    link: str
    title: str
    read: dt.date

    def label(self) -> str:
        """Title and day of reading as one line."""
        return f"{self.title} (read {self.read})"

    def url(self) -> str:
        """The page's address."""
        return self.link


class MeasuredSource(Closed, frozen=True, tag="measured"):
    """A measurement of our own: what was run, on what, and what came out."""

    what: str
    hardware: str
    version: str
    date: dt.date

    def label(self) -> str:
        """What was run, where and when, as one line."""
        return f"measured: {self.what}, vLLM {self.version}, {self.hardware}, {self.date}"

    def url(self) -> str:
        """Own measurements have no page."""
        return ""


Source = CodeSource | ChangeSource | IssueSource | PageSource | MeasuredSource


class Checked(Closed, frozen=True):
    """When and against which release the sources were last opened."""

    version: str
    date: dt.date


class Symptom(Closed, frozen=True):
    """What a person sees, and the causes to look at, likeliest and cheapest to check first.

    Attributes:
        id: The symptom's id, for example `itl-spikes`.
        causes: Cause ids in the order to look.
        match: Regular expressions, case-insensitive; any one that is found in the question names the symptom.
    """

    id: str
    causes: tuple[str, ...]
    match: tuple[str, ...]


class Cause(Closed, frozen=True):
    """Why a fault produces what is seen. `id` is a cause id."""

    id: str


class Sign(Closed, frozen=True):
    """How to tell that a cause is at work.

    Attributes:
        cause: The cause id that the sign speaks for.
        metrics: Metric families to read.
        logs: Literal strings vLLM prints when this cause is at work; seen in a pasted log, they are evidence.
        command: A read-only command that shows the sign; `{endpoint}` stands for the server's base URL.
    """

    cause: str
    metrics: tuple[str, ...] = ()
    logs: tuple[str, ...] = ()
    command: str = ""


class Lever(Closed, frozen=True):
    """What to change, as one unit with its cost, warnings, proof and way back.

    Attributes:
        causes: Cause ids it acts on.
        stage: `mitigate` eases it now, `fix` removes it.
        restart: Whether the server must restart.
        moves: Metric and direction, for example `ITL down`, `TTFT up`.
        set: Flags as typed, for example `--max-num-batched-tokens 2048`; empty when nothing is set.
        cost: What it costs, one sentence.
        warnings: Sentences that must never be shown apart from the lever.
        verify: How to see that it worked, one sentence.
        rollback: How to undo it, one sentence.
    """

    causes: tuple[str, ...]
    stage: Literal["mitigate", "fix"]
    restart: bool
    moves: tuple[str, ...]
    cost: str
    verify: str
    rollback: str
    set: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


class Head(Closed, frozen=True):
    """The TOML head of a claim, field by field as it stands in the file.

    Attributes:
        id: `topic.slug`; never reused.
        kind: What kind of statement it is.
        applies: The version range in which every sentence holds.
        checked: When and against which release the sources were last opened.
        sources: At least one.
        asked_as: How operators ask for it; only searched, never shown.
        lay_as: How somebody asks who does not know the field's words; only searched, never shown.
        absent: Flags, variables and metrics that it names although some release of the range lacks them, because
            it says so.
        foreign: Flags that it names and that belong to other programs (`--pid` of py-spy).
        symptom: Its part in a diagnosis, as are `cause`, `sign` and `lever`; at most one.
        withdrawn: The day it stopped holding; it then stays for those who cite it.
        superseded_by: The claim that took its place.
    """

    id: ClaimId
    kind: Kind
    applies: str
    checked: Checked
    sources: tuple[Source, ...]
    asked_as: tuple[str, ...] = ()
    lay_as: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    foreign: tuple[str, ...] = ()
    symptom: Symptom | None = None
    cause: Cause | None = None
    sign: Sign | None = None
    lever: Lever | None = None
    withdrawn: dt.date | None = None
    superseded_by: ClaimId = ""


class Claim(Closed, frozen=True):
    """One statement of the corpus.

    Attributes:
        head: Identity, range, sources and the part it plays.
        title: The statement in one line.
        body: One to three short paragraphs; the first stands alone and is what an answer shows.
        file: The corpus file it stands in, for messages.
        line: The line of its title, 1-based.
    """

    head: Head
    title: str
    body: str
    file: str = ""
    line: int = 0

    @property
    def id(self) -> ClaimId:
        """The citation id, `topic.slug`."""
        return self.head.id

    @property
    def topic(self) -> str:
        """The part of the id before the dot, which is the corpus file's name."""
        return self.head.id.partition(".")[0]

    @property
    def lead(self) -> str:
        """The first paragraph as one line."""
        return " ".join(self.body.split("\n\n", 1)[0].split())

    def text(self) -> str:
        """All the words a citation of this claim can back: title, body and the parts' sentences."""
        head = self.head
        parts = [self.title, self.body]
        if head.symptom:
            parts.append(" ".join(head.symptom.causes))
        if head.sign:
            parts += [*head.sign.metrics, *head.sign.logs, head.sign.command]
        if head.lever:
            lever = head.lever
            parts += [*lever.moves, *lever.set, lever.cost, *lever.warnings, lever.verify, lever.rollback]
        return "\n".join(part for part in parts if part)

"""Sentences that several templates write: a claim's lead, a lever as one unit, fixed labels."""

import re
from typing import Final

from agent.answer import Command, Form, Sentence
from agent.evidence import CauseEvidence, Evidence
from knowledge.causes import causes
from knowledge.corpus.claim import Claim, Sign

LABELS: Final = frozenset(
    {
        "Look first",
        "Seen in what you pasted",
        "Before a restart",
        "Levers",
        "Also",
        "What to change",
        "Further causes, if the signs above are absent",
        "Why",
        "What breaks",
        "What changes without a word",
        "Worth trying after it",
        "For your own launch",
        "In your launch",
        "Between the two releases",
        "What bears on it",
    }
)
"""Headings that say nothing by themselves; every other heading must be a claim's or a cause's name."""

SIGNS_SHOWN: Final = 2
"""Signs of a cause that go into the commands: the first tells it apart, the second is often its log line."""

DEFAULT_ENDPOINT: Final = "http://localhost:8000"
"""Where `vllm serve` listens by default; an address from the question takes its place."""

_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+(?=[A-Z`])")

STAGE: Final = {"mitigate": "Mitigate", "fix": "Fix"}


def heading(label: str) -> Sentence:
    """A heading of fixed words."""
    return Sentence(text=label, form="heading")


def lead(claim: Claim, *, form: Form = "text", label: str = "") -> Sentence:
    """A claim's first paragraph, cited."""
    text = f"**{label}** {claim.lead}" if label else claim.lead
    return Sentence(text=text, claims=(claim.id,), form=form)


def opening(claim: Claim, *, label: str) -> Sentence:
    """A claim's first sentence as a list entry: enough where the next entry says how to see it."""
    return Sentence(text=f"**{label}** {first_sentence(claim)}", claims=(claim.id,), form="item")


def first_sentence(claim: Claim) -> str:
    """The first sentence of a claim: of a cause's, the mechanism."""
    return _SENTENCE_END.split(claim.lead, maxsplit=1)[0]


def lever(claim: Claim) -> list[Sentence]:
    """A lever with its cost, warnings, proof and way back: one unit, shown or dropped together."""
    part = claim.head.lever
    if part is None:
        return [lead(claim, form="item")]
    restart = "needs a restart" if part.restart else "no restart"
    typed = "".join(f" `{flag}`" for flag in part.set)
    warnings = "".join(f" **Careful:** {warning}" for warning in part.warnings)
    rows: tuple[tuple[Form, str], ...] = (
        ("item", f"**{STAGE[part.stage]} ({restart}):**{typed and typed + '.'} {claim.lead}"),
        ("subitem", f"**Costs:** {part.cost}{warnings}"),
        ("subitem", f"**Verify:** {part.verify} **Undo:** {part.rollback}"),
    )
    return [Sentence(text=text, claims=(claim.id,), form=form, unit=claim.id) for form, text in rows]


def other_levers(claims: list[Claim]) -> list[Sentence]:
    """Further levers by name only; `ask corpus show ID` tells the rest, warnings included."""
    if not claims:
        return []
    named = "; ".join(lever_name(claim) for claim in claims)
    return [Sentence(text=f"**Other levers:** {named}.", claims=tuple(c.id for c in claims), form="item")]


def lever_name(claim: Claim) -> str:
    """What a lever sets, as typed; its title when it sets nothing."""
    flags = claim.head.lever.set if claim.head.lever else ()
    return ", ".join(f"`{flag}`" for flag in flags) or claim.title


def cause_heading(evidence: CauseEvidence) -> Sentence:
    """The cause's name; cited by the claim that explains it."""
    name = causes()[evidence.cause]
    cited = evidence.explaining[:1] or evidence.showing[:1]
    return Sentence(text=name[:1].upper() + name[1:], claims=tuple(c.id for c in cited), form="cause")


def look_commands(evidence: Evidence) -> list[Command]:
    """One read of /metrics and one of the log that show the signs of every cause at hand."""
    signs = [claim for cause in evidence.causes for claim in cause.showing[:SIGNS_SHOWN]]
    metrics = _families(signs)
    logs = list(dict.fromkeys(log for claim in signs for log in _sign(claim).logs if "'" not in log))
    commands = []
    if metrics:
        told = evidence.profile.endpoints or (DEFAULT_ENDPOINT,)
        base = told[0].replace("//0.0.0.0", "//localhost")  # what a server binds to is not where it is reached
        commands.append(
            Command(
                command=f"curl -s {base}/metrics | grep -E '^({'|'.join(metrics)})'",
                purpose="every metric that tells these causes apart",
                reads_only=True,
                claims=tuple(claim.id for claim in signs if _sign(claim).metrics),
            )
        )
    if logs and not evidence.pasted:
        needles = " ".join(f"-e '{log}'" for log in logs)
        commands.append(
            Command(
                command=f"grep -nF {needles} server.log",
                purpose="every log line that tells these causes apart",
                reads_only=True,
                claims=tuple(claim.id for claim in signs if _sign(claim).logs),
            )
        )
    return commands


def _sign(claim: Claim) -> Sign:
    return claim.head.sign or Sign(cause="")


def _families(signs: list[Claim]) -> list[str]:
    """The metric names, without those that a shorter one already matches as a prefix."""
    names = list(dict.fromkeys(name for claim in signs for name in _sign(claim).metrics))
    return [name for name in names if not any(name != other and name.startswith(other) for other in names)]


def code(command: Command) -> Sentence:
    """A command as a fenced block."""
    return Sentence(text=command.command, claims=command.claims, form="code")

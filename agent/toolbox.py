"""The tools that the graph can call, with what a front-end says about each and whether it acts.

Adding a tool: a pure function in tools/ that returns a `Traced` result, and one `Tool` in `TOOLS`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from agent.asks import holds_launch, launch_words
from agent.intake.paste import PasteKind
from agent.intake.profile import Profile
from agent.parts import Parts
from agent.plan import LAUNCH_PASTES, ToolCall
from knowledge.corpus.claim import Claim, ClaimId
from knowledge.versions import KnownVersion
from tools.contract import Traced
from tools.flags.launch import Launch, Setting, Word
from tools.flags.launch_checks import LaunchChecks, launch_checks
from tools.flags.standing import Standings, standings
from tools.flags.upgrade import Reading, Upgraded, read_by_both, upgrade
from tools.log_signs import LogSigns, scan


@dataclass(frozen=True, slots=True)
class Workbench:
    """What tools may read during a turn.

    Attributes:
        pastes: Pasted text by kind, redacted.
        parts: The corpus for the release in question.
        question: The person's own words, redacted.
        version: The release in question.
        profile: The deployment as told.
        claims: The whole corpus.
    """

    pastes: Mapping[PasteKind, str]
    parts: Parts
    question: str
    version: KnownVersion
    profile: Profile
    claims: Mapping[ClaimId, Claim]


def _nothing(_call: ToolCall) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as the graph sees it.

    Attributes:
        name: As a plan names it.
        what: What it does, one line for people.
        result: The type of its result.
        run: Does it.
        summary: One line about a result.
        acts: True when it starts a process, sends load or changes a server: it then waits for a yes.
        command: Exactly what an acting tool would run.
        target: What it would run against.
        cost: What that costs.
    """

    name: str
    what: str
    result: type[Traced]
    run: Callable[[ToolCall, Workbench], Traced]
    summary: Callable[[Any], str]
    acts: bool = False
    command: Callable[[ToolCall], str] = _nothing
    target: Callable[[ToolCall], str] = _nothing
    cost: str = ""


SCANNED: tuple[PasteKind, ...] = ("log", "text")


def _scan_paste(_call: ToolCall, bench: Workbench) -> Traced:
    lines = "\n".join(bench.pastes.get(kind, "") for kind in SCANNED).splitlines()
    return scan(lines, bench.parts.signs())


def _signs_summary(result: LogSigns) -> str:
    seen = ", ".join(f"{sign.cause} (line {sign.line})" for sign in result.seen)
    return f"{result.scanned_lines} lines read: {seen or 'no known sign'}"


def _check_launches(_call: ToolCall, bench: Workbench) -> Traced:
    texts = [text for kind in LAUNCH_PASTES if holds_launch(text := bench.pastes.get(kind, ""))]
    return launch_checks(
        [*launch_words(bench.question), *texts],
        bench.version,
        model=bench.profile.model,
        gpu=bench.profile.gpus,
    )


def _checks_summary(result: LaunchChecks) -> str:
    return f"{result.launches} launches read, {len(result.found)} findings for vLLM {result.version}"


def _compare(call: ToolCall, bench: Workbench) -> Traced:
    before, after = call.arguments["before"], call.arguments["after"]
    return upgrade(before, after, bench.claims.values(), launch=_told_launch(bench.profile, before, after))


def _told_launch(profile: Profile, before: str, after: str) -> Reading | None:
    """The launch that the conversation told, as both releases read it; None when it told no flags."""
    if not profile.flags and not profile.env:
        return None
    words = [word for flag, value in profile.flags.items() for word in (flag, value) if word]
    launch = Launch(
        words=tuple(Word(text=word) for word in ([profile.model, *words] if profile.model else words)),
        env=tuple(Setting(name=name, value=value) for name, value in profile.env.items()),
        whole=False,
    )
    return read_by_both(launch, before, after)


def _upgrade_summary(result: Upgraded) -> str:
    return f"vLLM {result.before} to {result.after}: {len(result.changes)} changes"


def _stand(call: ToolCall, bench: Workbench) -> Traced:
    return standings(call.arguments["names"], bench.version.release)


def _standings_summary(result: Standings) -> str:
    return "; ".join(f"{one.name}: {'there' if one.has else 'not there'}" for one in result.names)


TOOLS: dict[str, Tool] = {
    tool.name: tool
    for tool in (
        Tool("log_signs", "look for known signs in what was pasted", LogSigns, _scan_paste, _signs_summary),
        Tool("flags_check", "check the launch against the release", LaunchChecks, _check_launches, _checks_summary),
        Tool("upgrade", "compare two releases", Upgraded, _compare, _upgrade_summary),
        Tool("standings", "look the names up in every release", Standings, _stand, _standings_summary),
    )
}

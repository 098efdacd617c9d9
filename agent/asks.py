"""What a question asks about names, upgrades and launches, read from its words."""

import re
from typing import Final

from knowledge.surface.existence import Unknown
from knowledge.surface.mentions import mentioned
from knowledge.surface.surface import Surface
from knowledge.versions import newest, releases, resolve

_NUMBER: Final = r"v?(\d+\.\d+(?:\.\d+)?(?:\.?post\d+)?)"
_PAIR: Final = re.compile(
    rf"\b{_NUMBER}\s*(?:to|->|→|-+>|\.\.+|and|vs\.?|versus|through|until)\s*(?:vllm\s*)?{_NUMBER}", re.I
)
_FROM: Final = re.compile(rf"\b(?:from|since|after|off|leav\w+)\s+(?:vllm\s*)?{_NUMBER}", re.I)
_WITHIN: Final = re.compile(rf"\b(?:in|with|by)\s+(?:vllm\s*)?{_NUMBER}", re.I)
_TO: Final = re.compile(rf"\b(?:to|onto)\s+(?:vllm\s*)?{_NUMBER}", re.I)
_UPGRADE: Final = re.compile(
    r"upgrad|migrat|updat(?:e|ing)\b|bump|mov(?:e|ing)\s+(?:from|to)"
    r"|(?:what|which|anything)\W.{0,40}(?:chang|new\b|differ|break|broke)"
    r"|chang\w*\s+(?:between|from|since|in)|differen\w+\s+between|release notes|what'?s new",
    re.I,
)
_ABOUT_NAME: Final = re.compile(
    r"\b(?:exist\w*|still|remov\w+|gone|deprecat\w+|replac\w+|renam\w+|availab\w+|valid|support\w*|default|introduc\w+"
    r"|added|instead|happened|since when|which version|what version|when (?:was|did|is)|there in|dropped|obsolete)\b",
    re.I,
)
_LAUNCH: Final = re.compile(r"\bvllm[ \t]+(?:serve|bench)\b|-m[ \t]+vllm\.entrypoints|\bvllm/vllm-openai", re.I)
_BARE_NAME: Final = re.compile(r"(?<![\w./:-])(?=\w*_)[a-z][a-z0-9_]{5,60}(?![\w./:(-])")


def asked_names(question: str) -> tuple[str, ...]:
    """Flags, variables and metrics that a question names, also written as bare words with underscores."""
    surface = Surface.load()
    bare = [word for word in _BARE_NAME.findall(question) if not isinstance(surface.exists(word, newest()), Unknown)]
    return tuple(dict.fromkeys((*mentioned(question), *bare)))


def is_about_a_name(question: str) -> bool:
    """Whether a question asks if a name exists, what it defaults to, or what took its place."""
    return bool(_ABOUT_NAME.search(question))


def asked_upgrade(question: str, running: str = "") -> tuple[str, str] | None:
    """The two releases between which a question asks for changes, or None.

    Args:
        question: The person's words.
        running: The version that the conversation told, for "what breaks when we upgrade to 0.33".

    Returns:
        Known releases, the older one first.
    """
    pair = _PAIR.search(question)
    if not _UPGRADE.search(question) and not (pair and _is_of_versions(pair, question)):
        return None
    before, after = (pair[1], pair[2]) if pair else (_first(_FROM, question), _first(_TO, question))
    if not pair and not before and not after and (within := _first(_WITHIN, question)):
        return _with_previous(_known(within))
    old, new = _known(before or running), _known(after) if after else newest()
    if not old or not new or old == new:
        return None
    order = releases().index
    return (old, new) if order(old) < order(new) else (new, old)


def _with_previous(release: str) -> tuple[str, str] | None:
    at = releases().index(release) if release else 0
    return (releases()[at - 1], release) if at else None


def holds_launch(text: str) -> bool:
    """Whether a text holds a command or a manifest that launches vLLM."""
    return bool(_LAUNCH.search(text))


def _is_of_versions(pair: re.Match[str], question: str) -> bool:
    """Whether two bare numbers are releases: written in full, or in a question about vLLM."""
    return "vllm" in question.lower() or any(number.count(".") > 1 for number in pair.groups())


def launch_words(question: str) -> list[str]:
    """The part of a question from its launch command on, without the question mark behind it; none when it has none."""
    found = _LAUNCH.search(question)
    return [question[found.start() :].rstrip("?!.`\"' \n")] if found else []


def _first(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return found[1] if found else ""


def _known(version: str) -> str:
    """The release that a number means, "" when there is none of that minor."""
    if not version:
        return ""
    minor = ".".join(version.split(".")[:2])
    if not any(release == minor or release.startswith(f"{minor}.") for release in releases()):
        return ""
    return resolve(version).release

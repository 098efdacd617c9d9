"""Tell whether a help text says that its own flag is deprecated, and what it says to use instead."""

import re
from typing import Any

# The text must be about the flag itself: a flag may well speak of deprecated things, as
# `--allow-deprecated-quantization` does, or of one deprecated value among its choices.
_OWN = re.compile(
    r"\[?DEPRECATED\]?|\bDeprecated[:,]"
    r"|(?:option|argument|parameter|flag|field|--[a-z-]+|\)) is (?:now )?deprecated"
    r"|deprecated and will be removed|has been deprecated"
    r"|(?:option|argument|parameter|flag|field) will be removed in (?:v?\d|a future)"
)
_NAME = re.compile(r"--[a-z][a-z0-9_.-]*[a-z0-9]|vllm:[a-z][a-z0-9_]*[a-z0-9]|\bVLLM_[A-Z0-9_]+")
_REMOVAL = re.compile(r"remov(?:ed|al) (?:in|from|at|by) (?:the )?(?:version )?v?(\d+\.\d+(?:\.\d+)?)")


def flag_deprecation(flag: str, text: Any, keyword: Any, action: str | None) -> dict[str, Any] | None:
    """What the release announces about a flag.

    Args:
        flag: The flag's main spelling.
        text: Its help text.
        keyword: The `deprecated=` keyword of its registration.
        action: The name of its action.

    Returns:
        None when it is not deprecated, else what `announcement` gives. An announced removal is not reliable:
        some flags are still accepted then.
    """
    flat = " ".join(text.split()) if isinstance(text, str) else ""
    if not (keyword or "eprecat" in (action or "") or _OWN.search(flat)):
        return None
    return announcement(flat, own_name=flag)


def announcement(text: str, own_name: str = "") -> dict[str, Any]:
    """What a text that deprecates something says of its end and of what to use instead.

    Returns:
        `removal` and `mentions` as far as it says them, else `announced`.
    """
    removal = _REMOVAL.search(text)
    mentions = sorted(set(_NAME.findall(text)) - {own_name})
    said = ({"removal": removal[1]} if removal else {}) | ({"mentions": mentions} if mentions else {})
    return said or {"announced": True}

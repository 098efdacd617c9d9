"""Take secrets out of text before anything is stored, indexed or sent to a model.

Every repetition is bounded, so that a megabyte of any text is read in linear time.
"""

import re
from typing import Final

MARK: Final = "[redacted]"

_KEY: Final = r"(?:api|access|secret|private|master|auth|account|signing|encryption)[-_ ]?key"
# "tokens" are counted, not kept secret: only the singular names one.
_SECRET: Final = rf"(?:{_KEY}s?|token(?!s)|secrets?|passw(?:or)?ds?|passphrases?|credentials?|(?<=_)pwd)"
_NAMED: Final = rf"[\w.-]{{0,80}}{_SECRET}(?![A-Za-z0-9-])"
_QUOTE: Final = r"\\?[\"']"
_BARE: Final = r"(?:[^\s\"',;}\])\\]|[,;](?![\s\"'\])}]|\Z|[\w-]+[=:])){1,4096}"
_VALUE: Final = (
    rf"(?:(?P<quote>{_QUOTE})(?P<quoted>[^\n]{{0,4096}}?)(?P=quote)|(?P<open>{_QUOTE})?(?P<bare>\[redacted\]|{_BARE}))"
)
_NEXT_ARGUMENT: Final = (
    rf"(?:{_QUOTE})?(?:[ \t]+|[ \t]*\\\n[ \t]*|[ \t]*,\s{{0,200}}|[ \t]*\n[ \t]*-[ \t]+)(?!{_QUOTE}?--?[A-Za-z])"
)
_BEHIND_A_NAME: Final = (
    # --api-key X, also as YAML or JSON list entries and over a line that goes on
    rf"(?<![\w-])--{_NAMED}{_NEXT_ARGUMENT}(?!=)",
    # - name: HF_TOKEN, value: X
    (
        rf"\bname{_QUOTE}?[ \t]*:[ \t]*(?:{_QUOTE})?{_NAMED}(?:{_QUOTE})?\s{{0,80}},?\s{{0,80}}"
        rf"(?:{_QUOTE})?value(?:{_QUOTE})?[ \t]*:[ \t]*"
    ),
    rf"\bauthorization(?:{_QUOTE})?[ \t]*[=:][ \t]*(?:{_QUOTE})?(?:(?:bearer|basic|token)[ \t]+)?",
    # HF_TOKEN=X, "password": "X", api_key=['X']
    rf"(?<![\w.-])(?:--)?{_NAMED}(?:{_QUOTE})?[ \t]*(?:=|:(?!//))[ \t]*(?:\[(?!redacted\]))?",
)
_NAMES: Final = tuple(re.compile(f"(?P<keep>{name}){_VALUE}", re.IGNORECASE) for name in _BEHIND_A_NAME)
_FURTHER_KEYS: Final = re.compile(
    rf"(?P<keep>--api[-_]key[= \t]+{re.escape(MARK)})(?P<hide>(?:[ \t]+(?=[^\s-]{{0,256}}\d)[^\s-]\S{{7,256}})+)", re.I
)
_FORMS: Final = (
    re.compile(r"(?P<keep>\bbearer[ \t]+)(?P<hide>[A-Za-z0-9._~+/=-]{8,4096})", re.I),
    re.compile(
        r"(?P<keep>(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,30}://)(?P<hide>[^/\s:@]{0,256}:[^/\s]{1,256})(?=@)", re.I
    ),
    re.compile(r"(?P<keep>\b(?:set-)?cookie[\"']?[ \t]*:[ \t]*)(?P<hide>[^\n]{1,4096})", re.I),
    re.compile(r"(?P<keep>(?<![\w-])pwd[ \t]*=[ \t]*)(?P<hide>[^\s/][^\s]{0,256})", re.I),  # PWD=/path is a folder
    re.compile(r"(?P<keep>\btoken[ \t]+)(?P<hide>(?=[^\s]{0,64}\d)[A-Za-z0-9._-]{10,4096})", re.I),
    # Values that tell by their own form, wherever they stand
    re.compile(r"\b(?P<hide>(?:hf|npm)_[A-Za-z0-9]{16,})"),
    re.compile(r"(?<![A-Za-z0-9-])(?P<hide>sk-[A-Za-z0-9_-]{16,})"),
    re.compile(r"\b(?P<hide>gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,})"),
    re.compile(r"(?<![A-Za-z0-9-])(?P<hide>glpat-[A-Za-z0-9_-]{16,}|nvapi-[A-Za-z0-9_-]{16,})"),
    re.compile(r"(?<![A-Za-z0-9-])(?P<hide>xox[abeprs]-[A-Za-z0-9-]{10,})"),
    re.compile(r"\b(?P<hide>(?:AKIA|ASIA)[A-Z0-9]{16})\b"),
    re.compile(r"\b(?P<hide>AIza[A-Za-z0-9_-]{35})"),
    re.compile(r"(?<![\w-])(?P<hide>eyJ[\w-]{10,4096}\.[\w-]{10,8192}\.[\w-]+)"),
    re.compile(
        r"(?P<keep>-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----)(?P<hide>.*?)(?=-----END [A-Z ]{0,40}PRIVATE KEY-----|\Z)",
        re.DOTALL,
    ),
)
_NOT_SECRET: Final = re.compile(
    r"true|false|none|null|auto|\[redacted\]|is|was|are|and|or|in|on|with|to|for|does|do|the|a|but|if|then", re.I
)
"""Switches, and words of prose after a flag's name."""

_COUNT: Final = re.compile(r"[~<>≈]?\d[\d.,]{0,20}(?:[kKMG]|%|[mun]?s|x|GiB|GB)?[.:?!]?")
"""A number behind `token` is a measurement (`per token: 35ms`); behind `password` it is one."""


def redact(text: str) -> str:
    """Replace every secret by `[redacted]`; the name before it stays, so that the text still reads."""
    for pattern in _NAMES:
        text = pattern.sub(_hide_value, text)
    text = _FURTHER_KEYS.sub(rf"\g<keep> {MARK}", text)
    for pattern in _FORMS:
        text = pattern.sub(_hide, text)
    return text


def _hide_value(match: re.Match[str]) -> str:
    quote = match["quote"] or ""
    value = match["quoted"] if quote else match["bare"]
    counted = "token" in match["keep"].lower() and _COUNT.fullmatch(value or "")
    if not value or counted or _NOT_SECRET.fullmatch(value):
        return match[0]
    return f"{match['keep']}{quote or match['open'] or ''}{MARK}{quote}"


def _hide(match: re.Match[str]) -> str:
    return (match.groupdict().get("keep") or "") + MARK

"""Take secrets out of text before anything is stored, indexed or sent to a model."""

import re
from typing import Final

MARK: Final = "[redacted]"

_NAMED = r"[\w-]*(?:api[-_]?key|token|secret|passw(?:or)?d|credential)s?"
_PATTERNS: Final = (
    # A value behind a telling name: --api-key X, HF_TOKEN=X, "password": "X"
    re.compile(rf"""(?P<keep>(?<![\w-])(?:--)?{_NAMED}["']?\s*[=:]\s*["']?)(?P<hide>[^\s"',;}}]+)""", re.I),
    re.compile(rf"(?P<keep>--{_NAMED}\s+)(?P<hide>[^\s-][^\s]*)", re.I),
    re.compile(r"(?P<keep>\b(?:bearer|basic)\s+)(?P<hide>[A-Za-z0-9._~+/=-]{8,})", re.I),
    re.compile(r"(?P<keep>\b[a-z][a-z0-9+.-]*://)(?P<hide>[^/\s:@]+:[^/\s@]+)(?=@)", re.I),
    # Values that tell by their own form, wherever they stand
    re.compile(r"\b(?P<hide>hf_[A-Za-z0-9]{16,})"),
    re.compile(r"\b(?P<hide>sk-[A-Za-z0-9_-]{16,})"),
    re.compile(r"\b(?P<hide>gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,})"),
    re.compile(r"\b(?P<hide>xox[abeprs]-[A-Za-z0-9-]{10,})"),
    re.compile(r"\b(?P<hide>(?:AKIA|ASIA)[A-Z0-9]{16})\b"),
    re.compile(r"\b(?P<hide>eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]+)"),
    re.compile(
        r"(?P<keep>-----BEGIN [A-Z ]*PRIVATE KEY-----)(?P<hide>.*?)(?=-----END [A-Z ]*PRIVATE KEY-----|\Z)",
        re.DOTALL,
    ),
)
_NOT_SECRET = re.compile(r"\A(?:\d+(?:\.\d+)?[kKmMgG]?|true|false|none|null|\[redacted\])\Z", re.I)
"""Numbers and switches behind a telling name are counts (`max_tokens: 512`), not secrets."""


def redact(text: str) -> str:
    """Replace every secret by `[redacted]`; the name before it stays, so that the text still reads."""
    for pattern in _PATTERNS:
        text = pattern.sub(_hide, text)
    return text


def _hide(match: re.Match[str]) -> str:
    if _NOT_SECRET.match(match["hide"]):
        return match[0]
    keep = match.groupdict().get("keep") or ""
    return keep + MARK

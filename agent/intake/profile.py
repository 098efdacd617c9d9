"""Read the deployment out of a message: version, model, GPUs, flags, variables, SLOs, endpoints.

What is found is kept in the thread, so that the next question need not repeat it; what a later message says wins.
"""

import re
from typing import Final

from knowledge.corpus.claim import Closed
from knowledge.versions import releases

_V: Final = r"v?(?P<version>\d+\.\d+(?:\.\d+)*(?:\.?(?:post|rc|dev)\d+)*(?:\+\w+(?:\.\w+)*)?)(?!\w|%|\.\w)"
_NO_UNIT: Final = r"(?!-\d|[ \t]*(?:ms|s|secs?|seconds?|min|[GMT]i?B|tok\w*|x|×|of|percent)\b|[ \t]*[×%])"
_VERSIONS: Final = (
    re.compile(rf"vllm/vllm-openai[^\s:]{{0,80}}:{_V}", re.I),
    re.compile(rf"\bvllm(?:[ \t]+api[ \t]+server)?[ \t]*(?:version|release|==|:|@|=|-)?[ \t]*{_V}{_NO_UNIT}", re.I),
    re.compile(rf"\bLLM engine \({_V}\)", re.I),
)
_BARE_VERSION: Final = re.compile(
    r"(?:\b(?:(?P<sure>on|version|release|running|upgraded?|we run)|to|in|using|v)[ \t]*"
    rf"|(?<![\w.=-])(?=v?\d[\w.+]{{1,30}}[ \t]on\b)){_V}{_NO_UNIT}",
    re.I,
)
_SHARE: Final = re.compile(
    r"util|memory|fraction|ratio|rate|share|usage|acceptance|temperature|watermark|threshold|top[-_]p"
    r"|penalty|cost|goodput|latency|tt?ft|itl|tpot|[-_=]",
    re.I,
)
"""Words that make the number behind them a share or a time rather than a version."""

SHARE_CHARS: Final = 40
_HUB_MODEL: Final = re.compile(
    r"(?<![\w/.:])((?!vllm/)[A-Za-z0-9][\w-]{2,95}/(?=[\w.]*-|[\w.]{6})[A-Za-z][\w.-]*\d[\w.-]*)(?![\w/])"
)
_FAMILY_MODEL: Final = re.compile(
    r"(?<![\w/.-])((?:deepseek|qwen|llama|mistral|mixtral|ministral|kimi|gemma|glm|minimax|phi|gpt-oss|granite|nemotron"
    r"|ernie|hunyuan|command-r|olmo|internvl|pixtral|falcon)[\w.]{0,40}(?:-[\w.]{1,40}){0,12}"
    r"(?: (?:v\d[\w.]*|\d\.\d|\d+(?:x\d+)?(?:\.\d+)?b)\b){0,2})(?![\w/-])",
    re.I,
)
_GPU: Final = re.compile(
    r"(?:(?<![\w.])(\d{1,4})[ \t]*(?:[x×*][ \t]*|[ \t])|(?<![A-Za-z0-9]))"
    r"((?:NVIDIA[ _-])?(?:(?i:GB[23]00|GB10|B[23]00|GH200|H[12]00|H20|H800|A100|A800|L40S|MI[23]\d\d[AX]?)"
    r"|A10G?|A[346]0|L40|L4|L20|T4|V100"
    r"|RTX[ -]?(?:PRO[ -]?)?[0-9A-Z]{4,6}|Gaudi[ -]?[23]|TPU[ -]?v\d\w*|Ascend[ -]?\w+))"
    r"(?:[ -](?:SXM\d?|PCIe|NVL|\d+ ?GB))*s?(?![A-Za-z0-9])",
)
_FLAG: Final = re.compile(
    r"(?<![\w-])(--?[A-Za-z][\w.-]*)(?:(=|[ \t]+)(\"[^\"]*\"|'[^']*'|\{[^}]*\}|-\d[\d.]*|[^\s\\-][^\s\\]*))?"
)
_SERVE: Final = re.compile(r"\bvllm[ \t]+serve\b|-m[ \t]+vllm\.", re.I)
_ENV: Final = re.compile(r"\b((?:VLLM|NCCL|CUDA|TORCH|NVSHMEM|UCX|HF|OMP)_[A-Z0-9_]+)=([^\s\"']+|\"[^\"]*\"|'[^']*')")
_SLO: Final = re.compile(
    r"\b((?:p\d{2,3}[ \t]+)?(?:TTFT|TPOT|ITL|E2EL?)(?:[ \t]+p\d{2,3})?)[ \t]*"
    r"(?:<=?|≤|under|below|within|at most|(?:SLO|target|budget|limit)[ \t]*(?::|of|is)?)[ \t]*"
    r"(\d+(?:\.\d+)?)[ \t]*(ms|s)\b",
    re.I,
)
_ENDPOINT: Final = re.compile(
    r"\b(https?)://(?:[^\s/@]{1,300}@)?((?:[\w.-]+|\[[0-9a-fA-F:]+\])(:\d+)?)"
    r"(?(3)|(?=/(?:v1|metrics|health|version)\b|/?(?:[\s,;?!)\"'`]|\.?$|\.\s)))"
)
"""A server's address; a link to a page has neither a port nor one of the server's paths."""

_VALUE: Final = re.compile(r"-?[\d.]+[kKmMgG]?|true|false|\{.*|\".*|'.*", re.I)
PROSE_ENDS: Final = ".,;:?!)"


class Profile(Closed, frozen=True):
    """The deployment as far as the conversation has told it.

    Attributes:
        version: vLLM version as written, not yet resolved.
        model: Model name or hub id.
        gpus: For example `8x H200`.
        flags: Server flags with their values; `""` for a switch.
        env: Environment variables with their values.
        slos: For example `p95 TTFT < 500 ms`.
        endpoints: Base URLs, `scheme://host:port`.
    """

    version: str = ""
    model: str = ""
    gpus: str = ""
    flags: dict[str, str] = {}
    env: dict[str, str] = {}
    slos: tuple[str, ...] = ()
    endpoints: tuple[str, ...] = ()

    def facts(self) -> str:
        """What is known, as a list in words; empty when nothing is."""
        version = f"vLLM {self.version}" if self.version else ""
        flags = " ".join(f"{flag} {value}".strip() for flag, value in self.flags.items())
        return ", ".join(filter(None, (version, self.model, self.gpus, flags, *self.slos, *self.endpoints)))

    def updated(self, newer: "Profile") -> "Profile":
        """This profile with everything that a newer message told."""
        return Profile(
            version=newer.version or self.version,
            model=newer.model or self.model,
            gpus=newer.gpus or self.gpus,
            flags={**self.flags, **newer.flags},
            env={**self.env, **newer.env},
            slos=newer.slos or self.slos,
            endpoints=newer.endpoints or self.endpoints,
        )


HEAD_CHARS: Final = 20_000
"""Start-up facts stand at the head of a log; reading more of a paste for them costs time and finds echoes."""


def read_profile(text: str, pasted: str = "") -> Profile:
    """Read what one message tells.

    Args:
        text: What the person wrote; wins over the paste.
        pasted: Redacted pastes.
    """
    head = pasted[:HEAD_CHARS]
    return _read(head).updated(_read(text))


def _read(text: str) -> Profile:
    return Profile(
        version=_version(text),
        model=_model(text),
        gpus=_gpus(text),
        flags=_flags(text),
        env={m[1]: m[2].strip("\"'") for m in _ENV.finditer(text)},
        slos=tuple(f"{' '.join(m[1].split())} < {m[2]} {m[3]}" for m in _SLO.finditer(text)),
        endpoints=tuple(dict.fromkeys(f"{m[1]}://{m[2].rstrip('.')}" for m in _ENDPOINT.finditer(text))),
    )


def _version(text: str) -> str:
    for pattern in _VERSIONS:
        if match := pattern.search(text):
            return match["version"]
    bare = [match["version"] for match in _BARE_VERSION.finditer(text) if _is_version(match, text)]
    return bare[-1] if bare else ""  # "from 0.22 to 0.33": the one that will run


def _is_version(match: re.Match[str], text: str) -> bool:
    """Whether a bare number is a release: its minor exists, and its sentence does not speak of a share or a time."""
    version = match["version"]
    if ".".join(version.split(".")[:2]) not in {".".join(release.split(".")[:2]) for release in releases()}:
        return False
    if match["sure"] or version.count(".") > 1:
        return True
    spoken = text[max(0, match.start() - SHARE_CHARS) : match.start()]
    return not _SHARE.search(re.split(r"[.;\n]\s|,", spoken)[-1])


def _model(text: str) -> str:
    for pattern in (_HUB_MODEL, _FAMILY_MODEL):
        for match in pattern.finditer(text):
            if any(c.isdigit() for c in match[1]):
                return match[1].rstrip(".")
    return ""


def _gpus(text: str) -> str:
    found = list(_GPU.finditer(text))
    if not found:
        return ""
    best = next((m for m in found if m[1]), found[0])
    name = best[2].replace("_", " ")
    name = name.upper() if name.islower() else name
    return f"{best[1]}x {name}" if best[1] else name


def _flags(text: str) -> dict[str, str]:
    """Flags with values from a launch command; from prose only those whose value is plainly one."""
    command = bool(_SERVE.search(text))
    found: dict[str, str] = {}
    for match in _FLAG.finditer(text):
        name, joint, value = _dashed(match[1]), match[2], match[3] or ""
        if not name.startswith("--") and not command:
            continue
        if not command:
            value = value.rstrip(PROSE_ENDS)
        if command or joint == "=" or not value or _VALUE.fullmatch(value):
            found[name] = value.strip("\"'")
        else:
            found.setdefault(name, "")
    return found


def _dashed(flag: str) -> str:
    """One spelling for `--max_num_seqs` and `--max-num-seqs`; what follows a dot is a field and stays."""
    name, dot, field = flag.rstrip(".").partition(".")
    return name.replace("_", "-") + dot + field

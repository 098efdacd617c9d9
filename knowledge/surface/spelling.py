"""Read any spelling in which a person names a flag, an environment variable or a metric."""

import re
from dataclasses import dataclass

from knowledge.surface.kinds import Kind

# What a sample's name adds to its family's, by the family's kind.
SUFFIXES: dict[str, tuple[str, ...]] = {
    "counter": ("_total", "_created"),
    "histogram": ("_bucket", "_sum", "_count", "_created"),
    "summary": ("_sum", "_count", "_created"),
    "gauge": (),
    "info": ("_info",),
    "": (),
}

_LEVEL = re.compile(r"-O[.=]?\d?")
_ENV = re.compile(r"[A-Z][A-Z0-9_]*")
_CONFIG_KEY = re.compile(r"[A-Z]\w*[a-z]\w*(\.\w+)+")


@dataclass(frozen=True, slots=True)
class Asked:
    """One way to read what was typed.

    Attributes:
        kind: The kind of fact it may name.
        name: The name, spelled as vLLM spells it.
        keys: For a flag or a config class, the keys that follow in `--compilation-config.mode`.
    """

    kind: Kind
    name: str
    keys: tuple[str, ...] = ()


def readings(text: str) -> tuple[Asked, ...]:
    """The ways to read a spelling, the likeliest first.

    Args:
        text: For example `--swap-space`, `swap_space`, `--max_model_len=8k`, `-cc.mode=3`, `-O3`,
            `CompilationConfig.mode`, `VLLM_USE_V1`, `vllm:num_requests_running`, `prompt_tokens_total`.
    """
    bare = re.split(r"[={\s]", text.strip().strip("`'\""), maxsplit=1)[0]
    if bare.startswith("-"):
        return (_flag(text.strip().strip("`'\"") if bare.startswith("-O") else bare),)
    if bare.startswith("vllm:"):
        return (Asked("metrics", bare),)
    if _CONFIG_KEY.fullmatch(bare):
        cls, *keys = bare.split(".")
        return (Asked("config_keys", cls, tuple(keys)),)
    if _ENV.fullmatch(bare):
        return (Asked("env", bare),)
    return (
        _flag(f"--{bare}"),
        Asked("metrics", f"vllm:{bare}"),
        Asked("bench", bare),
        Asked("moe_configs", bare),
    )


def _flag(text: str) -> Asked:
    """A flag: dashes in its name, underscores in the keys behind a dot, as vLLM's parser rewrites them."""
    if _LEVEL.fullmatch(text):
        return Asked("flags", "-O")
    name, *keys = text.partition("=")[0].split(".")
    dashes = len(name) - len(name.lstrip("-"))
    spelled = name[:dashes] + name[dashes:].replace("_", "-")
    return Asked("flags", spelled, tuple(key.rstrip("+").replace("-", "_") for key in keys))


def family_of(sample: str, families: dict[str, frozenset[str]]) -> str | None:
    """The family that a sample's or family's name belongs to.

    Args:
        sample: For example `vllm:prompt_tokens_total`.
        families: Family to the kinds it has had.

    Returns:
        The family, or None. A family of exactly that name wins: `vllm:iteration_tokens_total` is a histogram.
    """
    if sample in families:
        return sample
    for family, kinds in families.items():
        suffixes = {suffix for kind in kinds for suffix in SUFFIXES[kind]}
        if sample.startswith(family) and sample.removeprefix(family) in suffixes:
            return family
    return None

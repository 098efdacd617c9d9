"""How a launch splits the model: the sizes that several rules look at."""

from dataclasses import dataclass
from typing import Final

from knowledge.catalog.layers import Attention, LatentAttention
from knowledge.catalog.model import Model
from tools.flags.subject import Subject

DEEPEP: Final = ("deepep_low_latency", "deepep_high_throughput")


@dataclass(frozen=True, slots=True)
class Layout:
    """Parallel sizes; None where the launch sets one to something that is not known.

    Attributes:
        tensor: `--tensor-parallel-size`.
        data: `--data-parallel-size`.
        pipeline: `--pipeline-parallel-size`.
        decode_context: `--decode-context-parallel-size`; 1 where the release has none.
        experts: Whether `--enable-expert-parallel` is given.
    """

    tensor: int | None
    data: int | None
    pipeline: int | None
    decode_context: int | None
    experts: bool


def layout(subject: Subject) -> Layout:
    """Read the sizes of a launch."""
    return Layout(
        tensor=_size(subject, "--tensor-parallel-size"),
        data=_size(subject, "--data-parallel-size"),
        pipeline=_size(subject, "--pipeline-parallel-size"),
        decode_context=_size(subject, "--decode-context-parallel-size"),
        experts=subject.is_on("--enable-expert-parallel"),
    )


def _size(subject: Subject, flag: str) -> int | None:
    if flag not in subject.release.flags:
        return 1
    value = subject.value(flag)
    return value if isinstance(value, int) and value > 0 else None


def attention_heads(model: Model) -> list[int]:
    """The different numbers of query heads in a model's softmax and latent attention layers."""
    return sorted({mixer.heads for _, mixer in model.mixers() if isinstance(mixer, Attention | LatentAttention)})


def kv_heads(model: Model) -> list[int]:
    """The different numbers of KV heads in a model's softmax attention layers."""
    return sorted({mixer.kv_heads for _, mixer in model.mixers() if isinstance(mixer, Attention)})


def is_latent(model: Model) -> bool:
    """Whether a model caches one latent vector per token for all heads (MLA)."""
    return any(isinstance(mixer, LatentAttention) for _, mixer in model.mixers())


def all2all(subject: Subject) -> str | None:
    """The back end of the expert exchange: as given, or the default; None when it is not known."""
    value = subject.value("--all2all-backend")
    setting = subject.setting("VLLM_ALL2ALL_BACKEND")
    if setting and setting.name in subject.release.env:
        return setting.value
    return value if isinstance(value, str) else None

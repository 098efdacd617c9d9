"""What a look-up by name may answer: found, ambiguous or not found, never a guess."""

from dataclasses import dataclass

from knowledge.catalog.gpu import Gpu
from knowledge.catalog.model import Model, Quantisation


@dataclass(frozen=True, slots=True)
class FoundModel:
    """One model is meant.

    Attributes:
        model: Its facts.
        name: The id of the checkpoint that was meant, as published or as asked.
        quantisation: How that checkpoint is stored; None is the model's dtype.
        basis: One clause that tells how the name led here.
    """

    model: Model
    name: str
    quantisation: Quantisation | None
    basis: str


@dataclass(frozen=True, slots=True)
class FoundGpu:
    """One GPU is meant.

    Attributes:
        gpu: Its facts.
        count: How many, when the name said it, as `8xH200` does.
        basis: One clause that tells how the name led here.
    """

    gpu: Gpu
    count: int | None
    basis: str


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Several entries fit; the person chooses.

    Attributes:
        asked: The name as asked.
        candidates: Ids that fit, at most a dozen.
        reason: What the name leaves open.
    """

    asked: str
    candidates: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class NotFound:
    """No entry fits.

    Attributes:
        asked: The name as asked.
        near: Ids with a similar name, which may be none.
        reason: What was looked for, and what to do.
    """

    asked: str
    near: tuple[str, ...]
    reason: str

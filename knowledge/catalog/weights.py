"""Bytes of a checkpoint's weights, part by part, from the parameter count and how each part is stored."""

from typing import Final

from knowledge.catalog.model import Format, Model, Quantisation
from knowledge.catalog.params import Term, parameters
from knowledge.corpus.claim import Closed

_BITS: Final[dict[str, float]] = {"fp8": 8, "mxfp8": 8, "int8": 8, "nvfp4": 4, "mxfp4": 4, "int4": 4}
_SCALE_BITS: Final[dict[str, int]] = {"fp8": 32, "mxfp8": 8, "int8": 16, "nvfp4": 8, "mxfp4": 8, "int4": 16}
_DTYPE_BYTES: Final[dict[str, int]] = {"float32": 4, "float16": 2, "bfloat16": 2}
_LINEAR_PARTS: Final = ("attention", "linear attention", "dense", "routed experts", "shared experts")


class WeightTerm(Closed, frozen=True):
    """One part's bytes.

    Attributes:
        part: The part, as in the parameter count.
        stored: Its format, or the model's dtype.
        formula: The arithmetic with its numbers.
        value_bytes: Bytes over all layers, scales included.
    """

    part: str
    stored: str
    formula: str
    value_bytes: float


class Weights(Closed, frozen=True):
    """The bytes of all parts."""

    terms: tuple[WeightTerm, ...]

    @property
    def total_bytes(self) -> float:
        """Bytes of the checkpoint, MTP layers not included."""
        return sum(term.value_bytes for term in self.terms)


def weights(model: Model, quantisation: Quantisation | None) -> Weights:
    """Work out what the weights take.

    Args:
        model: The model.
        quantisation: How the checkpoint is stored; None is the model's dtype throughout.
    """
    return Weights(terms=tuple(_term(model, term, quantisation) for term in parameters(model).terms))


def _term(model: Model, term: Term, quantisation: Quantisation | None) -> WeightTerm:
    stored = _stored(term.part, quantisation)
    group = quantisation.group if quantisation and stored == quantisation.format else ()
    size = _bytes_per_weight(stored, group) if stored else _DTYPE_BYTES.get(model.dtype, 2)
    return WeightTerm(
        part=term.part,
        stored=stored or model.dtype,
        formula=f"{term.value} parameters x {size:g} bytes",
        value_bytes=term.value * size,
    )


def _stored(part: str, quantisation: Quantisation | None) -> Format | None:
    """The format of a part, None for the model's dtype."""
    if quantisation is None:
        return None
    for other, stored in quantisation.others.items():
        if other == part:
            return None if stored == "kept" else stored
    return quantisation.format if part in _LINEAR_PARTS else None


def _bytes_per_weight(stored: Format, group: tuple[int, ...]) -> float:
    """Bytes per weight with its share of the scales; one scale per tensor or channel is left out."""
    elements = 1
    for edge in group or {"nvfp4": (16,), "mxfp4": (32,), "mxfp8": (32,)}.get(stored, ()):
        elements *= edge
    return (_BITS[stored] + (_SCALE_BITS[stored] / elements if elements > 1 else 0)) / 8

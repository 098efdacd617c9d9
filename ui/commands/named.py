"""The model or GPU that a name typed by a person means, or an error that says what it may have meant."""

from typing import TypeVar

from knowledge.catalog import catalog
from knowledge.catalog.found import Ambiguous, FoundGpu, FoundModel, NotFound
from knowledge.errors import UserError

FoundT = TypeVar("FoundT", FoundModel, FoundGpu)


def model_named(name: str) -> FoundModel:
    """The model.

    Raises:
        UserError: The name fits none or several; says which.
    """
    return _one(catalog.model(name))


def gpu_named(name: str) -> FoundGpu:
    """The GPU.

    Raises:
        UserError: The name fits none or several; says which.
    """
    return _one(catalog.gpu(name))


def _one(answer: FoundT | Ambiguous | NotFound) -> FoundT:
    match answer:
        case Ambiguous():
            raise UserError(f"{answer.asked!r} may mean several: {', '.join(answer.candidates)}; {answer.reason}")
        case NotFound():
            near = f"; near: {', '.join(answer.near)}" if answer.near else ""
            raise UserError(f"{answer.reason}{near}")
        case _:
            return answer

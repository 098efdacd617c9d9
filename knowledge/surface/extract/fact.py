"""A fact as it is read from one release."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that a release accepts, exports or ships.

    Attributes:
        name: What it is called, unique within its kind.
        attributes: What is known of it, as JSON can hold it.
        where: The `file:line` that shows it; empty when the file itself is the fact.
    """

    name: str
    attributes: dict[str, Any]
    where: str = ""

"""What took the place of a name, as it is typed."""

from dataclasses import dataclass

from knowledge.surface.renames import renames_from
from tools.flags.paths import typed_key


@dataclass(frozen=True, slots=True)
class Successor:
    """What took the place of a name.

    Attributes:
        typed: What to write instead; "" when nothing is known.
        note: How to use it; "" when there is nothing to say.
    """

    typed: str = ""
    note: str = ""


def successor(name: str, release: str) -> Successor:
    """What took the place of a flag, variable, metric or `Class.key`.

    Args:
        name: The name as vLLM spells it.
        release: The release in which the successor is to be typed.
    """
    renames = renames_from({name})
    typed = " or ".join(typed_key(new, release) for rename in renames for new in rename.new)
    return Successor(typed, " ".join(rename.note for rename in renames))

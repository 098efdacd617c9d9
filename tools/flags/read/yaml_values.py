"""Read YAML into plain values whose texts know their lines; scalars stay as written."""

import re
from collections.abc import Iterator
from typing import Any, Final

from knowledge.errors import UserError
from tools.flags.launch import OPAQUE
from tools.flags.read.located import Located

NODES_AT_MOST: Final = 50_000
DEPTH_AT_MOST: Final = 60

_ONLY_TEMPLATE: Final = re.compile(
    r"^\s*\{\{-?\s*(?:if|else|end|range|with|define|include|template|/\*|tpl|fail)\b.*\}\}\s*$"
)
_TEMPLATE: Final = re.compile(r"\{\{.*?\}\}")


def documents(text: str, name: str = "") -> list[Any]:
    """Every document of a YAML stream: dicts, lists, `Located` texts, and None.

    Args:
        text: The stream; Helm's `{{ … }}` become `OPAQUE`.
        name: The file, for messages.

    Raises:
        UserError: It is not YAML, or unfolds to too much.
    """
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        nodes = list(yaml.compose_all(_without_templates(text), Loader=loader))
        return [_Values(name).value(node, 0) for node in nodes if node is not None]
    except yaml.YAMLError as exc:
        mark = getattr(exc, "problem_mark", None)
        line = f" line {mark.line + 1}" if mark else ""
        problem = getattr(exc, "problem", None) or "it does not parse"
        raise UserError(f"{name or 'the input'}{line}: not YAML: {problem}") from exc
    except (RecursionError, ValueError) as exc:
        raise UserError(f"{name or 'the input'}: not YAML that can be read: {exc}") from exc


def _without_templates(text: str) -> str:
    lines = ["" if _ONLY_TEMPLATE.match(line) else _TEMPLATE.sub(OPAQUE, line) for line in text.split("\n")]
    return "\n".join(lines)


class _Values:
    def __init__(self, name: str) -> None:
        self.name = name
        self.left = NODES_AT_MOST

    def value(self, node: Any, depth: int) -> Any:
        self.left -= 1
        if self.left < 0 or depth > DEPTH_AT_MOST:
            raise UserError(f"{self.name or 'the input'}: its anchors unfold to too much; give the launch alone")
        if node.id == "scalar":
            if node.tag == "tag:yaml.org,2002:null":
                return None
            return Located(node.value, node.start_mark.line + 1)
        if node.id == "sequence":
            return [self.value(child, depth + 1) for child in node.value]
        return self._mapping(node, depth)

    def _mapping(self, node: Any, depth: int) -> dict[str, Any]:
        own: dict[str, Any] = {}
        merged: dict[str, Any] = {}
        for key, child in node.value:
            if key.id != "scalar":
                continue
            value = self.value(child, depth + 1)
            if key.value == "<<":
                for one in value if isinstance(value, list) else [value]:
                    merged = {**(one if isinstance(one, dict) else {}), **merged}
            else:
                own[Located(key.value, key.start_mark.line + 1)] = value
        return {**merged, **own}


def mappings(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    """Every mapping in a value with the keys that lead to it, outer ones first."""
    if isinstance(value, dict):
        yield path, value
        for key, child in value.items():
            yield from mappings(child, (*path, str(key)))
    elif isinstance(value, list):
        for child in value:
            yield from mappings(child, path)


def texts(value: Any) -> list[Located]:
    """The texts of a list; of a text that text; anything else is left out."""
    if isinstance(value, Located):
        return [value]
    return [item for item in value if isinstance(item, Located)] if isinstance(value, list) else []

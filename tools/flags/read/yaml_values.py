"""Read YAML into plain values whose texts know their lines; scalars stay as written."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from knowledge.errors import UserError
from tools.flags.launch import OPAQUE
from tools.flags.read.located import Located, line_of

NODES_AT_MOST: Final = 200_000
DEPTH_AT_MOST: Final = 60

CHARS_A_NODE: Final = 100
"""A text counts as one more value for so many characters, or a long one with many aliases would fill the memory."""

NODES_A_DOCUMENT: Final = 100
"""Each document is looked through in several ways, however small it is."""

_BLOCKS: Final = frozenset({"|", ">"})
_ONLY_TEMPLATE: Final = re.compile(r"\{\{[^{}]*\}\}")


def documents(text: str) -> Iterator[Any]:
    """Every document of a YAML stream: dicts, lists, `Located` texts, and None.

    Args:
        text: The stream; Helm's `{{ … }}` become `OPAQUE`.

    Raises:
        UserError: It is not YAML, or unfolds to too much.
    """
    import yaml

    lines = [_without_templates(line) for line in text.split("\n")]
    values = _Values(lines)
    try:
        for node in yaml.compose_all("\n".join(lines), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            if node is not None:
                yield values.of_document(node)
    except yaml.YAMLError as exc:
        mark = getattr(exc, "problem_mark", None)
        problem = getattr(exc, "problem", None) or "it holds characters that YAML does not allow"
        raise UserError(
            f"line {min(mark.line + 1, len(lines)) if mark else 1}: not YAML: {problem}; mend it there"
        ) from exc
    except (RecursionError, ValueError) as exc:
        raise UserError(f"line 1: not YAML that can be read: {exc}; give the launch alone") from exc


def _without_templates(line: str) -> str:
    if _ONLY_TEMPLATE.fullmatch(line.strip()):
        return ""
    kept: list[str] = []
    at = 0
    while (begin := line.find("{{", at)) >= 0 and (end := line.find("}}", begin)) >= 0:
        kept += [line[at:begin], OPAQUE]
        at = end + 2
    return "".join([*kept, line[at:]])


class _Values:
    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.left = NODES_AT_MOST

    def of_document(self, node: Any) -> Any:
        self.left -= NODES_A_DOCUMENT
        return self.value(node, 0)

    def value(self, node: Any, depth: int) -> Any:
        self.left -= 1 + (len(node.value) // CHARS_A_NODE if node.id == "scalar" else 0)
        if self.left < 0 or depth > DEPTH_AT_MOST:
            line = node.start_mark.line + 1
            raise UserError(f"line {line}: it holds, or its anchors unfold to, too much; give the launch alone")
        if node.id == "scalar":
            return self._scalar(node)
        if node.id == "sequence":
            return [self.value(child, depth + 1) for child in node.value]
        return self._mapping(node, depth)

    def _scalar(self, node: Any) -> Located | None:
        kind = node.tag.rpartition(":")[2]
        if kind == "null":
            return None
        first = node.start_mark.line + (1 if node.style in _BLOCKS else 0)
        return Located(node.value, first + 1, self._breaks(node, first), kind)

    def _breaks(self, node: Any, first: int) -> tuple[int, ...] | None:
        """Where in a folded text its further lines begin; None when its own line ends tell, as in a literal one."""
        end = node.end_mark
        if node.style == "|":
            return None
        if end.line <= first:
            return ()
        lines = (
            [*self.lines[first : end.line], self.lines[end.line][: end.column]] if end.line < len(self.lines) else []
        )
        if node.style in ("'", '"') and lines:
            lines[0], lines[-1] = lines[0][node.start_mark.column + 1 :], lines[-1][:-1]
        elif node.style not in _BLOCKS and lines:
            lines[0] = lines[0][node.start_mark.column :]
        return _breaks(node.value, lines)

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


def _breaks(value: str, lines: list[str]) -> tuple[int, ...]:
    """Find the words of source lines in the text that they were folded into."""
    begins: list[int] = []
    at = 0
    for number, line in enumerate(lines):
        for place, word in enumerate(line.split()):
            at = value.find(word, at)
            if at < 0:
                return ()
            if place == 0:
                begins += [at] * (number - len(begins))
            at += len(word)
    return tuple(begins)


def mappings(value: Any, name: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every mapping in a value with the name that it or the nearest one around it has, outer ones first."""
    if isinstance(value, dict):
        name = str(value["name"]) if isinstance(value.get("name"), Located) else name
        yield name, value
        for child in value.values():
            yield from mappings(child, name)
    elif isinstance(value, list):
        for child in value:
            yield from mappings(child, name)


def texts(value: Any) -> list[Located]:
    """The texts of a list, a mapping in it as JSON; of a text that text; anything else is left out."""
    if isinstance(value, Located):
        return [value]
    items = value if isinstance(value, list) else []
    return [
        Located(json.dumps(plain(item)), _line(item)) if isinstance(item, dict) else item
        for item in items
        if isinstance(item, Located | dict)
    ]


def _line(mapping: dict[str, Any]) -> int:
    return line_of(next(iter(mapping), Located("")))


def plain(value: Any) -> Any:
    """A value as YAML means it: numbers and booleans are no texts."""
    if isinstance(value, dict):
        return {str(key): plain(child) for key, child in value.items()}
    if isinstance(value, list):
        return [plain(child) for child in value]
    if not isinstance(value, Located) or value.kind not in {"bool", "int", "float"}:
        return None if value is None else str(value)
    import yaml

    try:
        return yaml.safe_load(value)
    except (yaml.YAMLError, ValueError):
        return str(value)

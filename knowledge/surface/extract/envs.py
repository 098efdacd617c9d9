"""The environment variables that a release reads."""

import ast
import re
from collections.abc import Iterator
from typing import Any

from knowledge.surface.extract.deprecation import announcement
from knowledge.surface.extract.execute import ParserReader
from knowledge.surface.extract.fact import Fact
from knowledge.surface.extract.source import Module, SourceTree
from knowledge.surface.extract.syntax import argument_of, text_of
from knowledge.surface.extract.values import Scope, Unknown, Value, is_unknown, plain

ENVS = "vllm.envs"
TABLES = {"environment_variables", "env_variables"}
CHOICE_READERS = re.compile(r"env_(?:with|list_with|set_with)_choices$")

_DEPRECATED = re.compile(r"deprecat|will be removed", re.IGNORECASE)
_READ = re.compile(
    r"(?:os\.getenv|os\.environ\.get|os\.environ\.pop|\benviron)\s*[(\[]\s*(?:[\"'](VLLM_[A-Z0-9_]+)[\"']|([A-Z_]+)\b)"
    r"|[\"'](VLLM_[A-Z0-9_]+)[\"']\s+(?:not )?in os\.environ"
)
_CONSTANT = re.compile(r"^([A-Z_]+)\s*=\s*[\"'](VLLM_[A-Z0-9_]+)[\"']", re.MULTILINE)


def env_facts(reader: ParserReader) -> list[Fact]:
    """The variables of the release's own table, and the `VLLM_` ones that other files read past it.

    Raises:
        ValueError: The release has no `vllm/envs.py`.
    """
    envs = reader.tree.module(ENVS)
    if envs is None:
        raise ValueError("vllm/envs.py is gone: find where environment variables are declared now")
    known = {fact.name: fact for key, getter in _table(envs) for fact in _table_fact(key, getter, envs, reader)}
    outside = {fact.name: fact for fact in _read_elsewhere(reader.tree, envs.path) if fact.name not in known}
    return sorted([*known.values(), *outside.values()], key=lambda fact: fact.name)


def _table(envs: Module) -> Iterator[tuple[ast.expr | None, ast.expr]]:
    """Name and getter of every entry, those that are added later with `update` too."""
    for node in ast.walk(envs.tree):
        table: ast.expr | None = None
        if isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            table = node.value if isinstance(target, ast.Name) and target.id in TABLES else None
        elif isinstance(node, ast.Call) and ast.unparse(node.func).removesuffix(".update") in TABLES:
            table = next(iter(node.args), None)
        if isinstance(table, ast.Dict):
            yield from zip(table.keys, table.values, strict=True)


def _table_fact(key: ast.expr | None, getter: ast.expr, envs: Module, reader: ParserReader) -> Iterator[Fact]:
    """The fact of one entry; none when its name is not a literal."""
    name = text_of(key)
    if not key or not name:
        return
    deprecation: dict[str, Any] = {}
    if isinstance(getter, ast.Call) and ast.unparse(getter.func).endswith("deprecated_env"):
        # deprecated_env(name, removal, what to use instead, getter)
        deprecation = announcement(" ".join(_texts(getter)), own_name=name)
        getter = getter.args[-1]
    elif _DEPRECATED.search(_comment_above(reader.tree, envs, key)):
        deprecation = announcement("")
    attributes: dict[str, Any] = {"default": _default(name, getter, envs, reader)}
    choices = _choices(getter, envs, reader)
    if choices:
        attributes["choices"] = choices
    if deprecation:
        attributes["deprecated"] = deprecation
    yield Fact(name, attributes, envs.where(key))


def _default(name: str, getter: ast.expr, envs: Module, reader: ParserReader) -> Any:
    """What the getter gives when the variable is not set, else the declared default."""
    value: Value = Unknown(name)
    if isinstance(getter, ast.Lambda):
        value = reader.compute(getter.body, Scope(envs))
    elif isinstance(getter, ast.Call) and CHOICE_READERS.search(ast.unparse(getter.func)):
        default = argument_of(getter, "default", position=1)
        value = reader.evaluate(default, Scope(envs)) if default else None
    declared = envs.typing_names.get(name)
    if is_unknown(value) and isinstance(declared, ast.AnnAssign) and declared.value:
        value = reader.evaluate(declared.value, Scope(envs))
    return plain(value)


def _choices(getter: ast.expr, envs: Module, reader: ParserReader) -> Any:
    if isinstance(getter, ast.Call) and CHOICE_READERS.search(ast.unparse(getter.func)):
        listed = argument_of(getter, "choices", position=2)
        choices = plain(reader.evaluate(listed, Scope(envs))) if listed else None
        return choices if isinstance(choices, list) else None
    return None


def _texts(call: ast.Call) -> list[str]:
    """The text arguments of a call, the release it names written as an announcement."""
    texts = [text for argument in call.args if (text := text_of(argument))]
    return [f"removed in {text}" if re.fullmatch(r"v[\d.]+", text) else text for text in texts]


def _comment_above(tree: SourceTree, envs: Module, key: ast.expr) -> str:
    lines = tree.text(envs.path).splitlines()
    start = key.lineno - 1
    while start > 0 and lines[start - 1].lstrip().startswith("#"):
        start -= 1
    return " ".join(lines[start : key.lineno - 1])


def _read_elsewhere(tree: SourceTree, envs_path: str) -> Iterator[Fact]:
    """`VLLM_` variables that other files read from the environment themselves."""
    for path, text in tree.files("vllm/"):
        if path == envs_path or "VLLM_" not in text or ("environ" not in text and "getenv" not in text):
            continue
        constants = dict(_CONSTANT.findall(text))
        for match in _READ.finditer(text):
            name = match[1] or match[3] or constants.get(match[2])
            if name:
                line = text.count("\n", 0, match.start()) + 1
                yield Fact(name, {"outside_table": True}, f"{path}:{line}")

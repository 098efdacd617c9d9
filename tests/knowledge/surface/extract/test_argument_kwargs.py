"""Types to argparse keywords, in the dialect of each time."""

from collections.abc import Callable
from typing import Any

import pytest

from knowledge.surface.extract.argument_kwargs import KwargsBuilder, read_dialect
from knowledge.surface.extract.execute import ParserReader
from knowledge.surface.extract.source import SourceTree

Make = Callable[..., SourceTree]

CONFIG = """
from typing import Annotated, Any, Dict, List, Literal, Optional, Union
Size = Literal[2, 1]
Name = Literal["b", "a"]
class Wanted:
    field: {annotation} = None
"""
SHOWN = {"type", "nargs", "choices", "metavar", "action"}
OLD = "def get_kwargs(cls):\n    kwargs[name]['choices'].append('None')\n"
NEW = """
def get_kwargs(cls):
    kwarg = "metavar" if contains_type(type_hints, str) else "choices"
    generator = (th for th in type_hints if is_dataclass(th))
    if type_hints == {bool, str, type(None)}: ...
    kwargs[name]["choices"].append(None)
"""


def kwargs(make_tree: Make, annotation: str, dialect: str) -> dict[str, Any]:
    config = CONFIG.replace("{annotation}", annotation)
    reader = ParserReader(make_tree(vllm__wanted=config, vllm__engine__arg_utils=dialect))
    cls = reader.classes.named("vllm.wanted", "Wanted")
    module = reader.tree.module("vllm.engine.arg_utils")
    assert cls is not None
    assert module is not None
    builder = KwargsBuilder(read_dialect(module), reader.classes, reader.hints, reader.default_of)
    made = builder.table(cls)["field"]
    return {name: value for name, value in made.items() if name in {"type", "nargs", "choices", "metavar", "action"}}


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        ("int", {"type": "int"}),
        ("float | None", {"type": "float"}),
        ("int | float", {"type": "int"}),
        ("bool | None", {"action": "BooleanOptionalAction", "type": "bool"}),
        ("Optional[Name]", {"type": "str", "choices": ["a", "b", None]}),
        ("Size", {"type": "int", "choices": [1, 2]}),
        ("Name | str", {"type": "str", "metavar": ["a", "b"]}),
        ("bool | str | None", {"type": "str", "nargs": "?"}),
        ("list[int] | None", {"type": "int", "nargs": "+"}),
        ("List[Union[int, str]]", {"type": "str", "nargs": "+"}),
        ("list[Name]", {"type": "str", "nargs": "+", "choices": ["a", "b"]}),
        ("tuple[int, ...]", {"type": "int", "nargs": "+"}),
        ("tuple[int, int]", {"type": "int", "nargs": 2}),
        ("set[str]", {"type": "str", "nargs": "+"}),
        ("dict[str, Any]", {"type": "json"}),
        ("Dict[str, int] | str", {"type": "json or text"}),
        ("Annotated[int, 'why']", {"type": "int"}),
        ("'int | None'", {"type": "int"}),
        ("Thing", {"type": "str"}),
    ],
)
def test_the_newest_dialect(make_tree: Make, annotation: str, expected: dict[str, Any]) -> None:
    assert kwargs(make_tree, annotation, NEW) == expected


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        ("Optional[Name]", {"type": "str", "choices": ["a", "b", "None"]}),
        ("Name | str", {"type": "str", "choices": ["a", "b"]}),
        ("bool | str | None", {"action": "BooleanOptionalAction", "type": "bool"}),
        ("list[Name]", {"type": "str", "nargs": "+"}),
    ],
)
def test_the_oldest_dialect(make_tree: Make, annotation: str, expected: dict[str, Any]) -> None:
    assert kwargs(make_tree, annotation, OLD) == expected

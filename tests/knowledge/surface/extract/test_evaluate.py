"""Expressions: what can be told is told, what cannot is unknown."""

import ast
from collections.abc import Callable

import pytest

from knowledge.surface.extract.execute import ParserReader
from knowledge.surface.extract.source import Module, SourceTree
from knowledge.surface.extract.values import Marker, Scope, is_unknown, plain

Make = Callable[..., SourceTree]

MODULE = """
import argparse, ssl
from enum import Enum
from typing import Literal, get_args
from outside import thing
Size = Literal[1, 2]
NUMBERS = [1, 2, 3]
class Colour(Enum):
    RED = "r"
    BLUE = "b"
class Plain:
    kept = ("x",)
    size: int = 4
class Manager:
    parsers: dict = {}
def constant():
    return 5
"""


def value(make_tree: Make, expression: str) -> object:
    reader = ParserReader(make_tree(vllm__m=MODULE))
    module = reader.tree.module("vllm.m")
    assert isinstance(module, Module)
    return reader.evaluate(ast.parse(expression, mode="eval").body, Scope(module))


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("1 + 2 * 3", 7),
        ("-NUMBERS[0]", -1),
        ("[*NUMBERS, 4][1:]", [2, 3, 4]),
        ("sorted(NUMBERS, reverse=True)", [3, 2, 1]),
        ("[n * 2 for n in NUMBERS if n > 1]", [4, 6]),
        ("[c.value for c in Colour]", ["r", "b"]),
        ("Colour.RED.value", "r"),
        ("get_args(Size)", (1, 2)),
        ("Plain.size", 4),
        ("Plain.kept", ("x",)),
        ("'a-b'.replace('-', '_')", "a_b"),
        ("','.join(['a', 'b'])", "a,b"),
        ("f'--{NUMBERS[0]}-{thing}'", "--1-{thing}"),
        ("constant()", 5),
        ("5 if NUMBERS else 6", 5),
        ("False and thing", False),
        ("thing and False", False),
        ("None or 3", 3),
        ("not NUMBERS", False),
        ("2 in NUMBERS", True),
        ("[c for c in {'b', 'c', 'a'}]", ["a", "b", "c"]),
        ("{'a': 1, **{'b': 2}}", {"a": 1, "b": 2}),
        ("argparse.SUPPRESS", Marker.SUPPRESS),
        ("ssl.CERT_NONE", 0),
    ],
)
def test_what_can_be_told(make_tree: Make, expression: str, expected: object) -> None:
    assert value(make_tree, expression) == expected


@pytest.mark.parametrize(
    "expression",
    ["thing", "thing.x", "thing()", "thing + 1", "not thing", "thing or 3", "NUMBERS[9]", "1 / 0", "'a' + 1",
     "5 if thing else 6", "lambda: 1", "undefined"],
)  # fmt: skip
def test_what_cannot_be_told_is_unknown(make_tree: Make, expression: str) -> None:
    assert is_unknown(value(make_tree, expression))


@pytest.mark.parametrize(
    ("expression", "rendered"),
    [
        ("Colour.RED", {"enum": "Colour.RED", "value": "r"}),
        ("Plain()", {"instance": "Plain"}),
        ("{3, 1}", [1, 3]),
        ("float('inf')", "inf"),
        ("(1, None)", [1, None]),
        ("thing.x", {"computed": "outside.thing.x"}),
        ("constant", {"computed": "constant"}),
    ],
)
def test_values_as_json(make_tree: Make, expression: str, rendered: object) -> None:
    assert plain(value(make_tree, expression)) == rendered

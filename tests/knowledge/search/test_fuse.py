"""Reciprocal rank fusion, by hand."""

import pytest

from knowledge.search.fuse import fuse


def test_a_worked_example() -> None:
    # a: 1/21 + 1/22, b: 1/22 + 2/21, c: 1/21 in a list of weight 1 and 0 elsewhere
    fused = fuse([(1.0, ["a", "b"]), (1.0, ["c", "a"]), (2.0, ["b"])])
    assert [item for item, _ in fused] == ["b", "a", "c"]
    assert dict(fused) == pytest.approx({"a": 1 / 21 + 1 / 22, "b": 1 / 22 + 2 / 21, "c": 1 / 21})


def test_ties_keep_the_order_of_appearance() -> None:
    assert [item for item, _ in fuse([(1.0, ["x"]), (1.0, ["a"])])] == ["x", "a"]


def test_nothing_fuses_to_nothing() -> None:
    assert fuse([(1.0, []), (1.0, [])]) == []

"""Differences between releases as lines for a person."""

from knowledge.surface.difference import describe_change, told_change
from knowledge.surface.spans import Reading


def test_what_came_went_and_changed_is_told_in_order_of_name() -> None:
    old = {
        "--a": Reading({"default": 1}, "a.py:1"),
        "--b": Reading({}, "b.py:1"),
        "--c": Reading({}, "c.py:1"),
    }
    new = {
        "--a": Reading({"default": 2}, "a.py:3"),
        "--c": Reading({}, "c.py:9"),
        "--d": Reading({}, "d.py:1"),
    }
    assert list(describe_change("flags", old, new)) == [
        "~ flags --a: default 1 -> 2 (a.py:3)",
        "- flags --b (was b.py:1)",
        "+ flags --d (d.py:1)",
    ]


def test_a_list_tells_only_its_changes() -> None:
    assert told_change(["x", "y"], ["y", "z"]) == '-"x" +"z"'


def test_a_list_in_another_order() -> None:
    assert told_change([1, 2], [2, 1]) == "reordered"


def test_a_long_value_is_cut() -> None:
    assert told_change(None, "x" * 500).endswith("…")

from typing import Any

import pytest

from knowledge.catalog.config_keys import Keys
from knowledge.errors import UserError


def keys(**values: Any) -> Keys:
    return Keys(values, "file")


def test_the_first_name_with_a_value_counts() -> None:
    assert keys(a=None, b=2, c=3).count("a", "b", "c") == 2
    assert keys(a=0).count_or(7, "a") == 0
    assert keys().count_or(7, "a") == 7


@pytest.mark.parametrize("value", [-1, 1.0, "1", True, [1], 10**9])
def test_what_is_no_count_is_refused(value: object) -> None:
    with pytest.raises(UserError, match="file: a is "):
        keys(a=value).count("a")


def test_a_missing_count_names_every_spelling() -> None:
    with pytest.raises(UserError, match="file: a or b is missing or 0"):
        keys().count("a", "b")


def test_lists() -> None:
    assert keys(a=[1, 0]).counts("a") == [1, 0]
    assert keys().counts("a") == []
    assert keys(a=["x", 1]).words("a") == ["x", "1"]
    with pytest.raises(UserError, match="file: a: 1 is 'x'"):
        keys(a=[1, "x"]).counts("a")
    with pytest.raises(UserError, match="a list is needed"):
        keys(a={}).items("a")


def test_objects_say_where_they_stand() -> None:
    nested = keys(a={"b": {"c": 1}}).nested("a", "z")
    assert nested
    assert nested.where == "file: a"
    assert [o.where for o in keys(a=[{}, {}]).objects("a")] == ["file: a[0]", "file: a[1]"]
    assert keys(a={}).nested("a") is None
    with pytest.raises(UserError, match=r"a\[0\] is 1, an object is needed"):
        keys(a=[1]).objects("a")


def test_flags_are_true_or_nothing() -> None:
    assert [keys(a=value).flag("a") for value in (True, False, 1, "true", None)] == [True] + [False] * 4

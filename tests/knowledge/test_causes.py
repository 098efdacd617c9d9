"""The closed list of causes."""

import re

from knowledge.causes import causes


def test_ids_are_unique_and_well_formed() -> None:
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", cause) for cause in causes())
    assert len(set(causes().values())) == len(causes())


def test_order_and_names_are_those_of_the_file() -> None:
    assert next(iter(causes())) == "prefill-bound"
    assert causes()["gpu-throttled"] == "power, heat or clocks slow the GPU"

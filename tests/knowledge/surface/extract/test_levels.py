"""Optimisation levels of a release in miniature."""

from collections.abc import Callable

from knowledge.surface.extract.execute import ParserReader
from knowledge.surface.extract.levels import level_facts
from knowledge.surface.extract.source import SourceTree

Make = Callable[..., SourceTree]

LEVELS = """
def decide(cfg): ...
OPTIMIZATION_LEVEL_02 = {"compilation_config": {"fuse": decide, "graph": True}}
"""


def test_levels_are_flat_and_name_what_decides(make_tree: Make) -> None:
    facts = level_facts(ParserReader(make_tree(vllm__config__vllm=LEVELS)))
    assert {fact.name: fact.attributes["value"] for fact in facts} == {
        "O2.compilation_config.fuse": {"decided_by": "decide"},
        "O2.compilation_config.graph": True,
    }


def test_a_release_without_levels_has_none(make_tree: Make) -> None:
    assert level_facts(ParserReader(make_tree())) == []

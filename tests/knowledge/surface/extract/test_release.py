"""Every kind of fact from one release."""

from collections.abc import Callable

from knowledge.surface.extract.release import read_tree
from knowledge.surface.extract.source import SourceTree
from knowledge.surface.kinds import KINDS

Make = Callable[..., SourceTree]


def test_a_release_gives_every_kind(make_tree: Make) -> None:
    assert set(read_tree(make_tree())) == set(KINDS)


def test_facts_of_a_kind_are_in_order_and_named_once(make_tree: Make) -> None:
    for facts in read_tree(make_tree()).values():
        names = [fact.name for fact in facts]
        assert names == sorted(set(names))

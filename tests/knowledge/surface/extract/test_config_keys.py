"""Keys of the JSON flags of a release in miniature."""

from collections.abc import Callable

from knowledge.surface.extract.config_keys import config_class, config_key_facts
from knowledge.surface.extract.execute import ParserReader
from knowledge.surface.extract.source import SourceTree

Make = Callable[..., SourceTree]


def test_settable_fields_only(make_tree: Make) -> None:
    reader = ParserReader(make_tree())
    inner = config_class(reader, "inner_config")
    assert inner is not None
    assert {fact.name: fact.attributes for fact in config_key_facts(reader, [inner])} == {
        "InnerConfig.mode": {"type": "str", "default": "a", "choices": ["b", "a"]},
        "InnerConfig.sizes": {"type": "list", "default": []},
    }


def test_a_nested_class_gives_its_keys_too(make_tree: Make) -> None:
    reader = ParserReader(make_tree())
    outer = reader.classes.named("vllm.config", "VllmConfig")
    assert outer is not None
    names = [fact.name for fact in config_key_facts(reader, [outer])]
    assert names == ["InnerConfig.mode", "InnerConfig.sizes", "VllmConfig.inner_config"]


def test_a_flag_named_after_no_class_has_none(make_tree: Make) -> None:
    assert config_class(ParserReader(make_tree()), "outer_config") is None

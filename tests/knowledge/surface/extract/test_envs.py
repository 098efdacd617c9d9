"""Environment variables of a release in miniature."""

from collections.abc import Callable

from knowledge.surface.extract.envs import env_facts
from knowledge.surface.extract.execute import ParserReader
from knowledge.surface.extract.source import SourceTree

Make = Callable[..., SourceTree]


def env(tree: SourceTree) -> dict[str, dict[str, object]]:
    return {fact.name: fact.attributes for fact in env_facts(ParserReader(tree))}


def test_defaults_are_what_holds_when_nothing_is_set(make_tree: Make) -> None:
    assert env(make_tree()) == {
        "VLLM_CHOICE": {"default": "a", "choices": ["a", "b"]},
        "VLLM_COUNT": {"default": 5},
        "VLLM_ODD": {"default": 3},  # the getter cannot be told, the declaration can
        "VLLM_OLD": {"default": None, "deprecated": {"removal": "9.1", "mentions": ["--block-size"]}},
        "VLLM_ROOT": {"default": "~/.cache"},
    }


def test_names_read_past_the_table_are_found_in_every_form(make_tree: Make) -> None:
    elsewhere = """
        import os
        NAME = "VLLM_BY_CONSTANT"
        a = os.environ.get("VLLM_BY_GET")
        b = os.getenv(
            "VLLM_BY_GETENV")
        c = os.environ["VLLM_BY_KEY"]
        d = "VLLM_BY_IN" in os.environ
        e = os.getenv(NAME)
        f = os.getenv("VLLM_COUNT")
        g = "VLLM_ONLY_NAMED"
    """
    found = env(make_tree(vllm__elsewhere=elsewhere))
    outside = {name for name, facts in found.items() if facts.get("outside_table")}
    assert outside == {"VLLM_BY_CONSTANT", "VLLM_BY_GET", "VLLM_BY_GETENV", "VLLM_BY_IN", "VLLM_BY_KEY"}


def test_a_comment_above_deprecates(make_tree: Make) -> None:
    envs = make_tree().text("vllm/envs.py").replace('    "VLLM_COUNT"', '    # Deprecated.\n    "VLLM_COUNT"')
    assert env(make_tree(vllm__envs=envs))["VLLM_COUNT"]["deprecated"] == {"announced": True}

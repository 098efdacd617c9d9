"""Flags of a release in miniature."""

from collections.abc import Callable
from typing import Any

import pytest

from knowledge.surface.extract.execute import ParserReader
from knowledge.surface.extract.fact import Fact
from knowledge.surface.extract.flags import flag_facts, serve_arguments
from knowledge.surface.extract.source import SourceTree

Make = Callable[..., SourceTree]

PAIRING = """
class EnableDisableAction: ...
class FlexibleArgumentParser: ...
"""


def flags(tree: SourceTree) -> dict[str, Fact]:
    reader = ParserReader(tree)
    return {fact.name: fact for fact in flag_facts(serve_arguments(reader), reader)}


def attributes(tree: SourceTree, flag: str) -> dict[str, Any]:
    return flags(tree)[flag].attributes


def test_all_flags_are_found_and_positionals_left_out(make_tree: Make) -> None:
    assert list(flags(make_tree())) == [
        "--block-size", "--device", "--enable-caching", "--headless", "--inner-config", "--kind", "--length",
        "--level", "--made-up", "--middleware", "--model", "--names", "--odd", "--old", "--port",
    ]  # fmt: skip


def test_a_flag_takes_default_type_and_place_from_its_config_field(make_tree: Make) -> None:
    tree = make_tree()
    fact = flags(tree)["--block-size"]
    assert fact.attributes == {
        "spellings": ["--block-size", "-bs"],
        "type": "int",
        "default": 16,
        "group": "CacheConfig",
        "field": "CacheConfig.block_size",
    }
    line = tree.text("vllm/config/__init__.py").splitlines().index("    block_size: int = 16") + 1
    assert fact.where == f"vllm/config/__init__.py:{line}"


def test_a_flag_with_a_help_of_its_own_is_placed_at_its_call(make_tree: Make) -> None:
    assert flags(make_tree())["--old"].where.startswith("vllm/engine/arg_utils.py:")


@pytest.mark.parametrize(
    ("flag", "attribute", "value"),
    [
        ("--enable-caching", "negations", ["--no-enable-caching"]),
        ("--enable-caching", "nargs", 0),
        ("--headless", "default", False),
        ("--kind", "choices", ["a", "b", None]),
        ("--length", "type", "human_readable_int"),
        ("--length", "default", 4),
        ("--names", "nargs", "+"),
        ("--names", "default", ["x"]),
        ("--made-up", "default", 7),
        ("--level", "default", {"enum": "Level.LOW", "value": "1"}),
        ("--level", "members", ["LOW", "HIGH"]),
        ("--middleware", "default", []),
        ("--port", "group", "Frontend"),
        ("--inner-config", "default", {"instance": "InnerConfig"}),
        ("--inner-config", "config", "InnerConfig"),
        ("--odd", "guards", ["current_platform.is_odd()"]),
        ("--device", "choices", ["auto"]),
        ("--device", "more_choices", True),
        ("--old", "deprecated", {"removal": "9.0", "mentions": ["--block-size"]}),
    ],
)
def test_an_attribute(make_tree: Make, flag: str, attribute: str, value: object) -> None:
    assert attributes(make_tree(), flag)[attribute] == value


def test_a_list_without_nargs_has_none(make_tree: Make) -> None:
    assert "nargs" not in attributes(make_tree(), "--middleware")


def test_enable_and_disable_are_paired_once_the_parser_does_so(make_tree: Make) -> None:
    tree = make_tree(vllm__utils__argparse_utils=PAIRING)
    assert attributes(tree, "--enable-caching")["negations"] == ["--no-enable-caching", "--disable-caching"]


def test_older_releases_end_optional_choices_in_the_text_none(make_tree: Make) -> None:
    old = make_tree().text("vllm/engine/arg_utils.py").replace("append(None)", "append('None')")
    assert attributes(make_tree(vllm__engine__arg_utils=old), "--kind")["choices"] == ["a", "b", "None"]


def test_a_release_without_the_subcommand_is_refused(make_tree: Make) -> None:
    with pytest.raises(ValueError, match="ServeSubcommand"):
        flags(make_tree(vllm__entrypoints__cli__serve="x = 1"))

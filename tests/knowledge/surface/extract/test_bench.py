"""Benchmark subcommands of a release in miniature."""

from collections.abc import Callable

from knowledge.surface.extract.bench import bench_facts
from knowledge.surface.extract.execute import ParserReader
from knowledge.surface.extract.source import SourceTree

Make = Callable[..., SourceTree]

BENCH = """
class BenchServe(BenchmarkSubcommandBase):
    name = "serve"
    @classmethod
    def add_cli_args(cls, parser):
        parser.add_argument("--num-prompts", type=int, default=1000)
"""


def test_bench_subcommands_and_flags(make_tree: Make) -> None:
    commands, flags = bench_facts(ParserReader(make_tree(vllm__entrypoints__cli__benchmark__serve=BENCH)))
    assert [fact.name for fact in commands] == ["serve"]
    assert [(fact.name, fact.attributes["default"]) for fact in flags] == [("serve --num-prompts", 1000)]

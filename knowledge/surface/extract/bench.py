"""The subcommands of `vllm bench` and the flags that each has beside the engine's own."""

import ast
from collections.abc import Iterator

from knowledge.surface.extract.execute import ParserReader
from knowledge.surface.extract.fact import Fact
from knowledge.surface.extract.flags import flag_fact
from knowledge.surface.extract.source import SourceTree
from knowledge.surface.extract.syntax import text_of
from knowledge.surface.extract.values import ClassValue

BENCH = "vllm/entrypoints/cli/benchmark/"
BASE = "BenchmarkSubcommandBase"
ENGINE = "vllm/engine/"


def bench_facts(reader: ParserReader) -> tuple[list[Fact], list[Fact]]:
    """The subcommands, and their flags named `serve --num-prompts`.

    The flags of `sweep` are those of subcommands of its own and are not read.
    """
    commands, flags = [], dict[str, Fact]()
    for cls in _commands(reader.tree):
        name = _command_name(cls.node)
        arguments = [argument for argument in reader.follow(cls, "add_cli_args") or () if argument.names]
        own = [argument for argument in arguments if not argument.where.startswith(ENGINE)]
        facts = {"takes_engine_flags": True} if len(own) < len(arguments) else {}
        commands += [Fact(name, facts, cls.module.where(cls.node))] if name else []
        for argument in own if name else ():
            if argument.names[0].startswith("-"):
                fact = flag_fact(argument, reader)
                flags[f"{name} {fact.name}"] = Fact(f"{name} {fact.name}", fact.attributes, fact.where)
    by_name = sorted(flags.values(), key=lambda fact: fact.name)
    return sorted(commands, key=lambda fact: fact.name), by_name


def _commands(tree: SourceTree) -> Iterator[ClassValue]:
    for path, _ in tree.files(BENCH):
        module = tree.module_at(path)
        for node in module.tree.body if module else ():
            if module and isinstance(node, ast.ClassDef) and BASE in map(ast.unparse, node.bases):
                yield ClassValue(module, node)


def _command_name(cls: ast.ClassDef) -> str | None:
    """The `name` of a subcommand, set in the body of its class or in its constructor."""
    for node in ast.walk(cls):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in {"name", "self.name"}:
            return text_of(node.value)
    return None

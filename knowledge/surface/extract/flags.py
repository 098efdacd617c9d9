"""The flags of `vllm serve`: every spelling that the parser accepts, default, choices and the rest."""

import ast
import re
from typing import Any

from knowledge.surface.extract.classes import Field
from knowledge.surface.extract.config_keys import config_class
from knowledge.surface.extract.deprecation import flag_deprecation
from knowledge.surface.extract.execute import Argument, ParserReader
from knowledge.surface.extract.fact import Fact
from knowledge.surface.extract.source import Module, SourceTree
from knowledge.surface.extract.values import (
    ClassValue,
    FunctionValue,
    Marker,
    Unknown,
    Value,
    plain,
)

SERVE = "vllm.entrypoints.cli.serve"
# Where the parser class has lived; its module tells whether `--enable-x` is paired with `--disable-x`.
PARSER_HOMES = ("vllm.utils.argparse_utils", "vllm.utils.__init__", "vllm.utils")
PAIRED = {"--enable-": "--disable-", "--disable-": "--enable-"}

OPTIMIZATION_LEVEL = "--optimization-level"

_STORED_BOOL = {"store_true", "store_false"}
_NO_VALUE = _STORED_BOOL | {"BooleanOptionalAction"}
# Parsers that read JSON, or JSON and else plain text, by the names they have had.
_JSON_PARSERS = {"loads", "from_cli", "from_json"}
_JSON_OR_TEXT = {"union_dict_and_str"}
_WRAPPED = re.compile(r"(?:optional_type|parse_type)\((?:json\.)?(\w+)\)")


def serve_arguments(reader: ParserReader) -> list[Argument]:
    """Follow `vllm serve`'s own construction of its parser, from the subcommand on.

    Raises:
        ValueError: The release has no such subcommand where it is expected.
    """
    command = reader.classes.named(SERVE, "ServeSubcommand")
    arguments = reader.follow(command, "subparser_init") if command else None
    if arguments is None:
        raise ValueError(f"{SERVE}.ServeSubcommand.subparser_init is gone: find where `vllm serve` is built now")
    return arguments


def flag_facts(arguments: list[Argument], reader: ParserReader) -> list[Fact]:
    """The flags, in order of name; positional arguments are left out."""
    options = [argument for argument in arguments if argument.names and argument.names[0].startswith("-")]
    return sorted((flag_fact(argument, reader) for argument in options), key=lambda fact: fact.name)


def _parser_home(tree: SourceTree) -> Module | None:
    homes = filter(None, (tree.module(dotted) for dotted in PARSER_HOMES))
    return next((home for home in homes if isinstance(home.names.get("FlexibleArgumentParser"), ast.ClassDef)), None)


def _is_paired(tree: SourceTree) -> bool:
    home = _parser_home(tree)
    return home is not None and "EnableDisableAction" in home.names


def _rewrites_level(tree: SourceTree) -> bool:
    """Whether `-O3` is turned into `--optimization-level 3` before argparse sees it."""
    home = _parser_home(tree)
    return home is not None and "startswith('-O')" in ast.unparse(home.tree)


def flag_fact(argument: Argument, reader: ParserReader) -> Fact:
    """One flag, named by its first long spelling."""
    paired = _is_paired(reader.tree)
    kwargs = argument.kwargs
    long_names = [name for name in argument.names if name.startswith("--")]
    primary = (long_names or list(argument.names))[0]
    action = _name(kwargs.get("action"))
    field = kwargs.get("_field")
    attributes: dict[str, Any] = {
        "spellings": [primary, *(name for name in argument.names if name != primary)],
        "negations": _negations(long_names, paired=paired) if action == "BooleanOptionalAction" else [],
        "type": _type(kwargs, action),
        "default": _default(kwargs, action),
        **_choices(kwargs.get("choices"), reader),
        "suggested": plain(kwargs["metavar"]) if isinstance(kwargs.get("metavar"), list) else None,
        "members": kwargs.get("_members"),
        "rewritten": ["-O"] if primary == OPTIMIZATION_LEVEL and _rewrites_level(reader.tree) else [],
        "nargs": 0 if action in _NO_VALUE else plain(kwargs.get("nargs")),
        "group": argument.group,
        "field": f"{kwargs['_class']}.{field.name}" if isinstance(field, Field) else None,
        "config": config.name if (config := flag_config(argument, reader)) else None,
        "deprecated": flag_deprecation(primary, kwargs.get("help"), kwargs.get("deprecated"), action),
        "guards": list(argument.guards),
    }
    said = {name: value for name, value in attributes.items() if _says_something(name, value)}
    return Fact(primary, said, _where(argument, field))


def _where(argument: Argument, field: Value) -> str:
    """The place of the config field, which holds default and help; the call's when it gives its own help."""
    if isinstance(field, Field) and argument.kwargs.get("help") == field.doc:
        return field.where
    return argument.where


def flag_config(argument: Argument, reader: ParserReader) -> ClassValue | None:
    """The config class whose keys the flag's JSON may hold."""
    known, parse = argument.kwargs.get("_config"), argument.kwargs.get("type")
    if isinstance(known, ClassValue):
        return known
    if isinstance(parse, FunctionValue) and isinstance(parse.bound, ClassValue):
        return parse.bound  # `type=PoolerConfig.from_json`
    dest = next((name for name in argument.names if name.startswith("--")), "").lstrip("-").replace("-", "_")
    return config_class(reader, dest) if dest.endswith("_config") else None


def _says_something(name: str, value: Any) -> bool:
    """Whether an attribute is worth a place; a default is always, and 0 for a flag without value."""
    return name == "default" or value not in (None, [], {}, "")


def _negations(long_names: list[str], *, paired: bool) -> list[str]:
    """The spellings that switch a boolean flag off (or on, for a `--disable-x`)."""
    plain_no = [f"--no-{name[2:]}" for name in long_names]
    inverse = [
        other + name.removeprefix(prefix)
        for name in long_names
        for prefix, other in PAIRED.items()
        if name.startswith(prefix)
    ]
    return plain_no + inverse if paired else plain_no


def _name(value: Value) -> str | None:
    """The last part of the name of an action or of a parsing function."""
    match value:
        case str():
            return value
        case ClassValue():
            return value.name
        case FunctionValue():
            return value.node.name
        case Unknown():
            return value.source.rpartition(".")[2] if "(" not in value.source else value.source
        case _:
            return None


def _type(kwargs: dict[str, Value], action: str | None) -> str:
    if action in _STORED_BOOL | {"BooleanOptionalAction", "StoreBoolean"}:
        return "bool"
    name = _name(kwargs.get("type")) or "str"
    wrapped = _WRAPPED.fullmatch(name)
    name = "str" if name.startswith("lambda") else wrapped[1] if wrapped else name
    return "json" if name in _JSON_PARSERS else "json or text" if name in _JSON_OR_TEXT else name


def _default(kwargs: dict[str, Value], action: str | None) -> Any:
    default = kwargs.get("default", Marker.MISSING)
    if default is Marker.MISSING and action in _STORED_BOOL:
        return action == "store_false"
    return plain(default)


def _choices(choices: Value, reader: ParserReader) -> dict[str, Any]:
    """The choices that the source tells; `more_choices` when a registry or the platform adds others."""
    if choices is None:
        return {}
    listed = reader.members(choices)
    known = [choice for choice in listed or () if not isinstance(choice, Unknown)]
    is_complete = listed is not None and len(known) == len(list(listed))
    return {"choices": plain(known)} | ({} if is_complete else {"more_choices": True})

"""A release in miniature: the files that the extractors look for, in our own words."""

import textwrap
from collections.abc import Callable

import pytest

from knowledge.surface.extract.source import SourceTree

SERVE = """
from vllm.entrypoints.cli_args import make_arg_parser
class ServeSubcommand:
    name = "serve"
    def subparser_init(self, subparsers):
        parser = subparsers.add_parser(self.name)
        return make_arg_parser(parser)
"""

CLI_ARGS = """
from vllm.engine.arg_utils import AsyncEngineArgs, get_kwargs
from vllm.config import config
@config
class FrontendArgs:
    port: int = 8000
    middleware: list[str] | None = None
    @classmethod
    def _customise(cls, kwargs):
        kwargs["middleware"]["default"] = []
        del kwargs["middleware"]["nargs"]
        return kwargs
    @classmethod
    def add_cli_args(cls, parser):
        group = parser.add_argument_group(title=cls.__name__.replace("Args", ""))
        for key, value in cls._customise(get_kwargs(cls)).items():
            group.add_argument(f"--{key.replace('_', '-')}", **value)
        return parser
def make_arg_parser(parser):
    parser.add_argument("model_tag", nargs="?")
    parser.add_argument("--headless", action="store_true", help="no front end")
    parser = FrontendArgs.add_cli_args(parser)
    return AsyncEngineArgs.add_cli_args(parser)
"""

ARG_UTILS = """
import argparse, sys
from dataclasses import field
from vllm.config import CacheConfig, VllmConfig
from vllm.platforms import current_platform
def get_kwargs(cls):
    kwargs = {}
    generator = (th for th in type_hints if is_dataclass(th))
    if name in {"length"}:
        kwargs[name]["type"] = human_readable_int
    kwargs[name]["choices"].append(None)
    return kwargs
class AsyncEngineArgs:
    @staticmethod
    def add_cli_args(parser):
        cache = get_kwargs(CacheConfig)
        group = parser.add_argument_group(title="CacheConfig")
        group.add_argument("--block-size", "-bs", **cache["block_size"])
        group.add_argument("--enable-caching", **cache["enable_caching"])
        group.add_argument("--kind", **cache["kind"])
        group.add_argument("--length", **cache["length"])
        group.add_argument("--names", **cache["names"])
        group.add_argument("--made-up", **cache["made_up"])
        group.add_argument("--level", **cache["level"])
        if not ("serve" in sys.argv[1:] and "--help" in sys.argv[1:]):
            parser.add_argument("--model", default="tiny")
        parser.add_argument("--device", choices=["auto"] + current_platform.extra())
        if current_platform.is_odd():
            parser.add_argument("--odd", action="store_true")
        parser.add_argument("--inner-config", **get_kwargs(VllmConfig)["inner_config"])
        old = "--old is deprecated and will be removed in v9.0. Use --block-size instead."
        parser.add_argument("--old", action=argparse.BooleanOptionalAction, default=None, help=old)
        return parser
"""

CONFIG = """
from dataclasses import dataclass, field
from enum import Enum
from typing import Literal, Optional
from pydantic import Field
Kind = Literal["b", "a"]
def config(cls):
    return cls
class Level(Enum):
    LOW = 1
    HIGH = 2
@config
@dataclass
class InnerConfig:
    mode: Kind = "a"
    sizes: list[int] = field(default_factory=list)
    cached: int = field(default=0, init=False)
    _private: int = 0
def made():
    if unset():
        return 7
    return 8
def unset():
    return "X" not in os.environ
import os
@config
@dataclass
class CacheConfig:
    block_size: int = 16
    enable_caching: bool | None = None
    kind: Optional[Kind] = None
    length: int = Field(default=4, ge=1)
    names: list[str] = field(default_factory=lambda: ["x"])
    made_up: int = Field(default_factory=made)
    level: Level = Level.LOW
@config
@dataclass
class VllmConfig:
    inner_config: InnerConfig = field(default_factory=InnerConfig)
"""

ENVS = """
import os
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    VLLM_ROOT: str = "declared"
    VLLM_ODD: int = 3
environment_variables = {
    "VLLM_ROOT": lambda: os.path.expanduser(os.getenv("VLLM_ROOT", "~/.cache")),
    "VLLM_COUNT": lambda: int(os.getenv("VLLM_COUNT", "5")),
    "VLLM_ODD": lambda: unknown_call(os.getenv("VLLM_ODD")),
    "VLLM_CHOICE": env_with_choices("VLLM_CHOICE", "a", ["a", "b"]),
    "VLLM_OLD": deprecated_env("VLLM_OLD", "v9.1", "Use --block-size.", lambda: os.getenv("VLLM_OLD")),
}
"""

FILES = {
    "vllm/entrypoints/cli/serve.py": SERVE,
    "vllm/entrypoints/cli_args.py": CLI_ARGS,
    "vllm/engine/arg_utils.py": ARG_UTILS,
    "vllm/config/__init__.py": CONFIG,
    "vllm/envs.py": ENVS,
}


@pytest.fixture
def make_tree() -> Callable[..., SourceTree]:
    """Make a release from the miniature's files and others; a text replaces the file of that path."""

    def make(**files: str) -> SourceTree:
        named = {path.replace("__", "/") + ".py": textwrap.dedent(text) for path, text in files.items()}
        return SourceTree({**FILES, **named})

    return make

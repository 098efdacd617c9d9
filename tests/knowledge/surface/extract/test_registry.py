"""Registries that decorators fill."""

import ast

from knowledge.surface.extract.registry import registered_names
from knowledge.surface.extract.source import Module, SourceTree
from knowledge.surface.extract.values import ClassValue

LATE = """
@Manager.register_module("upper")
@Manager.register_module("lower")
@other("no")
class L: ...
"""
FILES = {
    "vllm/parsers/__init__.py": "from .base import Manager\nfrom .late import L\nfrom .early import E",
    "vllm/parsers/base.py": "class Manager:\n    parsers: dict = {}\n    def register_module(cls, name): ...",
    "vllm/parsers/early.py": '@Manager.register_module(["e1", "e2"])\nclass E: ...',
    "vllm/parsers/late.py": LATE,
    "vllm/parsers/unused.py": '@Manager.register_module("never imported")\nclass U: ...',
}


def test_names_come_in_the_order_in_which_python_registers_them() -> None:
    tree = SourceTree(FILES)
    base = tree.module("vllm.parsers.base")
    assert isinstance(base, Module)
    manager = base.names["Manager"]
    assert isinstance(manager, ast.ClassDef)
    assert registered_names(tree, ClassValue(base, manager)) == ["lower", "upper", "e1", "e2"]

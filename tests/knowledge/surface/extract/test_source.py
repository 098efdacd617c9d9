"""Names followed through imports."""

import ast

from knowledge.surface.extract.source import Defined, External, Module, SourceTree

FILES = {
    "vllm/__init__.py": "",
    "vllm/a/__init__.py": "from .b import One\nfrom .c import *\nif TYPE_CHECKING:\n    from x import T",
    "vllm/a/b.py": "class One: ...",
    "vllm/a/c.py": "TWO = 2",
    "vllm/loop1.py": "from vllm.loop2 import X",
    "vllm/loop2.py": "from vllm.loop1 import X",
    "vllm/broken.py": "def :",
    "vllm/user.py": "import vllm.a as a\nfrom vllm import a as b\nimport argparse\nfrom .a import One, gone",
}
TREE = SourceTree(FILES)


def resolved(name: str, module: str = "vllm.user") -> object:
    home = TREE.module(module)
    assert home is not None
    return TREE.definition(home, ast.parse(name, mode="eval").body)


def test_a_re_exported_class_is_found_where_it_is_defined() -> None:
    found = resolved("One")
    assert isinstance(found, Defined)
    assert found.module.path == "vllm/a/b.py"


def test_star_imports_and_dotted_names_are_followed() -> None:
    assert isinstance(resolved("a.TWO"), Defined)
    assert isinstance(resolved("b.One"), Defined)


def test_submodules_and_modules() -> None:
    assert isinstance(resolved("b"), Module)
    assert isinstance(resolved("b.c"), Module)


def test_what_is_outside_keeps_its_dotted_name() -> None:
    assert resolved("argparse.SUPPRESS") == External("argparse.SUPPRESS")
    assert resolved("gone") == External("vllm.a.gone")
    assert resolved("T", "vllm.a") == External("x.T")


def test_an_import_cycle_ends() -> None:
    assert isinstance(resolved("X", "vllm.loop1"), External)


def test_a_file_that_is_not_python_counts_as_empty_and_is_told() -> None:
    assert resolved("x", "vllm.broken") is None
    assert TREE.unparsed == ["vllm/broken.py"]

"""Read registries that decorators fill, such as the reasoning parsers."""

import ast

from knowledge.surface.extract.source import Imported, Module, SourceTree
from knowledge.surface.extract.values import ClassValue

REGISTER = "register_module"


def registered_names(tree: SourceTree, registry: ClassValue) -> list[str]:
    """The names under which the registry's package registers classes, in the order of its imports.

    Args:
        tree: The release.
        registry: The class whose `register_module("name")` decorates the registered classes.
    """
    package = tree.module(registry.module.dotted.rpartition(".")[0])
    modules = _imported_modules(tree, package) if package else []
    return [name for module in modules for name in _decorated(module, registry.name)]


def _imported_modules(tree: SourceTree, package: Module) -> list[Module]:
    names = (bound.module for bound in package.names.values() if isinstance(bound, Imported))
    modules = (tree.module(name) for name in dict.fromkeys(names) if name.startswith(package.dotted))
    return [module for module in modules if module]


def _decorated(module: Module, registry: str) -> list[str]:
    """The first argument, a name or a list of names, of each registering decorator of a module."""
    calls = [
        decorator
        for node in module.tree.body
        if isinstance(node, ast.ClassDef)
        # Decorators are applied from the class upwards.
        for decorator in reversed(node.decorator_list)
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == f"{registry}.{REGISTER}"
    ]
    constants = [node for call in calls for node in ast.walk(call) if isinstance(node, ast.Constant)]
    return [node.value for node in constants if isinstance(node.value, str)]

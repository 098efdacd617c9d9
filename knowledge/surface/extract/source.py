"""The source of one release: its modules, and what a name in one of them stands for.

Nothing of vLLM is imported or run; everything is read from the syntax trees.
"""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

MAX_IMPORT_HOPS = 25  # a chain of re-exports longer than this is a cycle

Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef | ast.Assign | ast.AnnAssign


@dataclass(frozen=True, slots=True, eq=False)
class Imported:
    """A name bound by an import statement.

    Attributes:
        module: Absolute dotted name of the module named in the statement.
        name: The imported attribute; empty for a plain `import module`.
    """

    module: str
    name: str = ""


@dataclass(slots=True, eq=False)
class Module:
    """One parsed file.

    Attributes:
        path: The file, relative to the root of the archive.
        dotted: The module's absolute name.
        tree: Its syntax tree.
        names: What each module-level name is bound to at run time; the last binding wins.
        typing_names: Names bound under `TYPE_CHECKING` only.
        star_imports: Modules whose names are all imported.
    """

    path: str
    dotted: str
    tree: ast.Module
    names: dict[str, Definition | Imported] = field(default_factory=dict)
    typing_names: dict[str, Definition | Imported] = field(default_factory=dict)
    star_imports: list[str] = field(default_factory=list)

    @property
    def is_package(self) -> bool:
        """Whether this is an `__init__.py`."""
        return self.path.endswith("/__init__.py")

    def where(self, node: ast.AST) -> str:
        """The `file:line` of a node of this module."""
        return f"{self.path}:{getattr(node, 'lineno', 0)}"

    def absolute(self, node: ast.ImportFrom) -> str:
        """The absolute name of the module that an import statement of this module names."""
        if not node.level:
            return node.module or ""
        parts = self.dotted.split(".")
        if not self.is_package:
            parts = parts[:-1]
        parts = parts[: len(parts) - (node.level - 1)]
        return ".".join([*parts, node.module] if node.module else parts)

    def bind_imports(self, node: ast.Import | ast.ImportFrom) -> dict[str, Imported]:
        """What the names of an import statement are bound to, star imports left out."""
        if isinstance(node, ast.ImportFrom):
            base = self.absolute(node)
            return {a.asname or a.name: Imported(base, a.name) for a in node.names if a.name != "*"}
        return {
            alias.asname or alias.name.partition(".")[0]: Imported(
                alias.name if alias.asname else alias.name.partition(".")[0]
            )
            for alias in node.names
        }


@dataclass(frozen=True, slots=True)
class Defined:
    """A name that stands for a definition in `module`."""

    module: Module
    node: Definition


@dataclass(frozen=True, slots=True)
class External:
    """A name that comes from outside vLLM, for example `argparse.SUPPRESS`."""

    dotted: str


Binding = Defined | Module | External


class SourceTree:
    """All the files of one release.

    Args:
        texts: Path to text of the Python files, relative to the root of the archive.
        names: Every path of the archive, texts or not.
    """

    def __init__(self, texts: Mapping[str, str], names: tuple[str, ...] = ()) -> None:
        self._texts = texts
        self.names = names or tuple(texts)
        self._modules: dict[str, Module | None] = {}
        self._trees: dict[str, ast.Module] = {}
        self.unparsed: list[str] = []

    @cached_property
    def _sorted_paths(self) -> list[str]:
        return sorted(self._texts)

    def files(self, under: str) -> Iterator[tuple[str, str]]:
        """Yield (path, text) of the Python files below a folder, in name order."""
        return ((path, self._texts[path]) for path in self._sorted_paths if path.startswith(under))

    def tree(self, path: str) -> ast.Module:
        """Parse a file, once; one that is not Python counts as empty and is listed in `unparsed`."""
        if path not in self._trees:
            try:
                self._trees[path] = ast.parse(self._texts[path])
            except SyntaxError:
                self.unparsed.append(path)
                self._trees[path] = ast.Module([], [])
        return self._trees[path]

    def text(self, path: str) -> str:
        """The text of a Python file; empty when the release has no such file."""
        return self._texts.get(path, "")

    def module(self, dotted: str) -> Module | None:
        """The module of that name, or None when it is not part of the release."""
        if dotted not in self._modules:
            base = dotted.replace(".", "/")
            path = next((p for p in (f"{base}.py", f"{base}/__init__.py") if p in self._texts), None)
            self._modules[dotted] = _collect(Module(path, dotted, self.tree(path))) if path else None
        return self._modules[dotted]

    def module_at(self, path: str) -> Module | None:
        """The module that a file holds."""
        return self.module(path.removesuffix(".py").removesuffix("/__init__").replace("/", "."))

    def resolve(self, module: Module, name: str, hops: int = 0) -> Binding | None:
        """Follow imports until the definition that `name` stands for in `module`."""
        bound = module.names.get(name) or module.typing_names.get(name)
        if bound is None:
            return self._resolve_unbound(module, name, hops)
        if isinstance(bound, Imported):
            return self.resolve_import(bound, hops)
        return Defined(module, bound)

    def resolve_import(self, imported: Imported, hops: int = 0) -> Binding | None:
        """Follow one import statement."""
        if hops > MAX_IMPORT_HOPS:
            return None
        home = self.module(imported.module)
        if not imported.name:
            return home or External(imported.module)
        found = self.resolve(home, imported.name, hops + 1) if home else None
        dotted = f"{imported.module}.{imported.name}"
        return found or self.module(dotted) or External(dotted)

    def _resolve_unbound(self, module: Module, name: str, hops: int) -> Binding | None:
        for starred in module.star_imports:
            home = self.module(starred)
            found = self.resolve(home, name, hops + 1) if home and hops < MAX_IMPORT_HOPS else None
            if found:
                return found
        return self.module(f"{module.dotted}.{name}") if module.is_package else None

    def definition(self, module: Module, expression: ast.expr) -> Binding | None:
        """What a plain or dotted name in `module` stands for; None for any other expression."""
        if isinstance(expression, ast.Name):
            return self.resolve(module, expression.id)
        if isinstance(expression, ast.Attribute):
            owner = self.definition(module, expression.value)
            if isinstance(owner, Module):
                return self.resolve(owner, expression.attr)
            if isinstance(owner, External):
                return External(f"{owner.dotted}.{expression.attr}")
        return None


def _collect(module: Module) -> Module:
    _bind(module, module.tree.body, module.names)
    return module


def _bind(module: Module, body: list[ast.stmt], into: dict[str, Definition | Imported]) -> None:
    for node in body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            into[node.name] = node
        elif isinstance(node, ast.Assign):
            into.update((name, node) for target in node.targets for name in _plain_names(target))
        elif isinstance(node, ast.AnnAssign):
            into.update((name, node) for name in _plain_names(node.target))
        elif isinstance(node, ast.Import | ast.ImportFrom):
            into.update(module.bind_imports(node))
            if isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names):
                module.star_imports.append(module.absolute(node))
        elif isinstance(node, ast.If):
            _bind(module, node.body, module.typing_names if _is_typing_only(node) else into)
            _bind(module, node.orelse, into)
        elif isinstance(node, ast.Try):
            for handler in node.handlers:
                _bind(module, handler.body, into)
            _bind(module, node.body, into)


def _plain_names(target: ast.expr) -> list[str]:
    elements = target.elts if isinstance(target, ast.Tuple) else [target]
    return [element.id for element in elements if isinstance(element, ast.Name)]


def _is_typing_only(node: ast.If) -> bool:
    return ast.unparse(node.test).endswith("TYPE_CHECKING") and not isinstance(node.test, ast.UnaryOp)

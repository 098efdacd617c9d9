"""Small readings of syntax trees that several extractors share."""

import ast


def text_of(node: ast.AST | None) -> str | None:
    """The text of a string literal, None for anything else."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def argument_of(call: ast.Call, name: str, position: int | None = None) -> ast.expr | None:
    """An argument of a call by its name, else by its place, else None."""
    named = next((keyword.value for keyword in call.keywords if keyword.arg == name), None)
    is_placed = position is not None and len(call.args) > position
    return named or (call.args[position] if is_placed and position is not None else None)


def integers_in(node: ast.AST) -> list[int]:
    """The integer literals anywhere below a node, in order of the walk."""
    found = (inner.value for inner in ast.walk(node) if isinstance(inner, ast.Constant))
    return [value for value in found if isinstance(value, int) and not isinstance(value, bool)]

"""The rooms import only to their left: knowledge <- tools <- agent <- ui, evals."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MAY_IMPORT = {
    "knowledge": set(),
    "tools": {"knowledge"},
    "agent": {"knowledge", "tools"},
    "evals": {"knowledge", "tools", "agent"},
    "ui": {"knowledge", "tools", "agent", "evals"},
}
FRONT_END_LIBRARIES = {"click", "click_default_group", "gradio", "slack_bolt", "slack_sdk"}
AGENT_LIBRARIES = {"langchain", "langchain_core", "langgraph", "openai"}
FILES = [path for room in MAY_IMPORT for path in sorted((ROOT / room).rglob("*.py"))]


def imported(source: str) -> set[str]:
    """Top-level names of every absolute import, those inside functions too."""
    tree = ast.parse(source)
    found = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    found |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    return {name.partition(".")[0] for name in found}


def refused(room: str, source: str) -> set[str]:
    names = imported(source)
    back = (set(MAY_IMPORT) - {room} - MAY_IMPORT[room]) & names
    foreign = names & (
        (FRONT_END_LIBRARIES if room != "ui" else set())
        | (AGENT_LIBRARIES if room in ("knowledge", "tools") else set())
    )
    return back | foreign


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_go_left(path: Path) -> None:
    assert refused(path.relative_to(ROOT).parts[0], path.read_text("utf-8")) == set()


@pytest.mark.parametrize(
    ("room", "source", "culprits"),
    [
        ("knowledge", "from tools.contract import Step", {"tools"}),
        ("tools", "def f():\n    import agent.graph", {"agent"}),
        ("agent", "import ui.cli", {"ui"}),
        ("tools", "import click", {"click"}),
        ("knowledge", "from langgraph.graph import StateGraph", {"langgraph"}),
    ],
)
def test_a_back_arrow_is_seen(room: str, source: str, culprits: set[str]) -> None:
    assert refused(room, source) == culprits


def test_every_room_has_files() -> None:
    assert {path.relative_to(ROOT).parts[0] for path in FILES} == set(MAY_IMPORT)

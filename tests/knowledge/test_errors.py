"""Exit codes by who can mend it."""

import pytest

from knowledge.errors import AskError, CorpusError, ToolArgumentError, UpstreamError, UserError


@pytest.mark.parametrize(
    ("error", "exit_code"),
    [(UserError("x"), 2), (CorpusError("x"), 3), (UpstreamError("x", retryable=True), 4), (ToolArgumentError("x"), 1)],
    ids=["user", "corpus", "upstream", "tool"],
)
def test_exit_code(error: AskError, exit_code: int) -> None:
    assert error.exit_code == exit_code

"""Signs in a log: where, how often, and in the order of their first line."""

import datetime as dt

from knowledge.corpus.claim import Checked, Claim, CodeSource, Head, Sign
from tools.log_signs import EXCERPT_CHARS, scan


def sign(slug: str, cause: str, *logs: str) -> Claim:
    head = Head(
        id=f"t.{slug}",
        kind="fact",
        applies=">=0.11",
        checked=Checked(version="0.33.0", date=dt.date(2026, 12, 1)),
        sources=(CodeSource(path="p", version="0.33.0", token="t"),),
        sign=Sign(cause=cause, logs=logs),
    )
    return Claim(head=head, title="t", body="b")


A = sign("a", "moe-untuned", "Using default MoE config")
B = sign("b", "oom-kv-cache", "No available memory")


def test_first_line_and_count() -> None:
    result = scan(["x", "No available memory", "Using default MoE config 1", "Using default MoE config 2"], [A, B])
    assert [(s.cause, s.line, s.lines) for s in result.seen] == [("oom-kv-cache", 2, 1), ("moe-untuned", 3, 2)]
    assert result.scanned_lines == 4
    values = {step.name: step.value for step in result.steps}
    assert values["log_signs.scanned"] == 4
    assert values["log_signs.t.a.line"] == 3
    assert values["log_signs.t.a.lines"] == 2


def test_nothing_seen_is_no_verdict() -> None:
    result = scan(["all quiet"], [A, B])
    assert result.seen == ()
    assert [step.name for step in result.steps] == ["log_signs.scanned"]


def test_a_sign_without_log_lines_is_passed_over() -> None:
    assert scan(["anything"], [sign("c", "kv-pressure")]).seen == ()


def test_a_long_line_is_shown_around_what_was_found() -> None:
    (seen,) = scan(["x" * 5000 + "Using default MoE config" + "y" * 5000], [A]).seen
    assert "Using default MoE config" in seen.excerpt
    assert len(seen.excerpt) == EXCERPT_CHARS + 2  # and an ellipsis on either side


def test_no_lines() -> None:
    assert scan([], [A]).scanned_lines == 0

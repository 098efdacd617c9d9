"""What a claim says of itself."""

import datetime as dt

import pytest

from knowledge.corpus.claim import (
    ChangeSource,
    Checked,
    Claim,
    CodeSource,
    Head,
    IssueSource,
    Lever,
    MeasuredSource,
    PageSource,
    Sign,
    Source,
)

DAY = dt.date(2026, 12, 1)
HEAD = Head(id="a.b", kind="fact", applies=">=0.11", checked=Checked(version="0.33.0", date=DAY), sources=())


@pytest.mark.parametrize(
    ("source", "url", "label"),
    [
        (
            CodeSource(path="vllm/a.py", version="0.33.0", token="def f"),
            "https://github.com/vllm-project/vllm/blob/v0.33.0/vllm/a.py",
            "vllm/a.py @ 0.33.0: `def f`",
        ),
        (ChangeSource(number=7, state="merged"), "https://github.com/vllm-project/vllm/pull/7", "#7 (merged)"),
        (
            IssueSource(number=8, state="closed", closed_as="answered", repo="a/b"),
            "https://github.com/a/b/issues/8",
            "a/b#8 (closed: answered)",
        ),
        (IssueSource(number=8, state="open"), "https://github.com/vllm-project/vllm/issues/8", "#8 (open)"),
        (PageSource(link="https://x.org", title="X", read=DAY), "https://x.org", "X (read 2026-12-01)"),
        (MeasuredSource(what="run", hardware="H200", version="0.33.0", date=DAY), "", "H200"),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, str) else None,
)
def test_a_source_can_be_opened(source: Source, url: str, label: str) -> None:
    assert source.url() == url
    assert label in source.label()


def test_the_text_holds_the_words_of_every_part() -> None:
    sign = Sign(cause="c", metrics=("vllm:m",), logs=("a line",), command="curl {endpoint}")
    lever = Lever(
        causes=("c",),
        stage="fix",
        restart=True,
        moves=("ITL down",),
        cost="a cost",
        verify="a proof",
        rollback="a way back",
        set=("--flag 1",),
        warnings=("a warning",),
    )
    head = Head(id="a.b", kind="fact", applies=">=0.11", checked=HEAD.checked, sources=(), sign=sign, lever=lever)
    assert Claim(head=head, title="T", body="B").text().splitlines() == [
        "T",
        "B",
        "vllm:m",
        "a line",
        "curl {endpoint}",
        "ITL down",
        "--flag 1",
        "a cost",
        "a warning",
        "a proof",
        "a way back",
    ]

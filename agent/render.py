"""An answer as Markdown."""

import itertools
from collections.abc import Iterable, Iterator

from agent.answer import Citation, Sentence

_MARK = {"text": "", "item": "- ", "subitem": "  - "}
_LISTED = ("item", "subitem")


def render(
    sentences: Iterable[Sentence], next_steps: Iterable[Sentence], citations: Iterable[Citation], basis: str
) -> str:
    """Write the sentences, what to measure next, the sources and the version assumed.

    Args:
        sentences: Those that passed the check.
        next_steps: What to measure next, checked too.
        citations: Every claim cited.
        basis: One line on the version and on who wrote.
    """
    blocks = [_lines(sentences)]
    steps = list(next_steps)
    if steps:
        blocks.append("## Measure next\n\n" + "\n".join(f"- {_cited(s)}" for s in steps))
    sources = [_source(c) for c in citations]
    if sources:
        blocks.append("## Sources (`ask corpus show ID` tells all)\n\n" + "\n".join(sources))
    blocks.append(basis)
    return "\n\n".join(block for block in blocks if block) + "\n"


def _lines(sentences: Iterable[Sentence]) -> str:
    rows: list[str] = []
    causes = itertools.count(1)
    before = ""
    for sentence in sentences:
        if rows and not (sentence.form in _LISTED and before in _LISTED):
            rows.append("")
        rows.append(_block(sentence, causes))
        before = sentence.form
    return "\n".join(rows)


def _block(sentence: Sentence, causes: Iterator[int]) -> str:
    if sentence.form == "code":
        return f"```sh\n{sentence.text}\n```"
    if sentence.form == "heading":
        return f"### {sentence.text}"
    if sentence.form == "cause":
        return f"### {next(causes)}. {sentence.text}"
    return _MARK[sentence.form] + _cited(sentence)


def _cited(sentence: Sentence) -> str:
    marks = "".join(f" [{claim}]" for claim in sentence.claims)
    return sentence.text + marks


def _source(citation: Citation) -> str:
    """One line a claim: its first source and how many more `ask corpus show` tells."""
    first, *others = citation.sources
    more = f" (+{len(others)})" if others else ""
    return f"- [{citation.id}] {first.url or first.label}{more}"

"""Everyday words are said in the field's words too."""

import pytest

from knowledge.search.everyday import in_field_words


@pytest.mark.parametrize(
    ("query", "gained"),
    [
        ("there are pauses between words", "ITL inter-token latency"),
        ("which graphics card do I need", "GPU"),
        ("the helper model makes us slower", "speculative decoding draft"),
    ],
)
def test_the_fields_words_are_added(query: str, gained: str) -> None:
    said = in_field_words(query)
    assert said.startswith(query)
    assert gained in said


def test_a_word_is_matched_whole_and_the_fields_own_words_gain_nothing() -> None:
    assert in_field_words("scorecards of discards") == "scorecards of discards"
    assert in_field_words("why is ITL spiking") == "why is ITL spiking"

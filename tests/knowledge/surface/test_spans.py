"""Spans: folding readings into intervals and reading them back."""

from hypothesis import given, strategies as st

from knowledge.surface.spans import Reading, Readings, Span, extend, fold, holding

RELEASES = ("0.1", "0.2", "0.3", "0.4", "0.5")
ORDER = {release: index for index, release in enumerate(RELEASES)}

readings_of_release = st.dictionaries(
    st.sampled_from(["--a", "--b", "--c"]),
    st.builds(Reading, facts=st.fixed_dictionaries({"default": st.integers(0, 1)}), where=st.just("f.py:1")),
)
histories = st.lists(readings_of_release, min_size=1, max_size=len(RELEASES))


def named(found: list[Readings]) -> list[tuple[str, Readings]]:
    return list(zip(RELEASES, found, strict=False))


def test_a_fact_that_comes_changes_and_goes_makes_two_closed_spans() -> None:
    spans = fold(
        named(
            [
                {},
                {"--x": Reading({"default": 1}, "a.py:1")},
                {"--x": Reading({"default": 1}, "a.py:5")},
                {"--x": Reading({"default": 2}, "b.py:9")},
                {},
            ]
        )
    )
    assert spans == [
        Span("--x", since="0.2", until="0.3", first_at="a.py:1", last_at="a.py:5", facts={"default": 1}),
        Span("--x", since="0.4", until="0.4", first_at="b.py:9", last_at="b.py:9", facts={"default": 2}),
    ]


def test_a_moved_line_alone_leaves_the_span_as_it_is() -> None:
    before = [Span("--x", since="0.1", first_at="a.py:1", facts={"default": 1})]
    at_one, at_nine = Reading({"default": 1}, "a.py:1"), Reading({"default": 1}, "a.py:9")
    assert extend(before, {"--x": at_one}, "0.1", "0.2", {"--x": at_nine}) == before


def test_a_fact_that_comes_back_gets_a_new_span() -> None:
    there: Readings = {"--x": Reading({})}
    spans = fold(named([there, {}, there]))
    assert [(span.since, span.until) for span in spans] == [("0.1", "0.1"), ("0.3", "")]


@given(histories)
def test_every_release_reads_back_as_it_was_folded(found: list[Readings]) -> None:
    spans = fold(named(found))
    for release, readings in named(found):
        standing = {span.name: span.facts for span in holding(spans, release, ORDER)}
        assert standing == {name: reading.facts for name, reading in readings.items()}


@given(histories)
def test_at_most_one_span_of_a_name_holds_at_a_time(found: list[Readings]) -> None:
    spans = fold(named(found))
    for release in RELEASES:
        names = [span.name for span in holding(spans, release, ORDER)]
        assert len(names) == len(set(names))

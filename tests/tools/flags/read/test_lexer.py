"""Words against `shlex`, what a shell alone knows, and mends."""

import shlex

from hypothesis import given, settings, strategies as st

from tools.flags.read.lexer import cut

LETTERS = st.text("ab-=/.:,@%+0 \t'\"\\", max_size=24)
COMMENT = st.sampled_from(["", " # a comment, it's one", "\t#x"])


def literal(text: str, *, as_shell: bool = True) -> list[str]:
    return [token.literal() for token in cut(text, as_shell=as_shell).tokens()]


@settings(max_examples=400, deadline=None)
@given(LETTERS, COMMENT)
def test_the_words_are_those_of_shlex_with_its_comments(text: str, comment: str) -> None:
    try:
        expected = shlex.split(text + comment, comments=True)
        shlex.split(text)
    except ValueError:
        return
    assert literal(text + comment) == expected


@settings(max_examples=400, deadline=None)
@given(st.text("ab-=;&|<>()# \t\n'\"", max_size=24))
def test_without_a_shell_the_words_are_those_of_shlex(text: str) -> None:
    try:
        expected = shlex.split(text)
    except ValueError:
        return
    assert literal(text, as_shell=False) == expected


def test_a_hash_in_a_word_is_a_letter_to_a_shell() -> None:
    assert literal("a#b #c") == ["a#b"]


def test_typed_quotes_and_dashes_are_mended_outside_quotes_only() -> None:
    assert literal('–port —seed “a b” --x=“c” "—port “d”"') == ["--port", "--seed", "a b", "--x=c", "—port “d”"]
    assert literal("\N{LEFT SINGLE QUOTATION MARK}a b\N{RIGHT SINGLE QUOTATION MARK}") == ["a b"]
    assert literal("–port", as_shell=False) == ["–port"]


def test_typed_quotes_that_are_not_closed_on_the_line_are_letters() -> None:
    assert literal("“a\nb”") == ["“a", "b”"]


def test_json_with_a_variable_in_it_is_left_to_the_shell() -> None:
    cut_up = cut('{"a": $N, "b": 1}')
    assert cut_up.notes == []


def test_a_here_document_that_is_never_closed_swallows_nothing() -> None:
    assert literal("cat <<E\nvllm\n") == ["cat", "vllm"]


def test_lines_of_words_in_an_array() -> None:
    (token,) = cut("\nA=(\n  b\n  c)").tokens()
    assert [item.line for item in token.items or []] == [3, 4]

"""Names in any spelling become one term."""

import pytest

from knowledge.search.terms import names, words


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("--max-num-seqs", "max_num_seqs"),
        ("MAX_NUM_SEQS=64", "max_num_seqs"),
        ("`max_num_seqs`,", "max_num_seqs"),
        ("--kv-cache-dtype=fp8", "kv_cache_dtype"),
        ("vllm:num_preemptions_total", "num_preemptions"),
        ('vllm:inter_token_latency_seconds_bucket{le="0.1"} 3', "inter_token_latency_seconds"),
        ("vllm:inter_token_latency_seconds_sum", "inter_token_latency_seconds"),
        ("vllm:request_success_created", "request_success"),
    ],
)
def test_one_name_for_every_spelling(text: str, name: str) -> None:
    assert names(text) == (name,)


def test_names_stand_once_and_in_order() -> None:
    assert names("b_c a-b B-C one") == ("b_c", "a_b")


def test_plain_words_are_no_names() -> None:
    assert names("why is ITL spiking") == ()


def test_words_hold_the_parts_of_names_without_stop_words() -> None:
    assert words("Why does --max-num-seqs matter to the KV?") == ("max", "num", "seqs", "matter", "kv")


@pytest.mark.parametrize("text", ["", "¿…? 你好", "-- __ --"])
def test_text_without_terms(text: str) -> None:
    assert (names(text), words(text)) == ((), ())

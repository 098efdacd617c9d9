"""Retrieval on thirty questions as operators ask them, names in every spelling, filters."""

import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from knowledge.search.find import find
from knowledge.search.index import Index
from knowledge.versions import in_range

QUESTIONS: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("questions.toml").read_text("utf-8"))[
    "question"
]
NEEDED = 29


def ids(index: Index, query: str, limit: int = 5, **filters: str) -> list[str]:
    return [hit.claim.id for hit in find(index, query, limit=limit, **filters)]  # type: ignore[arg-type]


def test_a_right_claim_is_among_the_first_five(index: Index) -> None:
    missed = [asked["ask"] for asked in QUESTIONS if not {*ids(index, asked["ask"])} & {*asked["claims"]}]
    assert len(QUESTIONS) - len(missed) >= NEEDED, missed


def test_thirty_questions_in_three_manners() -> None:
    assert Counter(asked["style"] for asked in QUESTIONS) == {"terse": 10, "pasted": 10, "paraphrase": 10}


def test_the_questions_name_claims_that_exist(index: Index) -> None:
    assert {claim for asked in QUESTIONS for claim in asked["claims"]} <= set(index.claims)


@pytest.mark.parametrize("spelling", ["--max-num-seqs", "max_num_seqs", "MAX_NUM_SEQS", "--max_num_seqs"])
def test_a_flag_matches_in_any_spelling(index: Index, spelling: str) -> None:
    hits = find(index, spelling)
    assert all(hit.named for hit in hits)
    assert all("--max-num-seqs" in hit.claim.text() or "max_num_seqs" in hit.claim.text() for hit in hits)


@pytest.mark.parametrize(
    ("name", "claim"),
    [
        ("vllm:request_num_preemptions_bucket", "kv.preemptions-per-request"),
        ("vllm:num_requests_waiting_by_reason", "kv.waiting-by-reason"),
        ("VLLM_GC_DEBUG", "host.gc-frozen-heaps"),
        ("--scheduler-reserve-full-isl", "kv.full-prompt-admission"),
    ],
)
def test_the_claim_about_a_name_is_found_by_the_name(index: Index, name: str, claim: str) -> None:
    assert claim in ids(index, name)


@pytest.mark.parametrize("release", ["0.12.0", "0.20.0", "0.33.0"])
def test_only_claims_that_hold_for_the_release(index: Index, release: str) -> None:
    hits = find(index, "async scheduling prefill interval stall", limit=40, release=release)
    assert hits
    assert all(in_range(release, hit.claim.head.applies) for hit in hits)


def test_the_release_decides_between_two_claims(index: Index) -> None:
    asked = "turn async scheduling on"
    assert "decode.async-scheduling-opt-in" in ids(index, asked, release="0.12.0")
    assert "decode.async-scheduling-on" in ids(index, asked, release="0.33.0")


def test_only_claims_of_the_topic(index: Index) -> None:
    hits = find(index, "why is ITL spiking", limit=10, topic="moe")
    assert len(hits) == 10
    assert {hit.claim.topic for hit in hits} == {"moe"}


@pytest.mark.parametrize("query", ["", "  \n\t"])
def test_an_empty_question_finds_nothing(index: Index, query: str) -> None:
    assert find(index, query) == []


@pytest.mark.parametrize(
    "query",
    ['" OR 1 --', "NEAR(a b) AND *", "'; DROP TABLE claims;", "\x00\x01", "你好", "ITL " * 300_000],
    ids=["quote", "fts syntax", "sql", "control", "other script", "1 MB"],
)
def test_any_text_is_searched_for(index: Index, query: str) -> None:
    assert len(find(index, query)) == 5


def test_best_first_and_no_claim_twice(index: Index) -> None:
    hits = find(index, "KV cache full", limit=20)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert len({hit.claim.id for hit in hits}) == len(hits)

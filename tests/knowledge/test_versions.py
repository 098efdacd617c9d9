"""Versions as people and logs write them, and ranges with their boundaries."""

import pytest

from knowledge.errors import UserError
from knowledge.versions import in_range, newest, parse_range, releases, resolve


@pytest.mark.parametrize(
    ("text", "release", "exact"),
    [
        ("0.27.0", "0.27.0", True),
        ("v0.27", "0.27.0", True),
        (" 0.27.0 ", "0.27.0", True),
        ("0.28.0+cu129", "0.28.0", True),
        ("0.28.0rc1", "0.28.0", False),
        ("0.31.0.dev12+gabc", "0.31.0", False),
        ("99.0", releases()[-1], False),
        ("0.6.3", releases()[0], False),
        ("v0.19.0-cu130", "0.19.0", True),
        ("0.29.x", "0.29.0", False),
        ("0.27.x", "0.27.1", False),
        ("0.8.x", "0.8.5.post1", False),
        ("0.10.1rc1 (vllm-ascend)", "0.10.1", False),
        ("nightly", releases()[-1], False),
        ("0.1.dev1+g0123abc", releases()[-1], False),
    ],
)
def test_a_version_is_resolved(text: str, release: str, exact: bool) -> None:
    known = resolve(text)
    assert (known.release, known.exact) == (release, exact)


def test_no_version_is_the_newest_and_says_that_it_is_assumed() -> None:
    assert resolve(None).release == newest()
    assert "assumed" in resolve(None).basis


@pytest.mark.parametrize("text", ["", "newish", "--json"])
def test_what_is_no_version_is_refused(text: str) -> None:
    with pytest.raises(UserError, match="is not a version number") as refusal:
        resolve(text)
    assert newest() in str(refusal.value)


@pytest.mark.parametrize(
    ("text", "release", "until"),
    [
        (">=0.28,<0.30", "0.28.0", "0.29.0"),
        (">=0.11.0", "0.11.0", releases()[-1]),
        (">=0.7.0", releases()[0], releases()[-1]),
        ("==0.25.*", "0.25.0", "0.25.1"),
    ],
)
def test_a_range_is_its_oldest_release(text: str, release: str, until: str) -> None:
    known = resolve(text)
    assert (known.release, known.until, known.exact) == (release, until, False)
    assert text in known.basis


@pytest.mark.parametrize("text", [">=99", "<0.1", ">=0.x"])
def test_a_range_without_a_release_is_refused(text: str) -> None:
    with pytest.raises(UserError, match=releases()[0]):
        resolve(text)


@pytest.mark.parametrize(
    ("release", "applies", "held"),
    [
        ("0.11.0", ">=0.11", True),
        ("0.10.2", ">=0.11", False),
        ("0.26.0", ">=0.11,<0.27", True),
        ("0.27.0", ">=0.11,<0.27", False),
        ("0.14.1", "<0.14.1", False),
    ],
)
def test_the_ends_of_a_range(release: str, applies: str, held: bool) -> None:
    assert in_range(release, applies) is held


def test_what_is_no_range_is_refused() -> None:
    with pytest.raises(ValueError, match="since"):
        parse_range("since 0.11")


def test_releases_stand_oldest_first() -> None:
    assert releases().index("0.9.2") < releases().index("0.10.0") < releases().index("0.33.0")

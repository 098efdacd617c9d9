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
    ],
)
def test_a_version_is_resolved(text: str, release: str, exact: bool) -> None:
    known = resolve(text)
    assert (known.release, known.exact) == (release, exact)


def test_no_version_is_the_newest_and_says_that_it_is_assumed() -> None:
    assert resolve(None).release == newest()
    assert "assumed" in resolve(None).basis


@pytest.mark.parametrize("text", ["", "latest", "0.27.x", "--json"])
def test_what_is_no_version_is_refused(text: str) -> None:
    with pytest.raises(UserError, match="is not a version number") as refusal:
        resolve(text)
    assert newest() in str(refusal.value)


def test_older_than_all_is_refused_with_the_oldest() -> None:
    with pytest.raises(UserError) as refusal:
        resolve("0.0.1")
    assert releases()[0] in str(refusal.value)


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

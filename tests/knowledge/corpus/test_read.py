"""Corpus files into claims, and what is refused with file and line."""

import datetime as dt
from pathlib import Path

import pytest

from knowledge.corpus.claim import CodeSource
from knowledge.corpus.read import read_corpus, read_file
from knowledge.errors import CorpusError

HEAD = """```toml
id = "fruit.pear"
kind = "fact"
applies = ">=0.11"
checked = { version = "0.33.0", date = 2026-12-01 }
[[sources]]
type = "code"
path = "vllm/a.py"
version = "0.33.0"
token = "x"
```
"""
CLAIM = f"## Pears are green\n{HEAD}One\nparagraph.\n\nAnother.\n"


def write(folder: Path, text: str | bytes, name: str = "fruit.md") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["unix", "windows"])
def test_a_claim_is_read_field_by_field(tmp_path: Path, newline: str) -> None:
    path = write(tmp_path, f"# Fruit\n\nIntroduction.\n\n{CLAIM}".replace("\n", newline))
    (claim,) = read_file(path)
    assert (claim.id, claim.topic, claim.title, claim.file, claim.line) == (
        "fruit.pear",
        "fruit",
        "Pears are green",
        "fruit.md",
        5,
    )
    assert claim.lead == "One paragraph."
    assert claim.body == "One\nparagraph.\n\nAnother."
    assert claim.head.checked.date == dt.date(2026, 12, 1)
    assert claim.head.sources == (CodeSource(path="vllm/a.py", version="0.33.0", token="x"),)


def test_files_and_claims_keep_their_order(tmp_path: Path) -> None:
    write(tmp_path, CLAIM + CLAIM.replace("fruit.pear", "fruit.apple"))
    write(tmp_path, CLAIM.replace("fruit.pear", "abc.z"), "abc.md")
    assert [claim.id for claim in read_corpus(tmp_path)] == ["abc.z", "fruit.pear", "fruit.apple"]


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("# F\n\n## No head\nBody.\n", 3, "no ```toml head"),
        (CLAIM + CLAIM.replace("kind =", "kind", 1), 17, "fruit.md"),
        (CLAIM.replace('kind = "fact"', 'kind = "rumour"'), 1, "rumour"),
        (CLAIM.replace('kind = "fact"\n', ""), 1, "kind"),
        (CLAIM.replace('kind = "fact"', 'kind = "fact"\ncolour = "green"'), 1, "colour"),
        (CLAIM.replace('type = "code"', 'type = "hearsay"'), 1, "hearsay"),
        (CLAIM.replace("2026-12-01", '"soon"'), 1, "date"),
        (CLAIM.replace("```\nOne", "One"), 1, "no ```toml head"),
        (CLAIM + CLAIM, 17, "fruit.md:1"),
    ],
    ids=[
        "no head",
        "no toml",
        "unknown kind",
        "missing kind",
        "unknown key",
        "unknown source",
        "no date",
        "open fence",
        "id used twice",
    ],
)
def test_a_broken_claim_is_refused_with_file_and_line(tmp_path: Path, text: str, line: int, what: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(CorpusError) as refusal:
        read_corpus(tmp_path)
    assert f"{path}:{line}:" in str(refusal.value)
    assert what in str(refusal.value)


def test_what_is_no_text_is_refused_with_its_name(tmp_path: Path) -> None:
    path = write(tmp_path, b"## \xff\xfe")
    with pytest.raises(CorpusError, match="UTF-8") as refusal:
        read_corpus(tmp_path)
    assert str(path) in str(refusal.value)


def test_a_folder_in_place_of_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "fruit.md").mkdir()
    with pytest.raises(CorpusError, match=r"fruit\.md"):
        read_corpus(tmp_path)


@pytest.mark.parametrize("name", ["", "missing"])
def test_a_corpus_without_claims_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(CorpusError) as refusal:
        read_corpus(tmp_path / name)
    assert str(tmp_path / name) in str(refusal.value)

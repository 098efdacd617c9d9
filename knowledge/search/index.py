"""Build, open and mend the index: claims and terms in SQLite, vectors in Chroma, both in one folder per corpus state.

Layout under the data folder:

    encoders/<model>/        model.onnx tokenizer.json encoder.json
    index/<fingerprint>/     claims.db chroma/
    build.lock               held while something is built

A folder is built beside its place and renamed into it, so that a reader never sees half of one, and a damaged one is
set aside and built anew. Nothing in here is precious: deleting the data folder's `index` and `encoders` is safe.
"""

import contextlib
import hashlib
import os
import secrets
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from knowledge.corpus.claim import Claim
from knowledge.corpus.read import corpus_files, read_bytes, read_corpus
from knowledge.errors import CorpusError, UpstreamError, UserError
from knowledge.search.dense import Dense, VectorText, vector_texts, write_vectors
from knowledge.search.encoder import BATCH, Encoder, Vectors, encoder_key, load_encoder
from knowledge.search.lexical import Lexical, write_claims
from knowledge.settings import Settings
from knowledge.versions import releases

LAYOUT: Final = "4"
"""Raise when the stored form changes: older folders are then rebuilt."""

LOCK_WAIT_S: Final = 600.0
"""A build takes about a minute; whoever holds the lock ten times as long is stuck."""

KEPT_S: Final = 7 * 86_400.0
"""An index that nobody opened for so long is removed by the next build."""

Progress = Callable[[str, int, int], None]
"""Called with what is being done, steps done, steps in all."""


def silent(_what: str, _done: int, _total: int) -> None:
    """Progress for nobody."""


class Index:
    """An open index.

    Attributes:
        claims: Every claim by id.
        lexical: The lexical half.
        dense: The dense half.
        encoder: The model that made the vectors.
    """

    def __init__(self, folder: Path, encoder: Encoder) -> None:
        with contextlib.ExitStack() as opened:
            self.lexical = opened.enter_context(contextlib.closing(Lexical(folder / "claims.db")))
            self.claims = self.lexical.claims()
            self.dense = opened.enter_context(contextlib.closing(Dense(folder / "chroma")))
            self._opened = opened.pop_all()
        self.encoder = encoder

    def is_whole(self, fingerprint: str) -> bool:
        """Whether both halves hold all that was built for this fingerprint."""
        return self.lexical.fingerprint() == fingerprint and self.dense.count() == len(
            vector_texts(list(self.claims.values()))
        )

    def close(self) -> None:
        """Close both halves."""
        self._opened.close()


def open_index(settings: Settings, progress: Progress = silent, corpus: Path | None = None) -> Index:
    """Open the index of the current corpus; build it, or build it anew, when it is missing or damaged.

    Args:
        settings: Where it lives and which model embeds.
        progress: Told about a build.
        corpus: Another corpus folder than the shipped one.

    Raises:
        CorpusError: A claim does not parse, or what was just built cannot be opened.
        UserError: The data folder cannot be written, or the model cannot be loaded.
        UpstreamError: Another process holds the build lock for too long.
    """
    fingerprint = corpus_fingerprint(settings, corpus)
    folder = settings.home / "index" / fingerprint
    opened = _try_open(settings, folder, fingerprint)
    if opened:
        return opened
    with build_lock(settings.home):
        opened = _try_open(settings, folder, fingerprint)  # another process may have built it meanwhile
        if opened:
            return opened
        claims = read_corpus(corpus)  # first: a broken claim should not cost the wait for the model
        encoder = _ready_encoder(settings, progress)
        texts = vector_texts(claims)
        _build(folder, claims, texts, _encode(encoder, texts, progress), fingerprint)
        _drop_unused(folder)
    opened = _try_open(settings, folder, fingerprint)
    if not opened:
        raise CorpusError(f"the index just built in {folder} cannot be opened; delete {folder.parent} and ask again")
    return opened


def corpus_fingerprint(settings: Settings, corpus: Path | None = None) -> str:
    """A short hash of everything that the index is made from."""
    made_with = (LAYOUT, encoder_key(settings.embed_model), *releases())
    state = hashlib.sha256("\n".join(made_with).encode())
    for path in corpus_files(corpus):
        state.update(b"\0" + path.name.encode() + b"\0" + read_bytes(path))
    return state.hexdigest()[:16]


@contextlib.contextmanager
def build_lock(home: Path) -> Iterator[None]:
    """Hold the right to build in this data folder.

    Raises:
        UserError: The folder cannot be written.
        UpstreamError: Another process has been building for too long.
    """
    import filelock

    lock = filelock.FileLock(home / "build.lock", timeout=LOCK_WAIT_S)
    try:
        home.mkdir(parents=True, exist_ok=True)
        with lock:
            yield
    except filelock.Timeout as exc:
        raise UpstreamError(
            f"another process has held {home / 'build.lock'} for {LOCK_WAIT_S:.0f} s; "
            "when none is building (pgrep -af ask), delete that file and ask again",
            retryable=True,
        ) from exc
    except OSError as exc:
        raise UserError(f"the data folder {home} cannot be written: {exc}; set ASK_HOME to a folder that can") from exc


def _try_open(settings: Settings, folder: Path, fingerprint: str) -> Index | None:
    """The index when it is whole, else None; a damaged one counts as none, it will be built anew."""
    from chromadb.errors import ChromaError

    try:
        if not folder.is_dir():
            return None
        index = Index(folder, load_encoder(settings.home / "encoders" / encoder_key(settings.embed_model)))
        if index.is_whole(fingerprint):
            with contextlib.suppress(OSError):  # a read-only home is never cleaned up either
                os.utime(folder)
            return index
        index.close()
    except (sqlite3.DatabaseError, ChromaError, CorpusError, msgspec.MsgspecError, OSError):
        return None
    return None


def _build(
    folder: Path, claims: Sequence[Claim], texts: Sequence[VectorText], vectors: Vectors, fingerprint: str
) -> None:
    from chromadb.errors import ChromaError

    try:
        with _new_folder(folder) as fresh:
            write_claims(fresh / "claims.db", claims, fingerprint)
            write_vectors(fresh / "chroma", claims, texts, vectors)
    except (sqlite3.Error, ChromaError) as exc:  # how the two name a full disk
        raise UserError(
            f"the index cannot be written to {folder.parent}: {exc}; free space there or set ASK_HOME to another folder"
        ) from exc


def _ready_encoder(settings: Settings, progress: Progress) -> Encoder:
    folder = settings.home / "encoders" / encoder_key(settings.embed_model)
    with contextlib.suppress(CorpusError):
        return load_encoder(folder)
    progress("preparing the embedding model (once)", 0, 1)
    from knowledge.search.export import export_encoder

    with _new_folder(folder) as fresh:
        export_encoder(settings.embed_model, fresh)
    progress("preparing the embedding model (once)", 1, 1)
    return load_encoder(folder)


def _encode(encoder: Encoder, texts: Sequence[VectorText], progress: Progress) -> Vectors:
    """Encode in order of length: a batch is padded to its longest text, and padding costs as much as words."""
    import numpy as np

    order = sorted(range(len(texts)), key=lambda at: len(texts[at].text))
    parts = []
    for at in range(0, len(order), BATCH):
        parts.append(encoder.documents([texts[which].text for which in order[at : at + BATCH]]))
        progress("indexing claims", min(at + BATCH, len(order)), len(order))
    vectors: Vectors = np.empty((len(order), parts[0].shape[1]), dtype=np.float32)
    vectors[order] = np.concatenate(parts)
    return vectors


@contextlib.contextmanager
def _new_folder(place: Path) -> Iterator[Path]:
    """A folder to fill, which takes its place only when it was filled without an error."""
    place.parent.mkdir(parents=True, exist_ok=True)
    for leftover in place.parent.glob(".building-*"):  # of a build that was killed: the lock is ours
        shutil.rmtree(leftover, ignore_errors=True)
    # Not tempfile's: its folders are for one user, and a data folder may be shared. A new name each time, because
    # Chroma remembers a path for the life of the process.
    fresh = place.parent / f".building-{secrets.token_hex(4)}"
    fresh.mkdir()
    damaged = fresh.with_suffix(".damaged")
    try:
        yield fresh
        if place.exists():
            place.rename(damaged)
        fresh.rename(place)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
        shutil.rmtree(damaged, ignore_errors=True)


def _drop_unused(current: Path) -> None:
    """Remove other corpus states that nobody opened lately: a chat that runs may still read one."""
    for folder in current.parent.iterdir():
        if folder != current and time.time() - folder.stat().st_mtime > KEPT_S:
            shutil.rmtree(folder, ignore_errors=True)

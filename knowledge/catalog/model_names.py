"""Find the model that a name means: an id, a part of one, a quantised checkpoint, or a path to one."""

import re
from collections.abc import Iterable
from difflib import get_close_matches
from functools import cache
from typing import NamedTuple

from knowledge.catalog.found import Ambiguous, FoundModel, NotFound
from knowledge.catalog.model import Incomplete, Model, Quantisation
from knowledge.catalog.quantised_name import Stripped, strip_quantisation
from knowledge.catalog.store import model_file

_MOST_CANDIDATES = 12
_SIZE = re.compile(r"\d+(\.\d+)?[bmt]|e\d+b|\d+x\d+b")
"""A word that gives a size, as `235b`; a name without one is never completed."""


class _Entry(NamedTuple):
    """What one known name stands for."""

    name: str
    model: Model | Incomplete
    quantisation: Quantisation | None
    basis: str


def find_model(name: str) -> FoundModel | Ambiguous | NotFound:
    """Find a model by name; case, underscores and spaces do not matter, the organisation may be left out.

    Args:
        name: For example `Qwen/Qwen3-235B-A22B-FP8`, `deepseek v3`, `/weights/Llama-3.1-8B-Instruct`.
    """
    key = _key(_without_path(name))
    entries = _index().get(key) or _with_quantisation(key) or _run_together(key)
    if entries:
        return _answer(name, entries)
    organisation, slash, tail = key.rpartition("/")
    if slash and _index().get(tail):
        ids = _ids(_index()[tail])
        return Ambiguous(name, ids, f"no checkpoint of {organisation!r} is known; the same name is known from others")
    return _by_words(name, key)


def _answer(name: str, entries: tuple[_Entry, ...]) -> FoundModel | Ambiguous | NotFound:
    models = {entry.model.id for entry in entries}
    if len(models) > 1:
        return Ambiguous(name, _ids(entries), "several organisations publish a checkpoint of this name")
    entry = entries[0]
    if isinstance(entry.model, Incomplete):
        missing = ", ".join(entry.model.missing)
        reason = f"{entry.model.id} is known, but {missing} could not be read anywhere; give its config.json"
        return NotFound(name, (), reason)
    return FoundModel(entry.model, entry.name, entry.quantisation, entry.basis)


def _with_quantisation(key: str) -> tuple[_Entry, ...]:
    """Entries of the name without its trailing format; another organisation may publish such a checkpoint."""
    for base, quantisation in strip_quantisation(key):
        found = _index().get(base) or _index().get(_tail(base)) or ()
        plain = tuple(e for e in found if e.quantisation == getattr(e.model, "quantisation", None)) or found
        if plain:
            how = f"{quantisation.format if quantisation else 'plain dtype'} read from the name; shapes of "
            return tuple(_Entry(key, e.model, quantisation, how + e.model.id) for e in plain)
    return ()


def _run_together(key: str) -> tuple[_Entry, ...]:
    """The entry of a name written without its hyphens, as `glm5-w8a8`."""
    for base, quantisation in [Stripped(key, None), *strip_quantisation(key)]:
        organisation, _, tail = base.rpartition("/")
        for entry in () if tail in _index() else _unhyphenated().get(tail.replace("-", ""), ()):
            # Another organisation's format of a model is common, another organisation's plain model is another.
            if base != key or organisation in ("", _key(entry.name).rpartition("/")[0]):
                stored = entry.quantisation if base == key else quantisation
                return (_Entry(key, entry.model, stored, f"{entry.name} written without its hyphens"),)
    return ()


def _by_words(name: str, key: str) -> FoundModel | Ambiguous | NotFound:
    """Names that hold all the words of the question, in order."""
    stripped = next(iter(strip_quantisation(key)), None)
    words = _words(stripped.base if stripped else key)
    fitting = [e for e in _entries() if e.name == e.model.id and _holds(_words(_tail(e.name)), words)]
    if not fitting or not words:
        return _nothing(name, key)
    if len(fitting) > 1 or not any(_SIZE.fullmatch(word) for word in words):
        return Ambiguous(name, _ids(fitting), "the name fits several models or leaves the size out")
    entry = fitting[0]
    how = stripped.quantisation if stripped else entry.quantisation
    basis = f"{entry.name} is the only catalogued model whose name holds {name!r}"
    return _answer(name, (_Entry(entry.name, entry.model, how, basis),))


def _nothing(name: str, key: str) -> NotFound:
    near = get_close_matches(_tail(key), [k for k in _index() if "/" not in k], n=3, cutoff=0.75)
    ids = tuple(dict.fromkeys(_index()[k][0].name for k in near))
    return NotFound(name, ids, f"{name!r} is not in the catalog; give its config.json")


def _holds(known: list[str], asked: list[str]) -> bool:
    rest = iter(known)
    return all(any(word == other for other in rest) for word in asked)


@cache
def _entries() -> tuple[_Entry, ...]:
    """Every known name: ids, aliases and checkpoints of models, and ids and aliases of incomplete ones."""
    entries: list[_Entry] = []
    for model in model_file().models:
        entries.append(_Entry(model.id, model, model.quantisation, "named by its id"))
        entries += [
            _Entry(alias, model, model.quantisation, f"another id of the shapes of {model.id}")
            for alias in model.aliases
        ]
        entries += [
            _Entry(c.id, model, c.quantisation, f"a checkpoint of {model.id}: {c.basis}") for c in model.checkpoints
        ]
    for unread in model_file().incomplete:
        entries += [_Entry(known, unread, None, "named by its id") for known in (unread.id, *unread.aliases)]
    return tuple(entries)


@cache
def _index() -> dict[str, tuple[_Entry, ...]]:
    """Full names and names without organisation, normalised, to what they stand for."""
    index: dict[str, tuple[_Entry, ...]] = {}
    for entry in _entries():
        key = _key(entry.name)
        for known in dict.fromkeys((key, _tail(key))):
            index[known] = (*index.get(known, ()), entry)
    return index


@cache
def _unhyphenated() -> dict[str, tuple[_Entry, ...]]:
    """Names without organisation and hyphens; one that would stand for two models is left out."""
    index: dict[str, tuple[_Entry, ...]] = {}
    for entry in _entries():
        known = _tail(_key(entry.name)).replace("-", "")
        index[known] = (*index.get(known, ()), entry)
    return {known: row for known, row in index.items() if len({entry.model.id for entry in row}) == 1}


def _key(name: str) -> str:
    return re.sub(r"[\s_]+", "-", name.strip().lower())


def _tail(name: str) -> str:
    return name.rpartition("/")[2]


def _words(name: str) -> list[str]:
    return [word for word in re.split(r"[-_/\s]+", name.lower()) if word]


def _without_path(name: str) -> str:
    """The last folder of a path; a Hugging Face id has one slash and does not begin with one."""
    text = name.strip().rstrip("/")
    if text.startswith(("/", ".", "~")) or text.count("/") > 1:
        return _tail(text)
    return text


def _ids(entries: Iterable[_Entry]) -> tuple[str, ...]:
    return tuple(sorted(dict.fromkeys(entry.name for entry in entries)))[:_MOST_CANDIDATES]

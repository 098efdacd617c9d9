"""Walk over the words of a command line as `argparse` does, collecting faults instead of stopping at the first."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from knowledge.versions import in_range
from tools.flags.launch import OPAQUE, Launch, Word
from tools.flags.parse.given import Fault, Given, Parsed
from tools.flags.parse.options import Ambiguous, Option, Options, options
from tools.flags.parse.values import RefusedError, converted, human_readable_int, listed
from tools.flags.parse.words import rewritten

DOTTED: Final = ">=0.9"  # --flag.key value
SUFFIXES_IN_DOTTED: Final = ">=0.20"  # --flag.key 80g

_NEGATIVE = re.compile(r"-\d+|-\d*\.\d+")


def parse(launch: Launch, release: str) -> Parsed:
    """Read a launch's words as a release would.

    Args:
        launch: The launch.
        release: A release known here.
    """
    return _Walk(rewritten(launch.words, release), options(release, launch.command, launch.subcommand), release).walked(
        takes_model=launch.command == "serve"
    )


class _Walk:
    def __init__(self, words: list[Word], table: Options, release: str) -> None:
        self.words = words
        self.table = table
        self.dotted = in_range(release, DOTTED)
        self.suffixes = in_range(release, SUFFIXES_IN_DOTTED)
        self.at = 0
        self.given: list[Given] = []
        self.faults: list[Fault] = []
        self.plain: list[Word] = []

    def walked(self, *, takes_model: bool) -> Parsed:
        while self.at < len(self.words):
            word = self.words[self.at]
            self.at += 1
            if word.text == "--":
                self.plain += self.words[self.at :]
                break
            if self._is_value(word):
                self.plain.append(word)
            else:
                self._option(word)
        by_flag = next((use for use in reversed(self.given) if use.name == "--model"), None)
        model, extra = (self.plain[0], self.plain[1:]) if self.plain and takes_model else (None, self.plain)
        self.faults += [Fault("word-not-taken", word.text, line=word.line) for word in extra if not word.is_opaque]
        name = model.text if model else str(by_flag.value) if by_flag and by_flag.known else None
        return Parsed(
            model=None if name is None or OPAQUE in name else name,
            model_line=model.line if model else by_flag.line if by_flag else 1,
            given=tuple(self.given),
            faults=tuple(sorted(self.faults, key=lambda fault: fault.line)),
        )

    def _is_value(self, word: Word) -> bool:
        """Whether a word is a value and not an option: it has no dash, is a number, or holds a blank."""
        text = word.text
        if not text.startswith("-") or text == "-" or _NEGATIVE.fullmatch(text):
            return True
        if text.partition("=")[0] in self.table.by_spelling:
            return False
        return " " in text.partition("=")[0] and not isinstance(self._found(text), Option)

    def _found(self, text: str) -> Option | Ambiguous | None:
        name, equals, _ = text.partition("=")
        exact = self.table.by_spelling.get(text) or (self.table.by_spelling.get(name) if equals else None)
        return exact or self.table.find(name.partition(".")[0] if self._is_dotted(name) else name)

    def _is_dotted(self, name: str) -> bool:
        return self.dotted and "." in name

    def _option(self, word: Word) -> None:
        name, equals, attached = word.text.partition("=")
        match self._found(word.text):
            case Option() as option if self._is_dotted(name):
                self._keyed(option, name, attached if equals else None, word)
            case Option() as option:
                self._use(option, name, attached if equals else None, word)
            case Ambiguous(spellings):
                self._fault("flag-ambiguous", name, f"it may mean {listed(list(spellings), 6)}", word)
                self._skip_values()
            case None if (short := self._short(word.text)) is not None:
                self._use(short, short.spelling, word.text[len(short.spelling) :], word)
            case None:
                behind = (attached,) if equals else tuple(self._skip_values())
                self._fault("flag-not-known", name, "", word, behind)

    def _short(self, text: str) -> Option | None:
        """`-qfp8`: a short option with its value attached."""
        option = self.table.by_spelling.get(text[:2]) if not text.startswith("--") else None
        return option if option and option.facts.nargs != 0 and len(text) > len(option.spelling) else None

    def _fault(self, code: Any, subject: str, detail: str, word: Word, words: tuple[str, ...] = ()) -> None:
        self.faults.append(Fault(code, subject, detail, words, word.line))

    def _values(self, at_most: int | None) -> Iterator[Word]:
        """Take the values that follow."""
        taken = 0
        while self.at < len(self.words) and (at_most is None or taken < at_most):
            word = self.words[self.at]
            if word.text == "--" or not self._is_value(word):
                return
            self.at += 1
            taken += 1
            yield word

    def _skip_values(self) -> list[str]:
        """Take what stands behind a flag that is not known: at most one word, as most flags take one."""
        return [word.text for word in self._values(1)]

    def _keyed(self, option: Option, name: str, attached: str | None, word: Word) -> None:
        path = name.partition(".")[2]
        text = attached
        if text is None and self.at < len(self.words):
            text = self.words[self.at].text  # whatever it looks like
            self.at += 1
        if text is None:
            self._fault("value-missing", name, "a key needs a value", word)
            return
        keys = tuple(path.removesuffix("+").split("."))
        value = text.split(",") if path.endswith("+") else self._key_value(text)
        known = OPAQUE not in text
        self.given.append(Given(name, option.name, option.facts, (text,), value, keys, word.line, known))

    def _key_value(self, text: str) -> Any:
        try:
            return json.loads(text)
        except (json.JSONDecodeError, RecursionError):
            pass
        try:
            return human_readable_int(text) if self.suffixes else text
        except RefusedError:
            return text

    def _use(self, option: Option, name: str, attached: str | None, word: Word) -> None:
        facts = option.facts
        if facts.nargs == 0:
            if attached is not None:
                self._fault("value-not-taken", name, _no_value(option, attached), word)
            self.given.append(Given(name, option.name, facts, (), not option.negated, line=word.line))
            return
        taken = (
            [Word(text=attached, line=word.line)] if attached is not None else list(self._values(_most(facts.nargs)))
        )
        if not taken and facts.nargs not in ("?", "*"):
            self._fault("value-missing", name, "it needs a value", word)
            return
        self.given.append(self._read(option, name, taken, word))

    def _read(self, option: Option, name: str, taken: list[Word], word: Word) -> Given:
        texts = tuple(value.text for value in taken)
        if any(value.is_opaque for value in taken):
            return Given(name, option.name, option.facts, texts, line=word.line, known=False)
        try:
            values = [converted(text, option.facts) for text in texts]
        except RefusedError as refused:
            self._fault("value-refused", name, str(refused), word, texts)
            return Given(name, option.name, option.facts, texts, line=word.line, known=False)
        several = option.facts.nargs in ("+", "*")
        value = values if several else values[0] if values else None
        return Given(name, option.name, option.facts, texts, value, line=word.line)


def _most(nargs: int | str | None) -> int | None:
    if nargs in ("+", "*"):
        return None
    return nargs if isinstance(nargs, int) else 1


def _no_value(option: Option, attached: str) -> str:
    opposite = next(iter(option.facts.spellings if option.negated else option.facts.negations), "")
    asked_off = attached.strip().lower() in ("false", "0", "no", "off")
    if asked_off:
        return f"it takes no value; {f'write {opposite}' if opposite else 'leave it out'} to switch it off"
    return f"it takes no value; write {option.spelling} alone"

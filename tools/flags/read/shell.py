"""Read shell text: one command line, or a script with variables, arrays and continuations."""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from tools.flags.launch import OPAQUE, Launch, Note, Setting
from tools.flags.read.find_launch import found_in
from tools.flags.read.lexer import DOLLAR, Cut, Token, cut
from tools.flags.read.located import Located, line_of
from tools.flags.read.variables import expanded

NESTED_AT_MOST: Final = 4
"""`bash -c` in `bash -c`, so deep."""

_ASSIGNMENT: Final = re.compile(r"([A-Za-z_]\w*)(\+?)=")
_EXPORTS: Final = frozenset({"export", "declare", "typeset", "local", "readonly"})
_KEYWORDS: Final = frozenset({"if", "then", "else", "elif", "fi", "do", "done", "while", "for", "{", "}", "!", "time"})
_SHELLS: Final = frozenset({"sh", "bash", "zsh", "dash", "ash"})


def read_shell(
    text: str, first_line: int = 1, known: Mapping[str, str] | None = None, depth: int = 0
) -> tuple[Launch, ...]:
    """The launches in shell text.

    Args:
        text: The text, cleaned.
        first_line: The line of the input on which it begins.
        known: Variables that the surroundings set.
        depth: How many `bash -c` deep this is.

    Raises:
        UserError: A quote is never closed.
    """
    return _Script(known or {}, depth).run(cut(text, first_line))


class _Script:
    """Runs assignments, and collects launches."""

    def __init__(self, known: Mapping[str, str], depth: int) -> None:
        self.known = dict(known)
        self.arrays: dict[str, list[Located]] = {}
        self.exported: dict[str, Setting] = {}
        self.depth = depth
        self.launches: list[Launch] = []

    def run(self, parts: Cut) -> tuple[Launch, ...]:
        for command in parts.commands:
            self._command(command, parts.notes)
        return tuple(self.launches)

    def _command(self, tokens: list[Token], notes: Iterable[Note]) -> None:
        while tokens and tokens[0].literal() in _KEYWORDS:
            tokens = tokens[1:]
        leading = 0
        while leading < len(tokens) and _ASSIGNMENT.match(tokens[leading].literal()):
            leading += 1
        assigned, rest = tokens[:leading], tokens[leading:]
        if rest and rest[0].literal() in _EXPORTS:
            self._assign(rest[1:], exported=True)
        elif not rest:
            self._assign(assigned, exported=False)
        else:
            self._run(assigned, rest, notes)

    def _assign(self, tokens: list[Token], *, exported: bool) -> None:
        for token in tokens:
            name, setting = self._setting(token)
            if setting is None:
                if exported and name in self.known:
                    self.exported[name] = Setting(name=name, value=self.known[name], line=token.line)
                continue
            if exported or name in self.exported:
                self.exported[name] = setting

    def _setting(self, token: Token) -> tuple[str, Setting | None]:
        """Assign one `NAME=value`; a bare name assigns nothing."""
        found = _ASSIGNMENT.match(token.literal())
        if found is None:
            return token.literal(), None
        name, adds = found[1], bool(found[2])
        if token.items is not None:
            items = self._words(token.items, set())
            self.arrays[name] = [*self.arrays.get(name, []), *items] if adds else items
            return name, None
        value = "".join(self._texts(token, set()))[found.end() :]
        self.known[name] = self.known.get(name, "") + value if adds else value
        shown = None if OPAQUE in self.known[name] else self.known[name]
        return name, Setting(name=name, value=shown, line=token.line)

    def _texts(self, token: Token, unset: set[str]) -> list[str]:
        return [
            (expanded(piece.text, self.known, unset) if piece.expands else piece.text).replace(DOLLAR, "$")
            for piece in token.pieces
        ]

    def _words(self, tokens: Iterable[Token], unset: set[str]) -> list[Located]:
        return [word for token in tokens for word in self._expanded(token, unset)]

    def _expanded(self, token: Token, unset: set[str]) -> list[Located]:
        """The words that one becomes: several for an array or for an unquoted variable with blanks."""
        whole = token.literal()
        if array := re.fullmatch(r"\$\{(\w+)\[[@*]\]\}", whole):
            held = self.arrays.get(array[1])
            if held is None:
                unset.add(array[1])
            return [Located(OPAQUE, token.line)] if held is None else held
        texts = self._texts(token, unset)
        if len(token.pieces) == 1 and token.pieces[0].splits:
            return [Located(part, token.line) for part in texts[0].split()]
        return [Located("".join(texts), token.line)]

    def _run(self, assigned: list[Token], rest: list[Token], notes: Iterable[Note]) -> None:
        unset: set[str] = set()
        words = self._words(rest, unset)
        if not words:
            return
        own = [setting for token in assigned if (setting := self._inline(token))]
        if script := script_in(words):
            if self.depth < NESTED_AT_MOST:
                inner = _Script({**self.known, **{s.name: s.value or OPAQUE for s in own}}, self.depth + 1)
                inner.exported = {**self.exported, **{s.name: s for s in own}}
                self.launches += inner.run(cut(script, line_of(script)))
            return
        found = found_in(words)
        if found is None:
            return
        lines = {line_of(word) for word in words}
        mended = [note for note in notes if note.line in lines]
        mended += [_unset(name, line_of(words[0])) for name in sorted(unset)]
        self.launches.append(found.launch([*self.exported.values(), *own], mended))

    def _inline(self, token: Token) -> Setting | None:
        """`NAME=value` in front of a command: set for it alone."""
        before = dict(self.known)
        _, setting = self._setting(token)
        self.known = before
        return setting


def _unset(name: str, line: int) -> Note:
    message = f"${name} is not set in the input; what it stands for was not checked"
    return Note(code="variable-unset", subject=name, message=message, line=line)


def script_in(words: list[Located]) -> Located | None:
    """The script of `bash -c SCRIPT`, or None."""
    for at, word in enumerate(words[:-2]):
        if word.rpartition("/")[2] in _SHELLS and re.fullmatch(r"-\w*c\w*", words[at + 1]):
            return words[at + 2]
    return None

"""Read shell text: one command line, or a script with variables, arrays and continuations."""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from tools.flags.launch import OPAQUE, Launch, Note, Setting
from tools.flags.read.container_run import container_run
from tools.flags.read.find_launch import Around, Found, found_in, found_in_container
from tools.flags.read.lexer import DOLLAR, Cut, Token, cut
from tools.flags.read.located import Located
from tools.flags.read.variables import Scope, bounded

NESTED_AT_MOST: Final = 4
"""`bash -c` in `bash -c`, so deep."""

_ASSIGNMENT: Final = re.compile(r"([A-Za-z_]\w*)(\+?)=")
_ARRAY_USE: Final = re.compile(r"\$\{(\w+)\[[@*]\]\}")
_EXPORTS: Final = frozenset({"export", "declare", "typeset", "local", "readonly"})
_KEYWORDS: Final = frozenset({"if", "then", "else", "elif", "fi", "do", "done", "while", "for", "{", "}", "!", "time"})
_SHELLS: Final = frozenset({"sh", "bash", "zsh", "dash", "ash"})
_RUNS_TEXT: Final = re.compile(r"-[a-z]{0,6}c[a-z]{0,6}")


def read_shell(text: str) -> tuple[Launch, ...]:
    """The launches in shell text.

    Args:
        text: The text, cleaned; a `Located` one knows its line.

    Raises:
        UserError: A quote is never closed, or its variables unfold to too much.
    """
    script = _Script(Scope(), 0)
    parts = cut(text)
    return script.run(parts) or script.bare(parts)


def launches_in_container(
    entry: list[Located], args: list[Located], around: Around, scope: Scope | None = None, depth: int = 0
) -> tuple[Launch, ...]:
    """The launches of a container.

    Args:
        entry: What replaces the entry point of its image; [] when nothing does.
        args: What is passed to the entry point.
        around: What surrounds it.
        scope: Where expansions are counted.
        depth: How many `bash -c` deep it is.
    """
    words = entry + args
    script = script_in(words)
    if script is None:
        found = found_in_container(entry, args, around.image)
        return (around.launch(found),) if found else ()
    if depth >= NESTED_AT_MOST:
        return ()
    inner = Scope({one.name: OPAQUE if one.value is None else one.value for one in around.env})
    inner.left = scope.left if scope else inner.left
    launches = _Script(inner, depth + 1).run(cut(script))
    if scope:
        scope.left = inner.left
    return tuple(around.joined(launch) for launch in launches)


class _Script:
    """Runs assignments, and collects launches."""

    def __init__(self, scope: Scope, depth: int) -> None:
        self.scope = scope
        self.arrays: dict[str, list[Located]] = {}
        self.exported: dict[str, Setting] = {}
        self.depth = depth
        self.launches: list[Launch] = []

    def run(self, parts: Cut) -> tuple[Launch, ...]:
        for command in parts.commands:
            self._command(command, parts.notes)
        return tuple(self.launches)

    def bare(self, parts: Cut) -> tuple[Launch, ...]:
        """Flags without a program are those of one `vllm serve`, however many lines they take."""
        tokens = [token for command in parts.commands if command[0].literal()[:2] == "--" for token in command]
        words = self._words(tokens)
        if not any(len(word) > len("--x") for word in words):
            return ()
        return (Around(env=[*self.exported.values()], notes=self._notes(tokens, parts.notes)).launch(Found(words)),)

    def _command(self, tokens: list[Token], notes: Iterable[Note]) -> None:
        start = 0
        while start < len(tokens) and tokens[start].literal() in _KEYWORDS:
            start += 1
        behind = start
        while behind < len(tokens) and _ASSIGNMENT.match(tokens[behind].literal()):
            behind += 1
        assigned, rest = tokens[start:behind], tokens[behind:]
        self.scope.unset = {}
        if rest and rest[0].literal() in _EXPORTS:
            self._assign(rest[1:], exported=True)
        elif not rest:
            self._assign(assigned, exported=False)
        else:
            self._run(assigned, rest, notes)

    def _assign(self, tokens: list[Token], *, exported: bool) -> None:
        for token in tokens:
            found = _ASSIGNMENT.match(token.literal())
            name = found[1] if found else token.literal()
            if found and token.items is not None:
                items = self._words(token.items)
                self.arrays[name] = [*self.arrays.get(name, []), *items] if found[2] else items
                continue
            if found:
                self.scope.known[name] = self._value(token, found)
            if name in self.scope.known and (exported or name in self.exported):
                self.exported[name] = self._setting(name, self.scope.known[name], token)

    def _value(self, token: Token, assignment: re.Match[str]) -> str:
        """What `NAME=value` or `NAME+=value` makes of a variable."""
        before = self.scope.known.get(assignment[1], "") if assignment[2] else ""
        self.scope.spend(len(before), token.line)
        return bounded(before + "".join(self._texts(token))[assignment.end() :])

    def _setting(self, name: str, value: str, token: Token) -> Setting:
        return Setting(name=name, value=None if OPAQUE in value else value, line=token.line)

    def _texts(self, token: Token) -> list[str]:
        return [
            (self.scope.expanded(piece.text, token.line) if piece.expands else piece.text).replace(DOLLAR, "$")
            for piece in token.pieces
        ]

    def _words(self, tokens: Iterable[Token]) -> list[Located]:
        return [word for token in tokens for word in self._expanded(token)]

    def _expanded(self, token: Token) -> list[Located]:
        """The words that one becomes: several for an array or for an unquoted variable with blanks."""
        if len(token.pieces) == 1 and (array := _ARRAY_USE.fullmatch(token.pieces[0].text)):
            return self._array(array[1], token.line)
        texts = self._texts(token)
        if len(token.pieces) == 1 and token.pieces[0].splits:
            return [Located(part, token.line) for part in texts[0].split()]
        return [Located("".join(texts), token.line)]

    def _array(self, name: str, line: int) -> list[Located]:
        if name not in self.arrays:
            self.scope.unset.setdefault(name, line)
            return [Located(OPAQUE, line)]
        self.scope.spend(sum(map(len, self.arrays[name])) + len(self.arrays[name]), line)
        return self.arrays[name]

    def _run(self, assigned: list[Token], rest: list[Token], notes: Iterable[Note]) -> None:
        words = self._words(rest)
        if not words:
            return
        own = [
            self._setting(assignment[1], self._value(token, assignment), token)
            for token in assigned
            if (assignment := _ASSIGNMENT.match(token.literal()))
        ]
        around = Around(env=[*self.exported.values(), *own], notes=self._notes(rest, notes))
        given = {one.name: one.value for one in around.env if one.value is not None}
        if container := container_run(words, given):
            entry, args, inside = container
            inside.notes += around.notes
            self._add(launches_in_container(entry, args, inside, self.scope, self.depth), rest[0].line)
        elif script := script_in(words):
            self._nested(script, own)
        elif found := found_in(words):
            self._add((around.launch(found),), rest[0].line)

    def _add(self, launches: tuple[Launch, ...], line: int) -> None:
        self.scope.spend(sum(len(launch.env) for launch in launches), line)
        self.launches += launches

    def _nested(self, script: Located, own: list[Setting]) -> None:
        if self.depth >= NESTED_AT_MOST:
            return
        given: Mapping[str, str] = {one.name: OPAQUE if one.value is None else one.value for one in own}
        before = self.scope.known
        self.scope.known = {**before, **given}
        inner = _Script(self.scope, self.depth + 1)
        inner.exported = {**self.exported, **{one.name: one for one in own}}
        self.scope.spend(len(before) + len(inner.exported), script.line)
        self.launches += inner.run(cut(script))
        self.scope.known = before

    def _notes(self, tokens: list[Token], mended: Iterable[Note]) -> list[Note]:
        lines = {token.line for token in tokens}
        return [*(note for note in mended if note.line in lines), *self.scope.notes()]


def script_in(words: list[Located]) -> Located | None:
    """The script of `bash -c SCRIPT`, or None."""
    for at in range(len(words) - 2):
        if words[at].rpartition("/")[2] in _SHELLS and _RUNS_TEXT.fullmatch(words[at + 1]):
            return words[at + 2]
    return None

"""Cut text into commands and words as a shell does, keeping lines, quotes and what a shell would break.

Quoting follows POSIX (https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html, section 2.2), as
`shlex` does; on text without expansions the words are those of `shlex.split`, but that a `#` within a word is a letter.
"""

import json
import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Final

from knowledge.errors import UserError
from tools.flags.launch import OPAQUE, Note
from tools.flags.read.located import Lines, Located
from tools.flags.read.variables import closing

DOLLAR: Final = "\ue000"
"""Stands for an escaped dollar until variables are expanded."""

ESCAPED: Final = {"\n": "", "$": DOLLAR}
BLANK: Final = " \t\r"
ENDS: Final = "\n;&|"
TYPED_QUOTES: Final = {
    "\N{LEFT DOUBLE QUOTATION MARK}": "\N{RIGHT DOUBLE QUOTATION MARK}",
    "\N{LEFT SINGLE QUOTATION MARK}": "\N{RIGHT SINGLE QUOTATION MARK}",
}
"""What a word processor makes of quotes, opening and closing."""

JSON_TRIES: Final = 500
"""So many braces are looked at as JSON; a launch has a handful."""

TYPED_CHARS: Final = 4_000
"""No value between typed quotes is longer."""

FLAG_CHARS: Final = 80
"""No flag in front of `{` is longer."""

_PLAIN: Final = re.compile(r"[^\\'\"\s<>&()$`;|{\N{EN DASH}\N{EM DASH}" + "".join(TYPED_QUOTES) + "]+")
_CONTINUED: Final = re.compile(r"\\[ \t\r]*\n")
_LONG_DASH: Final = re.compile(r"[\N{EN DASH}\N{EM DASH}]{1,2}(?=[a-z][\w-])")
_REDIRECT: Final = re.compile(r"\d*(?:>>?|<<?<?)&?|&>>?")
_TARGET: Final = re.compile(r"[ \t]*[^\s;&|]*")
_PLACEHOLDER: Final = re.compile(r"<[A-Za-z][\w .:/-]*>")
_JSON_BEGINS: Final = re.compile(r"\{\s*[\"}]")
_JSON_FLAG: Final = re.compile(r"--?[A-Za-z][\w.-]*=?")
_HEREDOC: Final = re.compile(r"<<-?[ \t]*(['\"]?)(\w+)\1")
_ARRAY: Final = re.compile(r"[A-Za-z_]\w*\+?=")
_REFERENCE: Final = re.compile(r"\$(?:[A-Za-z_]\w*|.)?", re.DOTALL)


@dataclass(slots=True)
class Piece:
    """A part of a word.

    Attributes:
        text: Its characters, quotes removed.
        expands: Whether variables in it are expanded.
        splits: Whether what they expand to is split at blanks.
    """

    text: str
    expands: bool = False
    splits: bool = False


@dataclass(slots=True)
class Token:
    """A word as written.

    Attributes:
        pieces: Its parts.
        line: Where it begins, 1-based.
        items: For `NAME=( … )`, the words in the brackets.
    """

    pieces: list[Piece] = field(default_factory=list)
    line: int = 1
    items: list["Token"] | None = None

    def literal(self) -> str:
        """Its text without expansion."""
        return "".join(piece.text for piece in self.pieces).replace(DOLLAR, "$")


@dataclass(slots=True)
class Cut:
    """What was cut.

    Attributes:
        commands: Each a list of words.
        notes: What was mended on the way.
    """

    commands: list[list[Token]] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)

    def tokens(self) -> list[Token]:
        """The words of all commands."""
        return [token for command in self.commands for token in command]


def cut(text: str, *, as_shell: bool = True) -> Cut:
    """Cut a text.

    Args:
        text: The text; a `Located` one knows on which line it begins.
        as_shell: Whether a shell reads it. Otherwise it is one command of words and quotes: line ends are blanks, and
            pipes, redirections, comments and brackets mean nothing.

    Raises:
        UserError: A quote is never closed; names its line.
    """
    return _Lexer(text, Lines(text), as_shell=as_shell).run()


class _Lexer:
    def __init__(self, text: str, lines: Lines, *, as_shell: bool, array_at: int | None = None) -> None:
        self.text = str(text)
        self.lines = lines
        self.as_shell = as_shell
        self.in_array = array_at is not None
        self.offset = array_at or 0
        self.at = 0
        self.out = Cut()
        self.words: list[Token] = []
        self.word: Token | None = None
        self.word_began = 0
        self.heredocs: list[str] = []
        self.heredoc_ends: dict[str, list[int]] | None = None
        self.json_tries = JSON_TRIES

    @property
    def line(self) -> int:
        """The line at which reading stands."""
        return self.lines.at(self.offset + self.at)

    def run(self) -> Cut:
        while self.at < len(self.text):
            self._step(self.text[self.at])
        self._end_command()
        return self.out

    def _step(self, char: str) -> None:
        quotes = {"\\": self._escape, "'": self._single, '"': self._double}
        if char in quotes:
            quotes[char]()
        elif char in BLANK or (char == "\n" and not self.as_shell):
            self._end_word()
            self.at += 1
        elif (self.as_shell and (self._typed(char) or self._operator(char))) or self._json(char) or self._plain():
            pass
        elif char in "$`":
            self._expansion(char)
        else:
            self._add(Piece(char))
            self.at += 1

    def _plain(self) -> bool:
        """Take letters that mean nothing, as many as there are."""
        found = _PLAIN.match(self.text, self.at)
        if found:
            self._add(Piece(found[0]))
            self.at = found.end()
        return bool(found)

    def _operator(self, char: str) -> bool:
        """Take what means something to a shell alone."""
        if char == "#" and self.word is None:
            end = self.text.find("\n", self.at)
            self.at = len(self.text) if end < 0 else end
        elif self.word is None and (marked := _PLACEHOLDER.match(self.text, self.at)):
            self._add(Piece(OPAQUE))
            self.at = marked.end()
        elif self._redirects(char) or self._array(char):
            pass
        elif char in ENDS or char in "()":
            self._end_command()
            self.at += 1
            if char == "\n":
                self._skip_heredocs()
        else:
            return False
        return True

    def _add(self, piece: Piece) -> None:
        if self.word is None:
            self.word = Token(line=self.line)
            self.word_began = self.at
        self.word.pieces.append(piece)

    def _end_word(self) -> None:
        if self.word is not None:
            self.word.pieces = _merged(self.word.pieces)
            self.words.append(self.word)
            self.word = None

    def _end_command(self) -> None:
        self._end_word()
        if self.words:
            self.out.commands.append(self.words)
            self.words = []

    def _escape(self) -> None:
        follows = _CONTINUED.match(self.text, self.at)
        if follows:  # a continuation, also with blanks behind the backslash that nobody sees
            blanks = len(follows[0]) > len("\\\n")
            self.at = follows.end()
            if blanks:
                self._end_word()
        elif self.at + 1 < len(self.text):
            self._add(Piece(self.text[self.at + 1]))
            self.at += 2
        else:
            self.at += 1

    def _single(self) -> None:
        end = self.text.find("'", self.at + 1)
        if end < 0:
            raise self._unclosed("'")
        self._add(Piece(self.text[self.at + 1 : end]))
        self.at = end + 1

    def _double(self) -> None:
        if self._quoted_json():
            return
        at = self.at + 1
        chars: list[str] = []
        while at < len(self.text) and self.text[at] != '"':
            if self.text[at] == "\\" and at + 1 < len(self.text) and self.text[at + 1] in '"\\$`\n':
                chars.append(ESCAPED.get(self.text[at + 1], self.text[at + 1]))
                at += 2
            else:
                chars.append(self.text[at])
                at += 1
        if at >= len(self.text):
            raise self._unclosed('"')
        inside = "".join(chars)
        self._add(Piece(inside, expands="$" in inside or "`" in inside))
        self.at = at + 1

    def _unclosed(self, quote: str) -> UserError:
        return UserError(f"line {self.line}: the quote {quote} is never closed; close it, or give the file as it is")

    def _typed(self, char: str) -> bool:
        """Mend what a word processor made of `--` and of quotes, where a word begins or a value."""
        if self.word is None and (dash := _LONG_DASH.match(self.text, self.at)):
            self._add(Piece("--"))
            self.at = dash.end()
            return True
        if char not in TYPED_QUOTES or not (self.word is None or self.text[self.at - 1] == "="):
            return False
        end = self.text.find(TYPED_QUOTES[char], self.at, self.at + TYPED_CHARS)
        if end < 0 or "\n" in self.text[self.at : end]:
            return False
        self._add(Piece(self.text[self.at + 1 : end]))
        self.at = end + 1
        return True

    def _redirects(self, char: str) -> bool:
        """Skip a redirection and its target; remember the end of a here-document."""
        if char not in "<>&0123456789" or (self.word is not None and char.isdigit()):
            return False
        found = _REDIRECT.match(self.text, self.at)
        if not found or (char == "&" and not found[0].startswith("&>")):
            return False
        if here := _HEREDOC.match(self.text, self.at):
            self.heredocs.append(here[2])
            self.at = here.end()
            return True
        self._end_word()
        self.at = found.end()
        target = _TARGET.match(self.text, self.at)
        self.at = target.end() if target else self.at
        return True

    def _skip_heredocs(self) -> None:
        if self.heredocs and self.heredoc_ends is None:
            self.heredoc_ends = _line_ends(self.text)
        for name in self.heredocs:
            ends = (self.heredoc_ends or {}).get(name, [])
            while ends and ends[-1] < self.at:
                ends.pop()
            self.at = ends[-1] if ends else self.at
        self.heredocs = []

    def _array(self, char: str) -> bool:
        """Read `NAME=( … )` and `NAME+=( … )` as one word that holds words."""
        if char != "(" or self.word is None or self.in_array or self.text[self.at - 1] != "=":
            return False
        if not _ARRAY.fullmatch(self.word.literal()):
            return False
        end = closing(self.text, self.at, "(", ")")
        inside = self.text[self.at + 1 : end - 1]
        inner = _Lexer(inside, self.lines, as_shell=True, array_at=self.offset + self.at + 1).run()
        self.word.items = inner.tokens()
        self.out.notes += inner.notes
        self.at = end
        self._end_word()
        return True

    def _json(self, char: str) -> bool:
        """Recover an unquoted JSON object that a shell would take apart."""
        if char != "{" or self.json_tries <= 0 or not _JSON_BEGINS.match(self.text, self.at):
            return False
        began = self.at - self.word_began if self.word else 0
        if self.word and (began > FLAG_CHARS or not _JSON_FLAG.fullmatch(self.word.literal())):
            return False
        found = self._decoded(self.at)
        if found is None:
            return False
        end, raw = found
        if end < len(self.text) and self.text[end] not in BLANK + ENDS + ")":
            return False
        self._recovered(raw, end)
        return True

    def _quoted_json(self) -> bool:
        """Recover JSON in double quotes whose own double quotes were not escaped."""
        if self.json_tries <= 0 or not self.text.startswith('"{"', self.at):
            return False
        found = self._decoded(self.at + 1)
        if found is None or not self.text.startswith('"', found[0]):
            return False
        self._recovered(found[1], found[0] + 1)
        return True

    def _decoded(self, at: int) -> tuple[int, str] | None:
        """The end and the text of the JSON object that begins at `at`, or None."""
        self.json_tries -= 1
        try:
            value, end = json.JSONDecoder().raw_decode(self.text, at)
        except (ValueError, RecursionError):
            return None
        return (end, self.text[at:end]) if isinstance(value, dict) else None

    def _recovered(self, raw: str, end: int) -> None:
        flag = self.word.literal().rstrip("=") if self.word else self.words[-1].literal() if self.words else ""
        if re.search(r"[\"\s]", raw):
            note = f"a shell takes this JSON apart; quote it: {flag} '{raw}'"
            self.out.notes.append(Note(code="json-broken-by-shell", subject=flag, message=note, line=self.line))
        self._add(Piece(raw))
        self.at = end

    def _expansion(self, char: str) -> None:
        if char == "`":
            end = self.text.find("`", self.at + 1)
            end = len(self.text) if end < 0 else end + 1
            self._add(Piece(OPAQUE))
        else:
            end = _reference_end(self.text, self.at)
            self._add(Piece(self.text[self.at : end], expands=True, splits=True))
        self.at = end


def located(token: Token) -> Located:
    """A word without expansion, with its line."""
    return Located(token.literal(), token.line)


def _merged(pieces: list[Piece]) -> list[Piece]:
    """Neighbours that nothing is expanded in become one."""
    merged: list[Piece] = []
    plain: list[str] = []
    for piece in pieces:
        if piece.expands:
            if plain:
                merged.append(Piece("".join(plain)))
            merged.append(piece)
            plain = []
        else:
            plain.append(piece.text)
    return [*merged, Piece("".join(plain))] if plain or not merged else merged


def _line_ends(text: str) -> dict[str, list[int]]:
    """For each line that may close a here-document, where such lines end, the last one first."""
    ends: dict[str, list[int]] = defaultdict(list)
    at = 0
    for line in text.split("\n"):
        at += len(line) + 1
        ends[line.lstrip("\t").rstrip(" \t")].append(at - 1)
    return {name: places[::-1] for name, places in ends.items()}


def _reference_end(text: str, at: int) -> int:
    if text.startswith("${", at):
        return closing(text, at + 1, "{", "}")
    if text.startswith("$(", at):
        return closing(text, at + 1, "(", ")")
    found = _REFERENCE.match(text, at)
    return found.end() if found else at + 1

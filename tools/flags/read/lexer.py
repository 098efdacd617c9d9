"""Cut shell text into commands and words, keeping lines, quotes and what a shell would break.

Quoting follows POSIX (https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html, section 2.2), as
`shlex` does; on text without expansions the words are those of `shlex.split`.
"""

import json
import re
from dataclasses import dataclass, field
from typing import Final

from knowledge.errors import UserError
from tools.flags.launch import OPAQUE, Note
from tools.flags.read.variables import closing

DOLLAR: Final = "\ue000"
"""Stands for an escaped dollar until variables are expanded."""

ESCAPED: Final = {"\n": "", "$": DOLLAR}
BLANK: Final = " \t\r"
ENDS: Final = "\n;&|"
_REDIRECT: Final = re.compile(r"\d*(?:>>?|<<?<?)&?|&>>?")
_PLACEHOLDER: Final = re.compile(r"<[A-Za-z][\w .:/-]*>")
_JSON_FLAG: Final = re.compile(r"--?[A-Za-z][\w.-]*=?")
_HEREDOC: Final = re.compile(r"<<-?\s*(['\"]?)(\w+)\1")


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


def cut(text: str, first_line: int = 1) -> Cut:
    """Cut a text.

    Args:
        text: Shell text.
        first_line: The line of the input on which it begins.

    Raises:
        UserError: A quote is never closed; names its line.
    """
    return _Lexer(text, first_line).run()


class _Lexer:
    def __init__(self, text: str, first_line: int) -> None:
        self.text = text
        self.first_line = first_line
        self.at = 0
        self.out = Cut()
        self.words: list[Token] = []
        self.word: Token | None = None
        self.heredocs: list[str] = []
        self._counted, self._line = 0, first_line

    @property
    def line(self) -> int:
        """The line at which reading stands."""
        self._line += self.text.count("\n", self._counted, self.at)
        self._counted = self.at
        return self._line

    def run(self) -> Cut:
        while self.at < len(self.text):
            self._step(self.text[self.at])
        self._end_command()
        return self.out

    def _step(self, char: str) -> None:
        quotes = {"\\": self._escape, "'": self._single, '"': self._double}
        if char in quotes:
            quotes[char]()
        elif char in BLANK:
            self._end_word()
            self.at += 1
        elif char == "#" and self.word is None:
            self._skip_to_line_end()
        elif self.word is None and (marked := _PLACEHOLDER.match(self.text, self.at)):
            self._add(Piece(OPAQUE))
            self.at = marked.end()
        elif self._redirects(char) or self._array(char) or self._json(char):
            pass
        elif char in ENDS or char in "()":
            self._end_command()
            self.at += 1
            if char == "\n":
                self._skip_heredocs()
        elif char in "$`":
            self._expansion(char)
        else:
            self._add(Piece(char))
            self.at += 1

    def _add(self, piece: Piece) -> None:
        if self.word is None:
            self.word = Token(line=self.line)
        last = self.word.pieces[-1] if self.word.pieces else None
        if last and (last.expands, last.splits) == (piece.expands, piece.splits) == (False, False):
            last.text += piece.text
        else:
            self.word.pieces.append(piece)

    def _end_word(self) -> None:
        if self.word is not None:
            self.words.append(self.word)
            self.word = None

    def _end_command(self) -> None:
        self._end_word()
        if self.words:
            self.out.commands.append(self.words)
            self.words = []

    def _escape(self) -> None:
        follows = re.compile(r"[ \t\r]*\n").match(self.text, self.at + 1)
        if follows:  # a continuation, also with blanks behind the backslash that nobody sees
            blanks = follows.end() - self.at > len("\\\n")
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
        start, at = self.at, self.at + 1
        chars: list[str] = []
        while at < len(self.text) and self.text[at] != '"':
            if self.text[at] == "\\" and at + 1 < len(self.text) and self.text[at + 1] in '"\\$`\n':
                chars.append(ESCAPED.get(self.text[at + 1], self.text[at + 1]))
                at += 2
            else:
                chars.append(self.text[at])
                at += 1
        if at >= len(self.text):
            self.at = start
            raise self._unclosed('"')
        inside = "".join(chars)
        self._add(Piece(inside, expands="$" in inside or "`" in inside))
        self.at = at + 1

    def _unclosed(self, quote: str) -> UserError:
        return UserError(f"line {self.line}: the quote {quote} is never closed; close it, or give the file as it is")

    def _skip_to_line_end(self) -> None:
        end = self.text.find("\n", self.at)
        self.at = len(self.text) if end < 0 else end

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
        target = re.compile(r"[ \t]*[^\s;&|]*").match(self.text, self.at)
        self.at = target.end() if target else self.at
        return True

    def _skip_heredocs(self) -> None:
        while self.heredocs:
            end = re.compile(rf"^\t*{re.escape(self.heredocs.pop(0))}[ \t]*$", re.MULTILINE).search(self.text, self.at)
            if end:
                self.at = end.end()

    def _array(self, char: str) -> bool:
        """Read `NAME=( … )` and `NAME+=( … )` as one word that holds words."""
        if char != "(" or self.word is None or not re.fullmatch(r"\w+\+?=", self.word.literal()):
            return False
        end = closing(self.text, self.at, "(", ")")
        inner = cut(self.text[self.at + 1 : end - 1], self.line)
        self.word.items = [token for command in inner.commands for token in command]
        self.out.notes += inner.notes
        self.at = end
        self._end_word()
        return True

    def _json(self, char: str) -> bool:
        """Recover an unquoted JSON object that a shell would take apart."""
        if char != "{" or not (self.word is None or _JSON_FLAG.fullmatch(self.word.literal())):
            return False
        found = _decoded(self.text, self.at)
        if found is None:
            return False
        end, raw = found
        if end < len(self.text) and self.text[end] not in BLANK + ENDS + ")":
            return False
        self._recovered(raw, end)
        return True

    def _quoted_json(self) -> bool:
        """Recover JSON in double quotes whose own double quotes were not escaped."""
        if not self.text.startswith('"{"', self.at):
            return False
        found = _decoded(self.text, self.at + 1)
        if found is None or not self.text.startswith('"', found[0]):
            return False
        self._recovered(found[1], found[0] + 1)
        return True

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


def _reference_end(text: str, at: int) -> int:
    if text.startswith("${", at):
        return closing(text, at + 1, "{", "}")
    if text.startswith("$(", at):
        return closing(text, at + 1, "(", ")")
    found = re.compile(r"\$(?:[A-Za-z_]\w*|.)?", re.DOTALL).match(text, at)
    return found.end() if found else at + 1


def _decoded(text: str, at: int) -> tuple[int, str] | None:
    """The end and the text of the JSON object that begins at `at`, or None."""
    try:
        value, end = json.JSONDecoder().raw_decode(text, at)
    except (json.JSONDecodeError, RecursionError):
        return None
    return (end, text[at:end]) if isinstance(value, dict) else None

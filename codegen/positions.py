"""JSON read with its places: every refusal says where it is.

`mymcp.contract.strict_json` refuses quickly and says little, as a server must. An author of a
contract needs the place, so this reader keeps the JSON pointer and the line of each value.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

ProblemKind = Literal["encoding", "syntax", "duplicate", "number", "depth", "surrogate"]

INTEGER_MAX = 2**53 - 1
NESTING_MAX_LEVELS = 32

_BLANKS = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_LITERALS: Mapping[str, object] = {"true": True, "false": False, "null": None}
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a file that strict JSON refuses: which rule, at which pointer and line."""

    pointer: str
    kind: ProblemKind
    line: int


@dataclass(frozen=True, slots=True)
class Located:
    """A JSON value with the line (from 1) of every pointer in it, and what is wrong with it.

    `value` is none when the text has no value at all: broken encoding or syntax, or too deep.
    """

    value: object
    lines: Mapping[str, int]
    problems: tuple[Problem, ...]


def pointer_of(*tokens: str | int) -> str:
    """Return the JSON pointer (RFC 6901) of `tokens`; no tokens give the empty pointer."""
    return "".join("/" + str(token).replace("~", "~0").replace("/", "~1") for token in tokens)


def tokens_of(pointer: str) -> tuple[str, ...]:
    """Return the tokens of a JSON pointer: what `pointer_of` was given, positions as text."""
    return tuple(token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:])


def read(data: bytes) -> Located:
    """Return what `data` holds; never raises."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return Located(None, {}, (Problem("", "encoding", 1),))
    if text.startswith("\ufeff"):
        return Located(None, {}, (Problem("", "encoding", 1),))
    reader = _Reader(text)
    try:
        value = reader.document()
    except _Stop as stop:
        return Located(None, reader.lines, (*reader.problems, stop.problem))
    return Located(value, reader.lines, tuple(reader.problems))


class _Stop(Exception):
    def __init__(self, problem: Problem) -> None:
        self.problem = problem


@dataclass(slots=True)
class _Reader:
    text: str
    at: int = 0
    line: int = 1
    lines: dict[str, int] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def document(self) -> object:
        value = self._value("", 0)
        self._skip()
        if self.at != len(self.text):
            raise _Stop(self._problem("", "syntax"))
        return value

    def _value(self, pointer: str, level: int) -> object:
        self._skip()
        self.lines[pointer] = self.line
        head = self.text[self.at : self.at + 1]
        if head in ("{", "["):
            if level == NESTING_MAX_LEVELS:
                raise _Stop(self._problem(pointer, "depth"))
            self.at += 1
            if head == "{":
                return dict(self._members(pointer, level + 1))
            return list(self._items(pointer, level + 1))
        if head == '"':
            return self._string(pointer)
        for word, value in _LITERALS.items():
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return value
        return self._number(pointer)

    def _members(self, pointer: str, level: int) -> Iterator[tuple[str, object]]:
        seen: set[str] = set()
        if self._takes("}"):
            return
        while True:
            self._skip()
            name = self._string(pointer)
            place = pointer + pointer_of(name)
            if name in seen:
                self.problems.append(self._problem(place, "duplicate"))
            seen.add(name)
            self._expect(":", pointer)
            yield name, self._value(place, level)
            if self._takes("}"):
                return
            self._expect(",", pointer)

    def _items(self, pointer: str, level: int) -> Iterator[object]:
        if self._takes("]"):
            return
        position = 0
        while True:
            yield self._value(f"{pointer}/{position}", level)
            position += 1
            if self._takes("]"):
                return
            self._expect(",", pointer)

    def _string(self, pointer: str) -> str:
        match = _STRING.match(self.text, self.at)
        if match is None:
            raise _Stop(self._problem(pointer, "syntax"))
        try:
            value = str(json.loads(match.group()))
        except ValueError:
            raise _Stop(self._problem(pointer, "syntax")) from None
        self.at = match.end()
        if _SURROGATE.search(value):
            self.problems.append(self._problem(pointer, "surrogate"))
            return _SURROGATE.sub("\ufffd", value)
        return value

    def _number(self, pointer: str) -> int | float:
        match = _NUMBER.match(self.text, self.at)
        if match is None:
            raise _Stop(self._problem(pointer, "syntax"))
        self.at = match.end()
        text = match.group()
        if match.group(1) or match.group(2) or abs(float(text)) > INTEGER_MAX:
            self.problems.append(self._problem(pointer, "number"))
            return float(text)
        return int(text)

    def _problem(self, pointer: str, kind: ProblemKind) -> Problem:
        return Problem(pointer, kind, self.line)

    def _skip(self) -> None:
        match = _BLANKS.match(self.text, self.at)
        if match is not None and match.end() != self.at:
            self.line += self.text.count("\n", self.at, match.end())
            self.at = match.end()

    def _takes(self, sign: str) -> bool:
        self._skip()
        if not self.text.startswith(sign, self.at):
            return False
        self.at += 1
        return True

    def _expect(self, sign: str, pointer: str) -> None:
        if not self._takes(sign):
            raise _Stop(self._problem(pointer, "syntax"))

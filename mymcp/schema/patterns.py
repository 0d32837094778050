"""Which constructs a regular expression uses.

Engines disagree about regular expressions, and a model's grammar knows the fewest of them. So
nothing here judges: a policy (the dialect's D08, a profile) says which constructs it admits.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_SHORTHANDS, _BOUNDARIES, _CONTROLS = frozenset("dDwWsS"), frozenset("bBAZzG"), frozenset("nrtfv0")
_SIGNS = {".": "dot", "^": "anchor_inside", "$": "anchor_inside"}
_SYNTAX = frozenset("^$.*+?()[]{}|")
_COUNTED = re.compile(r"\{([0-9]{1,9})(?:,([0-9]{0,9}))?\}")
_PROPERTY = re.compile(r"\\[pP](?:\{[^{}]*\}|.)")
_CODE_POINT = re.compile(r"\\u[0-9A-Fa-f]{4}")


@dataclass(frozen=True, slots=True)
class Part:
    """One construct of a pattern: its kind and the offset where it starts.

    Kinds that stand for themselves: literal, quote, control, non_ascii, code_point, escape,
    escaped_backslash, control_escape, other_escape, shorthand, boundary, property, backreference,
    dot, anchor_inside. In classes: class, negated_class, range, class_escape, class_hyphen,
    class_set. Structure: group, group_extension, alternation, bare_alternation, quantifier,
    counted (`bound` is its largest count), stacked_quantifier. The whole: unanchored, broken.
    """

    kind: str
    at: int
    bound: int = 0


def parts_of(pattern: str) -> tuple[Part, ...]:
    """Return the constructs of `pattern` in order; `broken` where it is no regular expression."""
    return tuple(_Scan(pattern).parts())


@dataclass(slots=True)
class _Scan:
    pattern: str
    at: int = 0
    groups: int = 0

    def parts(self) -> Iterator[Part]:
        starts, ends = self.pattern.startswith("^"), self._ends_anchored()
        if not starts or not ends:
            yield Part("unanchored", 0)
        self.at = 1 if starts else 0
        end = len(self.pattern) - (1 if ends else 0)
        repeatable = False
        while self.at < end:
            sign = self.pattern[self.at]
            if sign in "?*+{":
                part = self._quantifier(repeatable=repeatable)
                repeatable = False
                yield part
                if part.kind != "broken" and self.pattern[self.at : self.at + 1] in ("?", "+", "*"):
                    yield Part("stacked_quantifier", self.at)
                    self.at += 1
                continue
            repeatable = sign not in "(|"
            yield from self._atom(sign)
        if self.groups:
            yield Part("broken", end)

    def _ends_anchored(self) -> bool:
        body = self.pattern.removesuffix("$")
        slashes = len(body) - len(body.rstrip("\\"))
        return body != self.pattern and slashes % 2 == 0 and self.pattern != "^"

    def _quantifier(self, *, repeatable: bool) -> Part:
        start = self.at
        if self.pattern[start] != "{":
            self.at += 1
            return Part("quantifier" if repeatable else "broken", start)
        match = _COUNTED.match(self.pattern, start)
        if match is None:
            self.at += 1
            return Part("broken", start)
        self.at = match.end()
        low, high = int(match[1]), int(match[2] or match[1])
        if not repeatable or high < low:
            return Part("broken", start)
        return Part("counted", start, high)

    def _atom(self, sign: str) -> Iterator[Part]:
        start = self.at
        if sign == "\\":
            yield self._escape()
            return
        if sign == "[":
            yield from self._class()
            return
        self.at += 1
        if sign == "(":
            self.groups += 1
            extended = self.pattern.startswith("?", self.at)
            yield Part("group_extension" if extended else "group", start)
            # What follows belongs to the extension; reading on would report it a second time.
            self.at += extended
        elif sign == ")":
            self.groups -= 1
            if self.groups < 0:
                self.groups = 0
                yield Part("broken", start)
        elif sign == "|":
            yield Part("alternation" if self.groups else "bare_alternation", start)
        elif sign in "]}":
            yield Part("broken", start)
        else:
            yield Part(_SIGNS.get(sign) or _literal(sign), start)

    def _escape(self, *, in_class: bool = False) -> Part:
        start = self.at
        code_point = _CODE_POINT.match(self.pattern, start)
        if code_point is not None:
            self.at = code_point.end()
            return Part("code_point", start)
        unicode_property = _PROPERTY.match(self.pattern, start)
        if unicode_property is not None:
            self.at = unicode_property.end()
            return Part("property", start)
        sign = self.pattern[start + 1 : start + 2]
        self.at = start + 1 + len(sign)
        return Part(_escape_kind(sign, in_class=in_class), start)

    def _class(self) -> Iterator[Part]:
        start = self.at
        self.at += 1
        negated = self.pattern.startswith("^", self.at)
        self.at += negated
        yield Part("negated_class" if negated else "class", start)
        if self.pattern.startswith("]", self.at):
            self.at += 1
            yield Part("broken", start)
            return
        while self.at < len(self.pattern):
            if self.pattern[self.at] == "]":
                self.at += 1
                return
            here = self.at
            yield self._class_item()
            if self._takes_range():
                low, high_at = self.pattern[here : self.at - 1], self.at
                yield self._class_item(ends_range=True)
                high = self.pattern[high_at : self.at]
                yield Part(_range_kind(low, high), here)
        yield Part("broken", start)

    def _class_item(self, *, ends_range: bool = False) -> Part:
        here, sign = self.at, self.pattern[self.at]
        if sign == "\\":
            return self._escape(in_class=True)
        self.at += 1
        if sign == "[" or self.pattern[here : here + 2] in ("&&", "--", "~~"):
            return Part("class_set", here)
        if sign == "-" and not ends_range and not self.pattern.startswith("]", self.at):
            return Part("class_hyphen", here)
        return Part(_literal(sign), here)

    def _takes_range(self) -> bool:
        follows = self.pattern[self.at : self.at + 2]
        if len(follows) < 2 or follows[0] != "-" or follows[1] == "]":
            return False
        self.at += 1
        return True


def _range_kind(low: str, high: str) -> str:
    if high == "-":
        return "class_hyphen"
    return "broken" if len(low) == len(high) == 1 and low > high else "range"


def _literal(sign: str) -> str:
    if sign == '"':
        return "quote"
    if sign < " " or sign == "\x7f":
        return "control"
    return "literal" if sign.isascii() else "non_ascii"


def _escape_kind(sign: str, *, in_class: bool) -> str:
    if not sign:
        return "broken"
    if sign == "\\":
        return "escaped_backslash"
    if in_class and sign in "]^-[":
        return "class_escape"
    if sign in _SYNTAX:
        return "class_escape" if in_class else "escape"
    for kind, signs in (
        ("shorthand", _SHORTHANDS),
        ("boundary", _BOUNDARIES),
        ("control_escape", _CONTROLS),
        ("property", "pP"),
        ("backreference", "123456789k"),
    ):
        if sign in signs:
            return kind
    return "other_escape"

"""What a command that examines something shows: plain lines, and no colour anywhere.

Names of files were chosen by whoever made them. What could move the cursor, turn the direction of
writing or forge a line is shown as its number.
"""

import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, TextIO

from mymcp.cli.console import complain
from mymcp.cli.exits import EXIT_OTHER
from mymcp.settings import PRODUCT_NAME

Level = Literal["ok", "note", "fault"]
EXIT_BROKEN_PIPE: Final = 141
"""What a shell reports of a program whose reader went away (`mymcp doctor | head`)."""


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that was found out; `exit_code` is what the process should end with for it."""

    level: Level
    text: str
    exit_code: int = 0


def visible(text: str) -> str:
    r"""Return `text` with everything escaped that is not plainly visible, backslashes too.

    Control and bidi characters, separators of lines, lone surrogates (bytes of a name that are no
    UTF-8) and unassigned characters come out as `\uXXXX`.
    """
    return "".join(map(_shown, text))


def say(lines: Iterable[Line], output: TextIO | None = None) -> int:
    """Write `lines` as they come; return the highest exit code among them."""
    stream = sys.stdout if output is None else output
    code = 0
    for line in lines:
        write(f"{line.level:5} {line.text}\n", stream)
        code = max(code, line.exit_code)
    return code


def write(text: str, stream: TextIO) -> None:
    """Write `text`; what the stream's encoding does not have is escaped.

    Ends the process where that fails: quietly if nobody reads any more.
    """
    try:
        put(text, stream)
    except BrokenPipeError:
        os._exit(EXIT_BROKEN_PIPE)  # else Python complains once more when it flushes at its end
    except OSError:  # a full disk, for example
        complain(PRODUCT_NAME, "the output cannot be written")
        os._exit(EXIT_OTHER)


def put(text: str, stream: TextIO) -> None:
    """Write `text`; what the stream's encoding does not have is escaped. Raises `OSError`."""
    encoding = stream.encoding or "utf-8"
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
    stream.flush()


def _shown(sign: str) -> str:
    if sign == "\\":
        return "\\\\"
    if sign.isprintable():
        return sign
    return f"\\u{ord(sign):04x}" if ord(sign) < 0x10000 else f"\\U{ord(sign):08x}"

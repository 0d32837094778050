import io
import subprocess
import sys

import pytest

from mymcp.cli.screen import EXIT_BROKEN_PIPE, Line, say, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Zoë 東京 – ok", "Zoë 東京 – ok"),
        ("a\x1b[31mb", "a\\u001b[31mb"),
        ("a\r\nfault: b", "a\\u000d\\u000afault: b"),
        ("\u202egnp.exe\u2066", "\\u202egnp.exe\\u2066"),
        ("\u200f\u061c\u2028\u0085\u00ad", "\\u200f\\u061c\\u2028\\u0085\\u00ad"),
        ("\udcff", "\\udcff"),
        ("\U000e0041", "\\U000e0041"),
        ("\\u202e", "\\\\u202e"),
    ],
)
def test_only_what_is_plainly_visible_is_shown_as_it_is(text: str, shown: str) -> None:
    assert visible(text) == shown
    assert visible(text).isprintable()


def test_lines_are_said_with_their_level_and_the_worst_code_wins() -> None:
    output = io.StringIO()
    lines = [Line("ok", "one"), Line("fault", "two", 78), Line("fault", "three", 1)]
    assert say(lines, output) == 78
    assert output.getvalue() == "ok    one\nfault two\nfault three\n"


def test_what_an_encoding_lacks_is_escaped() -> None:
    output = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    assert say([Line("note", "Zoë")], output) == 0
    output.seek(0)
    assert output.read() == "note  Zo\\xeb\n"


def test_a_reader_that_goes_away_is_no_error() -> None:
    program = (
        "from itertools import repeat; from mymcp.cli.screen import Line, say;"
        " say(repeat(Line('ok', 'again')))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"ok    again\n"
        process.stdout.close()
        assert process.wait(30) == EXIT_BROKEN_PIPE
        assert process.stderr.read() == b""

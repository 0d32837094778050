"""Command lines: one safe way to refuse them."""

import argparse
import sys
import time
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NoReturn

from typing_extensions import override

from mymcp.cli.exits import EXIT_USAGE
from mymcp.cli.rendering import json_failure, visible

_FORMAT: Final = "--log-format"


class Parser(argparse.ArgumentParser):
    """A parser that shows nothing of a command line as it stands.

    A shell may have put names of files there that nobody read. Where JSON lines are asked for,
    wrong usage is one too.
    """

    _words: Sequence[str] = ()

    def options(self, words: Sequence[str] | None) -> argparse.Namespace:
        """Return what `words`, else those of the process, say; wrong usage ends it with 2."""
        self._words = sys.argv[1:] if words is None else words
        return self.parse_args(self._words)

    @override
    def error(self, message: str) -> NoReturn:
        """End the process with 2, after saying why on stderr."""
        if _FORMAT in self._option_string_actions and _ask_for_json(self._words):
            self.exit(EXIT_USAGE, json_failure(time.time(), __name__, message, "usage"))
        self.print_usage(sys.stderr)
        self.exit(EXIT_USAGE, f"{self.prog}: error: {visible(message)}\n")


def _ask_for_json(words: Sequence[str]) -> bool:
    """Tell whether `words` ask for JSON lines, whatever else is wrong with them."""
    for word, after in pairwise([*words, ""]):
        name, equals, value = word.partition("=")
        is_option = len(name) > len("--") and _FORMAT.startswith(name)
        if is_option and (value if equals else after) == "json":
            return True
    return False

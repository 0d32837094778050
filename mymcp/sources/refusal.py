"""Why an operator's file is not used, in one stable word."""

from typing import Literal

SourceCode = Literal[
    "unsafe_path",
    "not_regular",
    "unsafe_permissions",
    "too_large",
    "unreadable",
    "source_changed",
    "invalid_utf8",
    "invalid_toml",
    "invalid_json",
]


class SourceError(Exception):
    """A file that is not used. `code` is all that is said: no path, content or text of a parser."""

    def __init__(self, code: SourceCode) -> None:
        super().__init__(code)
        self.code: SourceCode = code

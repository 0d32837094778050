"""Exit codes that all commands share."""

from typing import Final

EXIT_OTHER: Final = 1
EXIT_USAGE: Final = 2
EXIT_CONFIGURATION: Final = 78
"""EX_CONFIG of sysexits.h: a supervisor should not try again."""

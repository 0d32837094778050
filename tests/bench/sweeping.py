"""A server that no file system tells of changes: `python -m tests.bench.sweeping` is `mymcp`."""

import sys
from unittest.mock import patch

from mymcp.cli.serve import main

DECISION = "mymcp.plugins.mnemosyne.memory.watching.filesystem.reports_changes"


def never(descriptor: int) -> bool:
    """Say of every folder that its file system does not report what changes."""
    del descriptor
    return False


if __name__ == "__main__":
    # Those who ask take this function from its module when they are loaded: later, by `main`.
    with patch(DECISION, never):
        sys.exit(main())

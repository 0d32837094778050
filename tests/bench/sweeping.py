"""A server that no file system tells of changes: `python -m tests.bench.sweeping` is `mymcp`.

What is replaced here is taken from its module by the modules that use it, so it comes first.
"""

import sys
from contextlib import suppress
from importlib import import_module
from typing import Any

_FILESYSTEM = "mymcp.plugins.mnemosyne.memory.watching.filesystem"


def never(descriptor: int) -> bool:
    """Say of every folder that its file system does not report what changes."""
    del descriptor
    return False


if __name__ == "__main__":
    with suppress(ModuleNotFoundError):
        filesystem: Any = import_module(_FILESYSTEM)
        filesystem.reports_changes = never

    from mymcp.cli.serve import main

    sys.exit(main())

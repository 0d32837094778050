"""`mymcp-test`: run the tests of a checkout."""

import subprocess
import sys
from importlib.util import find_spec

from mymcp.cli.console import complain
from mymcp.cli.interrupts import EXIT_INTERRUPTED

COMMAND = "mymcp-test"


def main() -> int:
    """Run pytest on `tests` of the current directory. Returns its exit code."""
    if find_spec("pytest") is None:
        complain(COMMAND, 'pytest is missing; install it with: pip install -e ".[test]"')
        return 1
    try:
        return subprocess.run([sys.executable, "-m", "pytest", "tests"], check=False).returncode
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED

"""`python -m mymcp` is `mymcp`."""

import sys

from mymcp.cli.serve import main

sys.exit(main())

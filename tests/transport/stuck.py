"""A server whose only tool never comes back: python -m tests.transport.stuck PORT."""

import sys
import threading
from collections.abc import Mapping

import uvicorn

from mymcp.app import create_app
from mymcp.contract.tool import ToolOutcome
from mymcp.host.runtime import assemble
from tests.host.tools import tool


def stuck(_arguments: Mapping[str, object]) -> ToolOutcome:
    sys.stderr.write("stuck begins\n")
    threading.Event().wait()
    raise AssertionError


if __name__ == "__main__":
    app = create_app(assemble([tool("stuck", stuck)], generation="g"))
    uvicorn.run(app, port=int(sys.argv[1]), timeout_graceful_shutdown=1)

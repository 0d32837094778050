"""The HTTP server under the application: Uvicorn, set up the same for every command."""

from typing import Any

import uvicorn
from starlette.types import ASGIApp

from mymcp.transport.connection import Connection

GRACE_SECONDS = 1
"""How long running calls may go on after a signal to stop: with all else, a stop takes two."""

KEEP_ALIVE_SECONDS = 75
"""How long an idle connection stays open; longer than clients pause, so that none is cut off."""


def configured(app: ASGIApp | str, **options: Any) -> uvicorn.Config:
    """Return the configuration that serves `app`; `options` of Uvicorn go before ours."""
    usual: dict[str, Any] = {
        "http": Connection,
        "ws": "none",
        "lifespan": "on",
        "access_log": False,  # the line of the `mcp` logger says more
        "proxy_headers": False,
        "server_header": False,
        "timeout_keep_alive": KEEP_ALIVE_SECONDS,
        "timeout_graceful_shutdown": GRACE_SECONDS,
    }
    return uvicorn.Config(app, **usual | options)

"""One process that serves anonymous callers at one port, and the bearers of tokens at another.

The issuer is gone once it serves. Run as `python -m tests.bench.issued`; prints both ports and a
token as JSON, then serves.
"""

import json
import socket
import sys
from contextlib import closing
from logging.config import dictConfig

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from mymcp.app import create_production_app
from mymcp.cli.console import leave_out_unused_log_fields, log_configuration
from mymcp.configuration.settings import OAUTH_JWT, DeclaredAdapter, HostSettings, Route
from mymcp.transport.server import configured
from tests.authentication.oauth.issuer import issuing
from tests.authentication.oauth.keys import KEY, claims

ADAPTER = DeclaredAdapter("issued", OAUTH_JWT, True, Route("authorization", "bearer"))


def main() -> None:
    """Serve until a signal says stop."""
    leave_out_unused_log_fields()
    dictConfig(log_configuration())
    with (
        closing(socket.create_server(("127.0.0.1", 0))) as plain,
        closing(socket.create_server(("127.0.0.1", 0))) as proven,
    ):
        port = proven.getsockname()[1]
        believing, token = _believing(port)
        anonymous = create_production_app(HostSettings())

        async def either(scope: Scope, receive: Receive, send: Send) -> None:
            is_plain = scope["type"] == "http" and scope["server"][1] != port
            await (anonymous if is_plain else believing)(scope, receive, send)

        told = {"anonymous": plain.getsockname()[1], "believing": port, "token": token}
        sys.stdout.write(f"{json.dumps(told)}\n")
        sys.stdout.flush()
        uvicorn.Server(configured(either, log_config=None)).run([plain, proven])


def _believing(port: int) -> tuple[ASGIApp, str]:
    """Return an application that believes an issuer, and a token for it at `port`."""
    with issuing() as issuer:
        settings = HostSettings(
            5, port=port, anonymous_enabled=False, adapters=(ADAPTER,), issuer=issuer.name
        )
        app = create_production_app(settings, network=issuer.network)
        return app, KEY.issued(claims(iss=issuer.name, aud=f"{settings.origin}/mcp"))


if __name__ == "__main__":
    main()

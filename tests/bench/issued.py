"""A server that believes an OAuth issuer, with a token for it; the issuer is gone once it serves.

Run as `python -m tests.bench.issued`; prints its port and a token as JSON, then serves.
"""

import json
import socket
import sys
from contextlib import closing
from logging.config import dictConfig

import uvicorn

from mymcp.app import create_production_app
from mymcp.cli.console import LOG_CONFIGURATION, leave_out_unused_log_fields
from mymcp.configuration.settings import OAUTH_JWT, DeclaredAdapter, HostSettings, Route
from mymcp.transport.server import configured
from tests.authentication.oauth.issuer import issuing
from tests.authentication.oauth.keys import KEY, claims

ADAPTER = DeclaredAdapter("issued", OAUTH_JWT, True, Route("authorization", "bearer"))


def main() -> None:
    """Serve until a signal says stop."""
    leave_out_unused_log_fields()
    dictConfig(LOG_CONFIGURATION)
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        port = listener.getsockname()[1]
        with issuing() as issuer:
            settings = HostSettings(
                5, port=port, anonymous_enabled=False, adapters=(ADAPTER,), issuer=issuer.name
            )
            app = create_production_app(settings, network=issuer.network)
            audience = f"{settings.origin}/mcp"
            token = KEY.issued(claims(iss=issuer.name, aud=audience))
        sys.stdout.write(f"{json.dumps({'port': port, 'token': token})}\n")
        sys.stdout.flush()
        uvicorn.Server(configured(app, log_config=None)).run([listener])


if __name__ == "__main__":
    main()

"""The application: one runtime behind HTTP routes."""

import os
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Response
from starlette.routing import Route

from mymcp.contract.strict_json import encode
from mymcp.host.pools import Pools
from mymcp.host.production import build_production_runtime
from mymcp.host.runtime import HostRuntime
from mymcp.mcp.dispatch import Dispatcher
from mymcp.settings import PROTOCOL_VERSION
from mymcp.transport.body import Bodies
from mymcp.transport.guard import LOOPBACK, AllowList, Guard
from mymcp.transport.http import McpEndpoint
from mymcp.transport.stopping import called_at_stop
from mymcp.transport.stream import Streams

SWITCH_INTERVAL_SECONDS = 0.0005
"""How long a worker may keep the interpreter while the event loop waits for it.

With Python's 5 ms, `/health` answers ten times slower while tools run.
"""


def create_app(runtime: HostRuntime, *, allow: AllowList = LOOPBACK) -> FastAPI:
    """Return the application that serves `runtime` to callers that `allow` names."""
    pools = Pools()
    dispatcher = Dispatcher(runtime, pools, time.monotonic)
    endpoint = McpEndpoint(dispatcher, pools.parsing, Bodies(), Streams())

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        usual = sys.getswitchinterval()
        sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
        with called_at_stop(endpoint.end):
            yield
        pools.stop()
        sys.setswitchinterval(usual)

    app = FastAPI(
        title=runtime.server_name,
        version=runtime.server_version,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
        # A memory that stays on its machine reports to nobody, whatever the environment says.
        telemetry={"tracing": False, "metrics": False, "logs": False, "auto_configure": False},
    )
    app.add_middleware(Guard, allow=allow)
    # A Starlette route around an ASGI object costs 25 us less than `app.post` with a Request.
    app.router.routes += [Route("/mcp", endpoint), Route("/mcp/", endpoint)]
    _add_operational_routes(app, runtime)
    return app


def create_production_app() -> FastAPI:
    """Return the application of this process's environment; the target of `uvicorn --factory`."""
    return create_app(build_production_runtime(os.environ, Path.home()))


def _add_operational_routes(app: FastAPI, runtime: HostRuntime) -> None:
    version = encode(
        {
            "name": runtime.server_name,
            "version": runtime.server_version,
            "protocolVersion": PROTOCOL_VERSION,
        }
    ).encode()

    @app.api_route("/health", methods=["GET", "HEAD"])
    async def health() -> Response:
        return Response(b'{"status":"ok"}', media_type="application/json")

    @app.api_route("/version", methods=["GET", "HEAD"])
    async def about() -> Response:
        return Response(version, media_type="application/json")

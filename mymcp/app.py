"""The application: one runtime behind HTTP routes."""

import logging
import os
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from fastapi import FastAPI, Response
from starlette.routing import Route

from mymcp.configuration.loading import injected, load
from mymcp.configuration.location import home_folder
from mymcp.configuration.settings import HostSettings
from mymcp.contract.strict_json import encode
from mymcp.host.external.reference import PluginReference
from mymcp.host.pools import Pools
from mymcp.host.production import build_production_runtime
from mymcp.host.runtime import CompositionError, HostRuntime
from mymcp.mcp.dispatch import Dispatcher
from mymcp.plugin.identity import RESERVED_PLUGIN_IDS
from mymcp.settings import PROTOCOL_VERSION
from mymcp.transport.body import Bodies
from mymcp.transport.guard import LOOPBACK, AllowList, Guard
from mymcp.transport.http import McpEndpoint
from mymcp.transport.locked import Locked
from mymcp.transport.stopping import called_at_stop
from mymcp.transport.stream import Streams

if TYPE_CHECKING:
    from mymcp.host.external.preflight import DeclaredTool

SWITCH_INTERVAL_SECONDS = 0.0005
"""How long a worker may keep the interpreter while the event loop waits for it.

With Python's 5 ms, `/health` answers ten times slower while tools run.
"""

_authentication_logger = logging.getLogger("mymcp.host.authentication")


def create_app(
    runtime: HostRuntime, *, allow: AllowList = LOOPBACK, anonymous_enabled: bool = True
) -> FastAPI:
    """Return the application that serves `runtime` to callers that `allow` names.

    Without `anonymous_enabled` nobody is served at `/mcp`: there are no other callers yet.
    """
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
    served = endpoint if anonymous_enabled else Locked()
    app.router.routes += [Route("/mcp", served), Route("/mcp/", served)]
    _add_operational_routes(app, runtime)
    return app


def create_production_app(settings: HostSettings | None = None) -> FastAPI:
    """Return the application of `settings`, or of the host configuration where none are given.

    The target of `uvicorn --factory`. Raises `HostConfigurationError`, `SettingsError` of Mnemosyne
    or `CompositionError` for an operator's mistake.
    """
    given = settings
    settings = load_settings() if given is None else injected(given, bundled=RESERVED_PLUGIN_IDS)
    return create_app(
        build_runtime(settings),
        allow=AllowList.at(settings.usual_address),
        anonymous_enabled=settings.anonymous_enabled,
    )


def build_runtime(settings: HostSettings) -> HostRuntime:
    """Return what a server of `settings`, which `load_settings` gave or would give, offers.

    Raises `SettingsError` of Mnemosyne or `CompositionError` for an operator's mistake.
    """
    _compose_authentication(settings)
    # Without a home no path below it is absolute, which Mnemosyne tells where it needs one.
    home = home_folder() or Path()
    return build_production_runtime(os.environ, home, _references(settings))


def tools_of_plugins(settings: HostSettings) -> "tuple[DeclaredTool, ...]":
    """Return the tools of the external plugins of `settings`, by their manifests alone.

    None of their code is imported. Raises `ExternalPluginLoadError`, a `CompositionError`.
    """
    from mymcp.host.external.preflight import (  # noqa: PLC0415 - a server without any needs none
        declared_tools,
        preflight,
    )

    return declared_tools(preflight(_references(settings)))


def load_settings(chosen: Path | None = None) -> HostSettings:
    """Return what the host configuration of this process says; `chosen` is another file.

    Raises `HostConfigurationError`.
    """
    return load(os.environ, home_folder(), bundled=RESERVED_PLUGIN_IDS, chosen=chosen)


def _compose_authentication(settings: HostSettings) -> None:
    """Refuse an enabled adapter: without it everybody would be served, or nobody."""
    for position, adapter in enumerate(settings.adapters, 1):
        if adapter.enabled:
            advice = (
                f"authentication.adapters#{position} in the host configuration is enabled, and"
                " this version knows no type of adapter; set enabled = false"
            )
            error = CompositionError("adapter_type_unavailable", advice)
            _authentication_logger.error(
                "authentication_composition outcome=error code=%s", error.code
            )
            raise error
    _authentication_logger.info("authentication_composition outcome=loaded enabled=0")


def _references(settings: HostSettings) -> tuple[PluginReference, ...]:
    """Return what the host loads; without a place, as in format 1, no plugin can be on."""
    return tuple(
        PluginReference(position, plugin.id, plugin.manifest_path, plugin.module)
        for position, plugin in enumerate(settings.plugins, 1)
        if plugin.enabled and plugin.manifest_path is not None and plugin.module is not None
    )


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

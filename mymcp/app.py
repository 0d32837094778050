"""The application: one runtime behind HTTP routes."""

import logging
import os
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from secrets import token_urlsafe
from typing import TYPE_CHECKING, Final

from fastapi import FastAPI, Response
from starlette.routing import Route

from mymcp.authentication.failures import Failures
from mymcp.authentication.method import Method
from mymcp.authentication.oauth.network import THIS_MACHINE, Network
from mymcp.authentication.oauth.resource import Resource
from mymcp.authentication.refusal import AuthenticationCompositionError
from mymcp.authentication.router import Router
from mymcp.configuration.loading import injected, load
from mymcp.configuration.location import home_folder
from mymcp.configuration.settings import (
    OAUTH_JWT,
    OPERATOR_BEARER,
    DeclaredAdapter,
    HostSettings,
)
from mymcp.contract.strict_json import encode
from mymcp.host.external.reference import PluginReference
from mymcp.host.pools import Pools
from mymcp.host.production import build_production_runtime
from mymcp.host.runtime import HostRuntime
from mymcp.mcp.contexts import Contexts
from mymcp.mcp.dispatch import Dispatcher
from mymcp.mcp.sessions import ID_BYTES, SessionLimits, Sessions
from mymcp.plugin.identity import RESERVED_PLUGIN_IDS
from mymcp.settings import PROTOCOL_VERSION
from mymcp.transport.body import Bodies
from mymcp.transport.entrance import Entrance
from mymcp.transport.guard import LOOPBACK, AllowList, Guard
from mymcp.transport.http import McpEndpoint
from mymcp.transport.stopping import called_at_stop
from mymcp.transport.stream import Streams
from mymcp.transport.well_known import resource_routes

if TYPE_CHECKING:
    from mymcp.host.external.preflight import DeclaredTool

SWITCH_INTERVAL_SECONDS = 0.0005
"""How long a worker may keep the interpreter while the event loop waits for it.

With Python's 5 ms, `/health` answers ten times slower while tools run.
"""

ANONYMOUS_ONLY: Final = Router((), anonymous_enabled=True)

USUAL_LIMITS: Final = SessionLimits()

_authentication_logger = logging.getLogger("mymcp.host.authentication")


def create_app(  # noqa: PLR0913  each has a usual value, and is given by name
    runtime: HostRuntime,
    router: Router = ANONYMOUS_ONLY,
    *,
    allow: AllowList = LOOPBACK,
    strict_protocol_version: bool = True,
    limits: SessionLimits = USUAL_LIMITS,
    clock: Callable[[], float] = time.monotonic,
) -> FastAPI:
    """Return the application that serves `runtime`.

    `router` says who is calling, `allow` by which names the server may be called. Without a router
    every caller is anonymous, and one that shows evidence is nobody's. Of sessions of registered
    callers: `strict_protocol_version` says whether their messages have to name the revision,
    `limits` how long they may live. `clock` gives seconds and only ever goes forward.
    """
    pools = Pools()
    dispatcher = Dispatcher(runtime, pools, clock)
    sessions = Sessions(limits, clock, lambda: token_urlsafe(ID_BYTES))
    contexts = Contexts(sessions, strict=strict_protocol_version)
    endpoint = McpEndpoint(dispatcher, pools.parsing, Bodies(), Streams(), contexts)

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
    served = Entrance(router, Failures(clock), endpoint.serve)
    app.router.routes += [Route("/mcp", served), Route("/mcp/", served)]
    _add_operational_routes(app, runtime)
    return app


def create_production_app(
    settings: HostSettings | None = None, *, network: Network = THIS_MACHINE
) -> FastAPI:
    """Return the application of `settings`, or of the host configuration where none are given.

    `network` leads to an OAuth issuer. The target of `uvicorn --factory`. Raises
    `HostConfigurationError`, `SettingsError` of Mnemosyne or `CompositionError` for an operator's
    mistake.
    """
    given = settings
    settings = load_settings() if given is None else injected(given, bundled=RESERVED_PLUGIN_IDS)
    router = build_router(settings, network)
    app = create_app(
        build_runtime(settings),
        router,
        allow=AllowList.at(settings.usual_address),
        strict_protocol_version=settings.strict_protocol_version,
        limits=SessionLimits(
            settings.session_inactivity_timeout_seconds,
            settings.session_absolute_lifetime_seconds,
        ),
    )
    if (metadata := _resource_metadata(settings)) is not None:
        app.router.routes += resource_routes(metadata)
    return app


def build_runtime(settings: HostSettings) -> HostRuntime:
    """Return what a server of `settings`, which `load_settings` gave or would give, offers.

    Raises `SettingsError` of Mnemosyne or `CompositionError` for an operator's mistake.
    """
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


def build_router(settings: HostSettings, network: Network = THIS_MACHINE) -> Router:
    """Return the router of the adapters that are on; those that are off touch nothing.

    `network` leads to an OAuth issuer. Raises `AuthenticationCompositionError` for an operator's
    mistake.
    """
    try:
        methods = [
            _method(settings, adapter, f"authentication.adapters#{position}", network)
            for position, adapter in enumerate(settings.adapters, 1)
            if adapter.enabled
        ]
        router = Router(methods, settings.anonymous_enabled)
    except AuthenticationCompositionError as error:
        reason = "" if error.reason is None else f" reason={error.reason}"
        _authentication_logger.error(
            "authentication_composition outcome=error code=%s%s", error.code, reason
        )
        raise
    _authentication_logger.info(
        "authentication_composition outcome=loaded enabled=%d", len(methods)
    )
    return router


def _method(settings: HostSettings, adapter: DeclaredAdapter, key: str, network: Network) -> Method:
    """Return the method that `adapter` declares; only the modules of those in use are loaded."""
    if adapter.type == OPERATOR_BEARER and settings.verifier_path is not None:
        from mymcp.authentication.bearer import composition as bearer  # noqa: PLC0415

        return bearer.composed(adapter, settings.verifier_path, key)
    if adapter.type == OAUTH_JWT and settings.issuer is not None:
        from mymcp.authentication.oauth import composition as oauth  # noqa: PLC0415

        return oauth.composed(adapter, settings.issuer, settings, key, network)
    advice = (
        f"{key} in the host configuration is enabled, and this version knows no adapter of its type"
        " there; set enabled = false"
    )
    raise AuthenticationCompositionError("adapter_type_unavailable", advice)


def _references(settings: HostSettings) -> tuple[PluginReference, ...]:
    """Return what the host loads; without a place, as in format 1, no plugin can be on."""
    return tuple(
        PluginReference(position, plugin.id, plugin.manifest_path, plugin.module)
        for position, plugin in enumerate(settings.plugins, 1)
        if plugin.enabled and plugin.manifest_path is not None and plugin.module is not None
    )


def _resource_metadata(settings: HostSettings) -> bytes | None:
    """Return what clients are told about this server as an OAuth resource, if it is one."""
    types = {adapter.type for adapter in settings.enabled_adapters}
    if OAUTH_JWT not in types or settings.issuer is None:
        return None
    return Resource(settings.origin).document(settings.issuer)


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

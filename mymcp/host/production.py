"""The runtime that the commands serve: the host's own tool, the bundled plugin, external ones."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING

from mymcp._generated.tools.list_tools import LIST_TOOLS
from mymcp.contract.bundle import BundledContribution
from mymcp.host.external.composed import ComposedPlugins
from mymcp.host.listing import listing
from mymcp.host.runtime import CompositionError, HostRuntime, assemble, public_names
from mymcp.plugins.mnemosyne import plugin as mnemosyne
from mymcp.plugins.mnemosyne.settings import SettingsError

if TYPE_CHECKING:
    from mymcp.host.external.preflight import Preflighted
    from mymcp.host.external.reference import PluginReference, UnsafeSchemas

_logger = logging.getLogger("mymcp.host.bootstrap")


def build_production_runtime(
    environment: Mapping[str, str],
    home: Path,
    plugins: "Sequence[PluginReference]" = (),
    *,
    unsafe_schemas: "UnsafeSchemas" = "rewrite",
) -> HostRuntime:
    """Return the runtime for this environment and home directory.

    `plugins` are the enabled external plugins in the operator's order. Raises
    `mymcp.plugins.mnemosyne.settings.SettingsError` for an operator's mistake and
    `CompositionError` for tools that cannot be offered together; one of its kinds is
    `mymcp.host.external.failure.ExternalPluginLoadError`, for external plugins that do not start.
    """
    with _failures_logged():
        preflighted = _preflighted(plugins)
        bundled = [mnemosyne.contribute(environment, home)]
    return compose(bundled, preflighted, unsafe_schemas=unsafe_schemas, generation=token_hex(16))


def compose(
    bundled: Sequence[BundledContribution],
    plugins: "Sequence[Preflighted]" = (),
    *,
    generation: str,
    unsafe_schemas: "UnsafeSchemas" = "rewrite",
) -> HostRuntime:
    """Return the runtime of `list_tools`, the tools of `bundled` and those of `plugins`, in order.

    Raises `CompositionError`, which is logged.
    """
    own = [tool for contribution in bundled for tool in contribution.tools]
    with _failures_logged():
        taken = [LIST_TOOLS.capability.name, *public_names(own)]
        external = _composed(plugins, unsafe_schemas, taken)
        tools = [*own, *(tool.bound for tool in external.tools)]
        versions = [(one.plugin_id, one.version) for one in bundled]
        runtime = assemble(
            [listing(public_names(tools)), *tools],
            generation=generation,
            inventory=(*versions, *external.inventory),
        )
    _logger.info(
        "runtime_composition outcome=loaded bundled=%d external=%d capabilities=%d",
        len(bundled),
        len(plugins),
        len(tools),
    )
    return runtime


# What external plugins need takes a tenth of the start; a server without them need not load it.


def _preflighted(plugins: "Sequence[PluginReference]") -> "Sequence[Preflighted]":
    if not plugins:
        return ()
    from mymcp.host.external.preflight import preflight  # noqa: PLC0415

    return preflight(plugins)


def _composed(
    plugins: "Sequence[Preflighted]", unsafe_schemas: "UnsafeSchemas", taken: Sequence[str]
) -> ComposedPlugins:
    if not plugins:
        return ComposedPlugins()
    from mymcp.host.external.composition import compose_external, log_losses  # noqa: PLC0415

    composed = compose_external(plugins, unsafe_schemas=unsafe_schemas, taken=taken)
    log_losses(composed)
    return composed


@contextmanager
def _failures_logged() -> Iterator[None]:
    try:
        yield
    except SettingsError as error:
        _logger.error("runtime_composition outcome=error code=%s", error.code)
        raise
    except CompositionError as error:
        _logger.error("runtime_composition outcome=error %s", error.fields())
        raise

"""Generated from contracts/manifests/host.json by nox -s codegen; do not edit."""

from dataclasses import dataclass

from ..tools.list_tools import ListToolsHandler


@dataclass(frozen=True, slots=True, kw_only=True)
class HostHandlers:
    """One handler for each tool of `host`; none where its gate is shut."""

    list_tools: ListToolsHandler

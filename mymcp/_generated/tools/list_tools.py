"""Generated from contracts/tools/host/list_tools.json by nox -s codegen; do not edit."""

from collections.abc import Mapping
from typing import Literal, Protocol

from mymcp.contract.errors import ToolError
from mymcp.contract.faults import Condition, DeclaredError
from mymcp.contract.reader import Reader
from mymcp.contract.tool import ToolContract

from .. import data, registry
from ..models.tools.host.list_tools import ListToolsRequest, ListToolsResult

__all__ = [
    "LIST_TOOLS",
    "ListToolsCode",
    "ListToolsError",
    "ListToolsHandler",
    "ListToolsRequest",
    "ListToolsResult",
]

ListToolsCode = Literal["invalid_request", "internal_error"]


class ListToolsError(ToolError):
    """A declared error of `list_tools`; its message is in the contract."""

    def __init__(
        self,
        code: ListToolsCode,
        *,
        field: Literal["request"] | None = None,
        reason: None = None,
        details: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(code, field=field, reason=reason, details=details)


class ListToolsHandler(Protocol):
    """What a person writes for `list_tools`; says no with `ListToolsError`."""

    def __call__(self, request: ListToolsRequest, /) -> ListToolsResult: ...


LIST_TOOLS = ToolContract(
    capability=registry.LIST_TOOLS,
    reader=Reader(ListToolsRequest),
    result=ListToolsResult,
    errors=(
        DeclaredError(
            code="invalid_request",
            status="invalid_request",
            message="list_tools takes no arguments.",
            field="request",
            when=(Condition(on="unknown"),),
        ),
        DeclaredError(
            code="internal_error",
            status="internal_error",
            message="The server failed; nothing about your call is known to be wrong. Try once more, then tell the operator.",
        ),
    ),
    log=(),
    published=data.published("list_tools"),
    input_schema=data.input_schema("host", "list_tools"),
)
"""List the tools: everything that its contract says."""

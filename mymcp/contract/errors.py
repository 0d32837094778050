"""The one way a handler says no."""

from collections.abc import Mapping


class ToolError(Exception):
    """A declared error of a tool. Generated subclasses narrow `code` to the codes of one contract.

    `field` names the public field it is about, `reason` one declared reason, `details` the extra
    members that the entry of this code lists. No message: it is in the contract.
    """

    def __init__(
        self,
        code: str,
        *,
        field: str | None = None,
        reason: str | None = None,
        details: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(code)
        self.code = code
        self.field = field
        self.reason = reason
        self.details = dict(details or {})

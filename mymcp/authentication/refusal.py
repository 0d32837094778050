"""Why the methods that the operator declared cannot be used: a code, and one line what to do."""

from typing import Literal

from mymcp.host.runtime import CompositionError

MethodCode = Literal[
    "adapter_type_unavailable",
    "route_invalid",
    "verifier_source",
    "oauth_route_invalid",
    "anonymous_access_enabled",
    "oauth_validation_source",
    "oauth_resource",
    "oauth_configuration",
    "route_collision",
]


class AuthenticationCompositionError(CompositionError):
    """An operator's mistake in what authentication is made of, or around it.

    `reason` tells causes of one code apart; it is one stable word. The message names no path, no
    location and no value.
    """

    def __init__(self, code: MethodCode, advice: str, reason: str | None = None) -> None:
        super().__init__(code, advice if reason is None else f"{reason}: {advice}")
        self.reason = reason

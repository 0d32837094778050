"""From evidence to the one method that judges it. Nothing is probed, nothing falls back."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from mymcp.authentication.evidence import Evidence
from mymcp.authentication.method import FAILURE_CODES, FailureCode, Method, Refused
from mymcp.authentication.principal import Principal, anonymous, registered
from mymcp.authentication.refusal import AuthenticationCompositionError
from mymcp.configuration.settings import Route


class Router:
    """The methods of one host, by exact route.

    Args:
        methods: the enabled ones.
        anonymous_enabled: whether a request without evidence is served.

    Raises `TypeError` for what is no method or no switch, `AuthenticationCompositionError` with
    `route_collision` for two methods with one id or one route.
    """

    def __init__(self, methods: Iterable[Method], anonymous_enabled: bool) -> None:
        if not isinstance(anonymous_enabled, bool):
            raise TypeError("anonymous_enabled must be a bool")
        self._methods = _by_route(tuple(methods))
        self._anonymous_enabled = anonymous_enabled

    @property
    def knows_callers(self) -> bool:
        """Whether anybody is more than anonymous."""
        return bool(self._methods)

    @property
    def challenges(self) -> tuple[str, ...]:
        """What a 401 says in `WWW-Authenticate`, one value a method that says something."""
        values = (method.challenge for method in self._methods.values())
        return tuple(value for value in values if value is not None)

    def principal_of(self, evidence: Evidence | None) -> Principal:
        """Return who is calling. Raises `Refused`, which holds nothing of the evidence."""
        if evidence is None:
            if self._anonymous_enabled:
                return anonymous()
            raise Refused("no_evidence")
        method = self._methods.get(evidence.route)
        if method is None:
            raise Refused("unsupported")
        code: FailureCode
        try:
            return registered(method.adapter_id, method.subject_of(evidence))
        except Refused as refused:
            code = refused.code if refused.code in FAILURE_CODES else "rejected"
        except Exception:  # noqa: BLE001  a method that breaks vouches for nobody
            code = "rejected"
        # Outside the handlers, so that no traceback and no context carries the evidence.
        raise Refused(code, method.adapter_id)


def _by_route(methods: tuple[Method, ...]) -> Mapping[Route, Method]:
    found: dict[Route, Method] = {}
    ids: set[str] = set()
    for method in methods:
        if not isinstance(method, Method):
            raise TypeError("what was given is no method")
        if method.adapter_id in ids:
            raise AuthenticationCompositionError(
                "route_collision", "each adapter has an id of its own"
            )
        if method.route in found:
            raise AuthenticationCompositionError(
                "route_collision", "adapters differ in source, scheme or profile"
            )
        ids.add(method.adapter_id)
        found[method.route] = method
    return MappingProxyType(found)

"""From the declaration of an adapter to the method operator-bearer-v1."""

from pathlib import Path

from mymcp.authentication.bearer.method import ROUTE, OperatorBearer, operator_bearer
from mymcp.authentication.bearer.verifiers import VerifierFileError, read
from mymcp.authentication.refusal import AuthenticationCompositionError
from mymcp.configuration.settings import DeclaredAdapter


def composed(adapter: DeclaredAdapter, source: Path, key: str) -> OperatorBearer:
    """Return the method of `adapter` over the verifiers that the file `source` holds now.

    `key` is the adapter's name in the host configuration. Raises `AuthenticationCompositionError`:
    `route_invalid`, `verifier_source`.
    """
    if adapter.route != ROUTE:
        advice = (
            f'{key}.route in the host configuration must be {{ source = "{ROUTE.source}",'
            f' scheme = "{ROUTE.scheme}" }}, without profile'
        )
        raise AuthenticationCompositionError("route_invalid", advice)
    try:
        return operator_bearer(adapter.id, read(source))
    except VerifierFileError as error:
        raise AuthenticationCompositionError("verifier_source", str(error), error.reason) from None

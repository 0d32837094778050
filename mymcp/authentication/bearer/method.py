"""From a credential to its subject."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hmac import compare_digest
from typing import Final

from mymcp.authentication.bearer.credential import credential_in
from mymcp.authentication.bearer.verifiers import Verifier
from mymcp.authentication.evidence import SOURCE, Evidence
from mymcp.authentication.method import Refused
from mymcp.configuration.settings import Route

ROUTE: Final = Route(SOURCE, "bearer")
"""The only route that this method has."""

_DUMMY_DIGEST: Final = b"no credential has this digest..."
"""What an unknown id is compared with, so that it takes as long as a known one. 32 bytes."""


@dataclass(frozen=True, slots=True)
class OperatorBearer:
    """The method over the verifiers of one moment. It sends no challenge: nothing is negotiated."""

    adapter_id: str
    verifiers: Mapping[str, Verifier] = field(repr=False)
    route: Route = ROUTE
    challenge: None = None

    def subject_of(self, evidence: Evidence) -> str:
        """Return whom the credential names.

        Raises `Refused`: `malformed` for what is no credential, `rejected` for one that was not
        issued or was revoked. Looking up the id is not constant in time; an id is no secret.
        """
        credential = credential_in(evidence.payload)
        if credential is None:
            raise Refused("malformed")
        verifier = self.verifiers.get(credential.id)
        expected = _DUMMY_DIGEST if verifier is None else verifier.digest
        is_same = compare_digest(credential.digest, expected)
        if verifier is None or not is_same:
            raise Refused("rejected")
        return verifier.subject


def operator_bearer(adapter_id: str, verifiers: Iterable[Verifier]) -> OperatorBearer:
    """Return the method that accepts the credentials of `verifiers`."""
    return OperatorBearer(adapter_id, {verifier.id: verifier for verifier in verifiers})

"""The method itself: who a token of the issuer, made for this server, proves is calling."""

from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256

from mymcp.authentication.base64url import encoded
from mymcp.authentication.evidence import Evidence
from mymcp.authentication.method import Refused
from mymcp.authentication.oauth.claims import subject_in
from mymcp.authentication.oauth.discovery import Snapshot
from mymcp.authentication.oauth.reading import object_in
from mymcp.authentication.oauth.resource import Resource
from mymcp.authentication.oauth.token import token_in
from mymcp.configuration.settings import Route


@dataclass(frozen=True, slots=True)
class OAuthMethod:
    """Judges the tokens of one issuer for one resource.

    Args:
        adapter_id: id of its declaration in the host configuration.
        route: which evidence it judges.
        snapshot: what is known about the issuer.
        resource: this server.
        clock: gives the seconds since the epoch.
    """

    adapter_id: str
    route: Route
    snapshot: Snapshot = field(repr=False)
    resource: Resource
    clock: Callable[[], float] = field(repr=False)

    @property
    def challenge(self) -> str:
        """The value of `WWW-Authenticate` in a 401."""
        return self.resource.challenge

    def subject_of(self, evidence: Evidence) -> str:
        """Return the caller's subject: a digest, since only the issuer says what its `sub` may be.

        Nothing of the payload is read before the signature is verified. Raises `Refused`:
        `malformed` for what is no such token, `rejected` for one that is not to be trusted.
        """
        token = token_in(evidence.payload)
        verify = self.snapshot.keys.get(token.key_id)
        if verify is None or not verify(token.signed, token.signature):
            raise Refused("rejected")
        claims = object_in(token.payload)
        if claims is None:
            raise Refused("malformed")
        issuer = self.snapshot.issuer
        return subject_for(
            issuer,
            subject_in(
                claims, issuer=issuer, audience=self.resource.audience, now=int(self.clock())
            ),
        )


def subject_for(issuer: str, sub: str) -> str:
    """Return the subject of whoever `issuer` calls `sub`; equal for nobody else."""
    digest = sha256(issuer.encode() + b"\0" + sub.encode()).digest()
    return f"oauth-jwt-v1:{encoded(digest)}"

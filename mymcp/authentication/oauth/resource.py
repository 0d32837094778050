"""This server as an OAuth resource, and how a client learns whom to ask for a token (RFC 9728)."""

from dataclasses import dataclass

from mymcp.contract.strict_json import encode

WELL_KNOWN_PATH = "/.well-known/oauth-protected-resource"
ENDPOINT_PATH = "/mcp"


@dataclass(frozen=True, slots=True)
class Resource:
    """The server at `origin`, such as `http://127.0.0.1:8000`, as it is configured.

    What a request says about where it went counts nowhere.
    """

    origin: str

    @property
    def audience(self) -> str:
        """The resource, as tokens for it must name it."""
        return f"{self.origin}{ENDPOINT_PATH}"

    @property
    def metadata_url(self) -> str:
        """Where a client finds `document`."""
        return f"{self.origin}{WELL_KNOWN_PATH}{ENDPOINT_PATH}"

    @property
    def challenge(self) -> str:
        """The value of `WWW-Authenticate` in every 401: RFC 9728, section 5.1."""
        return f'Bearer resource_metadata="{self.metadata_url}"'

    def document(self, issuer: str) -> bytes:
        """Return the metadata of the resource, as JSON."""
        members = {
            "resource": self.audience,
            "authorization_servers": [issuer],
            "bearer_methods_supported": ["header"],
        }
        return encode(members).encode()

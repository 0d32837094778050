"""What the server says about itself as an OAuth resource."""

import json

import pytest

from mymcp.authentication.oauth.resource import Resource
from mymcp.configuration.settings import HostSettings


@pytest.mark.parametrize(
    ("address", "port", "origin"),
    [
        ("127.0.0.1", 8000, "http://127.0.0.1:8000"),
        ("127.0.0.2", 1, "http://127.0.0.2:1"),
        ("::1", 8000, "http://[::1]:8000"),
        ("0:0:0:0:0:0:0:1", 8000, "http://[::1]:8000"),
        ("127.0.0.1", 80, "http://127.0.0.1:80"),
    ],
)
def test_the_resource_is_where_the_server_is_configured_to_be(
    address: str, port: int, origin: str
) -> None:
    resource = Resource(HostSettings(address=address, port=port).origin)
    assert resource.audience == f"{origin}/mcp"
    assert resource.metadata_url == f"{origin}/.well-known/oauth-protected-resource/mcp"
    assert resource.challenge == f'Bearer resource_metadata="{resource.metadata_url}"'


def test_the_document_has_exactly_three_members_in_order() -> None:
    document = Resource("http://127.0.0.1:8000").document("https://issuer.invalid/")
    assert document == (
        b'{"resource":"http://127.0.0.1:8000/mcp","authorization_servers":'
        b'["https://issuer.invalid/"],"bearer_methods_supported":["header"]}'
    )
    assert list(json.loads(document)) == [
        "resource",
        "authorization_servers",
        "bearer_methods_supported",
    ]

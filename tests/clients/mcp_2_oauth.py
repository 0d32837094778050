"""Answer a 401 as major 2 of the official client does: python mcp_2_oauth.py URL ISSUER TOKEN.

Everything between client and server is real. The issuer's part, in which a person would log in at a
page of theirs, is played here; it gives out TOKEN.
"""

import asyncio
import json
import sys
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken

REDIRECT = "http://127.0.0.1:1/callback"


class Storage:
    """Keeps what a client keeps."""

    token: OAuthToken | None = None
    client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.token

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.token = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


class Net(httpx2.AsyncHTTPTransport):
    """The network, in which the issuer is played."""

    def __init__(self, issuer: str, token: str) -> None:
        super().__init__()
        self.asked: list[str] = []
        self._host = urlsplit(issuer).hostname
        self._answers = {
            "GET": {
                "issuer": issuer,
                "authorization_endpoint": f"{issuer}/authorize",
                "token_endpoint": f"{issuer}/token",
                "registration_endpoint": f"{issuer}/register",
                "response_types_supported": ["code"],
                "code_challenge_methods_supported": ["S256"],
            },
            "/register": {"client_id": "client-1", "redirect_uris": [REDIRECT]},
            "/token": {"access_token": token, "token_type": "Bearer", "expires_in": 300},
        }

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        self.asked.append(f"{request.method} {request.url.path}")
        if request.url.host != self._host:
            return await super().handle_async_request(request)
        place = "GET" if request.method == "GET" else f"/{request.url.path.rpartition('/')[2]}"
        return httpx2.Response(201 if place == "/register" else 200, json=self._answers[place])


async def talk(url: str, issuer: str, token: str) -> dict[str, object]:
    seen: dict[str, str] = {}

    async def log_in(page: str) -> None:
        asked = parse_qs(urlsplit(page).query)
        seen.update({"state": asked["state"][0], "resource": asked["resource"][0]})

    async def come_back() -> AuthorizationCodeResult:
        return AuthorizationCodeResult(code="code", state=seen["state"])

    provider = OAuthClientProvider(
        url,
        OAuthClientMetadata(redirect_uris=[REDIRECT], client_name="Tests"),
        Storage(),
        redirect_handler=log_in,
        callback_handler=come_back,
    )
    net = Net(issuer, token)
    async with (
        httpx2.AsyncClient(transport=net, auth=provider) as http,
        Client(streamable_http_client(url, http_client=http), mode="legacy") as client,
    ):
        listed = await client.list_tools()
        called = await client.call_tool("list_tools", {})
        return {
            "tools": [tool.name for tool in listed.tools],
            "called": not called.is_error,
            "resource": seen["resource"],
            "asked": net.asked,
        }


if __name__ == "__main__":
    print(json.dumps(asyncio.run(talk(*sys.argv[1:]))))

"""An OAuth issuer over HTTPS on loopback: metadata and keys, or whatever a test makes of them."""

import json
import ssl
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socket import socket
from tempfile import TemporaryDirectory
from threading import Event, Thread

from mymcp.authentication.oauth.network import Network
from tests.authentication.oauth.certificates import DAY, Authority, authority
from tests.authentication.oauth.keys import KEY, SigningKey

HOST = "issuer.invalid"
PATH = "/tenant"
METADATA = f"/.well-known/oauth-authorization-server{PATH}"
KEYS = "/keys"

Asked = tuple[str, Mapping[str, str]]
"""Path and headers of a request."""


class Exchange(BaseHTTPRequestHandler):
    """One request to the issuer."""

    protocol_version = "HTTP/1.1"
    server: "Server"

    def do_GET(self) -> None:
        self.server.asked.append((self.path, dict(self.headers)))
        answer = self.server.answers.get(self.path)
        if answer is None:
            self.send(b"", 404)
        else:
            answer(self)

    def send(self, body: bytes, status: int = 200, **headers: str) -> None:
        """Send a whole answer."""
        self.send_response(status)
        for name, value in ({"content_length": str(len(body))} | headers).items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def drip(self, content: bytes) -> None:
        """Send `content` as it is, one byte in a while, until somebody hangs up or it is over."""
        for byte in content:
            if self.server.over.wait(0.05):
                return
            self.wfile.write(bytes([byte]))

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  its name there
        """Say nothing."""


Answer = Callable[[Exchange], None]


class Server(ThreadingHTTPServer):
    """Serves over TLS, each connection in a thread of its own."""

    daemon_threads = True

    def __init__(self, context: ssl.SSLContext | None) -> None:
        super().__init__(("127.0.0.1", 0), Exchange)
        self.context = context
        self.answers: dict[str, Answer] = {}
        self.asked: list[Asked] = []
        self.over = Event()

    def finish_request(self, request: socket, client_address: object) -> None:  # type: ignore[override]
        with suppress(OSError):  # a client that hangs up, which is what is tested
            if self.context is None:
                Exchange(request, client_address, self)
                return
            with self.context.wrap_socket(request, server_side=True) as channel:
                Exchange(channel, client_address, self)


@dataclass(frozen=True)
class Issuer:
    """A running issuer, and the way to it."""

    port: int
    answers: dict[str, Answer]
    asked: list[Asked]
    addresses: tuple[str, ...] = ("127.0.0.1",)
    trusted: Authority = field(default_factory=authority)

    @property
    def origin(self) -> str:
        return f"https://{HOST}:{self.port}"

    @property
    def name(self) -> str:
        """The issuer as it calls itself."""
        return f"{self.origin}{PATH}"

    @property
    def network(self) -> Network:
        return Network(lambda _host: self.addresses, self.trusted.certificate)

    def publish(self, path: str, document: object) -> None:
        """Answer for `path` with `document`: JSON, or bytes as such."""
        body = document if isinstance(document, bytes) else json.dumps(document).encode()
        self.answers[path] = lambda exchange: exchange.send(body)

    def publish_metadata(self, **changes: object) -> None:
        self.publish(METADATA, {"issuer": self.name, "jwks_uri": f"{self.origin}{KEYS}"} | changes)

    def publish_keys(self, *keys: object) -> None:
        self.publish(KEYS, {"keys": keys or [KEY.public()]})


@contextmanager
def issuing(
    *keys: SigningKey,
    name: str = HOST,
    valid_for: timedelta = DAY,
    signed_by: Authority | None = None,
    tls: bool = True,
) -> Iterator[Issuer]:
    """Run an issuer with `keys` until the block ends; its certificate is for `name`."""
    context = None
    if tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        with TemporaryDirectory() as folder:
            chain = (signed_by or authority()).issue(name, Path(folder), valid_for=valid_for)
            context.load_cert_chain(chain)
    with Server(context) as server:
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}).start()
        issuer = Issuer(server.server_port, server.answers, server.asked)
        issuer.publish_metadata()
        issuer.publish_keys(*(key.public() for key in keys or (KEY,)))
        try:
            yield issuer
        finally:
            server.over.set()
            server.shutdown()

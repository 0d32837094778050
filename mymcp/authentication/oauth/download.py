"""One document of an issuer over HTTPS: verified, bounded, on time, from nowhere else.

No proxy of the environment is used, no redirect is followed, nothing is tried a second time. One
deadline holds for everything from the name to the last byte, however slowly the bytes come.
"""

import io
import socket
import ssl
import time
from collections.abc import Sequence
from contextlib import suppress
from http.client import HTTPException, HTTPResponse
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Final

from mymcp.authentication.oauth.location import Location
from mymcp.authentication.oauth.network import Network, Resolve

DOWNLOAD_SECONDS: Final = 10.0
HEAD_MAX_BYTES: Final = 65_536
"""How much more than the document may come: the head of the answer, and marks between chunks."""

_REQUEST: Final = (
    "GET {target} HTTP/1.1\r\n"
    "Host: {authority}\r\n"
    "Accept: application/json\r\n"
    "Accept-Encoding: identity\r\n"
    "User-Agent: MyMCP/oauth-jwt-jwks-v1\r\n"
    "Connection: close\r\n\r\n"
)


class Unavailable(Exception):
    """There is no such document, or not in time, not from whom it should be, or not in bounds."""


class _Deadline:
    """A moment after which nothing is waited for."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """Return how many seconds are left. Raises `TimeoutError` if none are."""
        seconds = self._end - time.monotonic()
        if seconds <= 0:
            raise TimeoutError
        return seconds


class _Incoming(io.RawIOBase):
    """The bytes that come in on `channel` until the deadline, about `most` of them at the most."""

    def __init__(self, channel: socket.socket, deadline: _Deadline, most: int) -> None:
        self._channel = channel
        self._deadline = deadline
        self._most = most

    def readable(self) -> bool:
        """Return true: this is what it is for."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # as BufferedReader calls it
        """Wait for bytes and put them into `buffer`; return how many there are, 0 at the end."""
        if self._most <= 0:
            raise OSError("too much")
        self._channel.settimeout(self._deadline.left())
        count = self._channel.recv_into(buffer)
        self._most -= count
        return count

    def makefile(self, _mode: str) -> io.BufferedReader:
        """Return the reader that an `HTTPResponse` asks its socket for."""
        return io.BufferedReader(self)


def download(
    location: Location, *, limit: int, network: Network, seconds: float = DOWNLOAD_SECONDS
) -> bytes:
    """Return the document at `location`, at most `limit` bytes of it.

    Raises `Unavailable`, which says nothing further, within `seconds`.
    """
    # What failed is told to nobody: it may hold names and bytes of the other side.
    with suppress(OSError, HTTPException, ValueError):
        return _document(location, limit, network, _Deadline(seconds))
    raise Unavailable


def _document(location: Location, limit: int, network: Network, deadline: _Deadline) -> bytes:
    trust = ssl.create_default_context(cadata=network.authorities)
    trust.set_alpn_protocols(["http/1.1"])
    addresses = _addresses(location.host, network.resolve, deadline)
    with _connected(addresses, location.port, deadline) as plain:
        plain.settimeout(deadline.left())
        with trust.wrap_socket(plain, server_hostname=location.host) as channel:
            request = _REQUEST.format(target=location.target, authority=location.authority)
            channel.settimeout(deadline.left())
            channel.sendall(request.encode("ascii"))
            return _body(_Incoming(channel, deadline, limit + HEAD_MAX_BYTES), limit)


def _addresses(host: str, resolve: Resolve, deadline: _Deadline) -> Sequence[str]:
    """Return the addresses of `host`. The system's resolver knows no deadline: it gets a thread."""
    answers: SimpleQueue[Sequence[str]] = SimpleQueue()

    def ask() -> None:
        try:
            answers.put(resolve(host))
        except (OSError, ValueError):
            answers.put(())

    Thread(target=ask, name="mymcp-resolver", daemon=True).start()
    try:
        return answers.get(timeout=deadline.left())
    except Empty:
        raise TimeoutError from None


def _connected(addresses: Sequence[str], port: int, deadline: _Deadline) -> socket.socket:
    """Return a connection to the first address that takes one; each gets its share of the time."""
    for tried, address in enumerate(addresses):
        share = deadline.left() / (len(addresses) - tried)
        try:
            return socket.create_connection((address, port), timeout=share)
        except OSError:
            continue
    raise ConnectionError


def _body(incoming: _Incoming, limit: int) -> bytes:
    response = HTTPResponse(incoming)  # type: ignore[arg-type]  # it calls makefile, nothing else
    with response:
        response.begin()
        if response.status != 200:
            raise ValueError
        body = response.read(limit + 1)
        is_whole = not response.length  # what is still to come of the length that was announced
    if len(body) > limit or not is_whole:
        raise ValueError
    return body

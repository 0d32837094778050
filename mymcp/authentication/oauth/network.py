"""The way to an issuer: what addresses its name has, and whose word on its certificate counts."""

import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

Resolve = Callable[[str], Sequence[str]]
"""From a DNS name to literal addresses, best first. May block, and raise `OSError`."""


def resolved(host: str) -> Sequence[str]:
    """Return the addresses that this machine knows for `host`."""
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(entry[4][0]) for entry in found))


@dataclass(frozen=True, slots=True)
class Network:
    """What a test puts in the place of the real thing; everything else is as in service.

    `authorities` are certificates in PEM that are trusted instead of those of this machine.
    """

    resolve: Resolve = resolved
    authorities: str | None = None


THIS_MACHINE: Final = Network()

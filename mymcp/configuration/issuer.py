"""Issuers of OAuth tokens: what the pattern of the contract cannot say of a URL."""

from re import compile as pattern

HOST_MAX_CHARACTERS = 253
PORT_MAX = 65_535

_AUTHORITY = pattern(r"https://([a-z0-9.-]+)(?::([0-9]{1,5}))?(?:/.*)?")


def is_public_name(issuer: str) -> bool:
    """Tell whether `issuer`, a text of the contract's pattern, names a DNS host and a real port.

    Names of this machine and addresses are none: a provider's certificate is for a public name.
    """
    found = _AUTHORITY.fullmatch(issuer)
    if found is None:
        return False
    host, port = found[1], found[2]
    labels = host.split(".")
    is_local = labels[-1] == "localhost"
    is_address = all(label.isdigit() for label in labels)
    return (
        len(host) <= HOST_MAX_CHARACTERS
        and not is_local
        and not is_address
        and int(port or 0) <= PORT_MAX
    )

"""Where the host may listen: literal loopback addresses and nothing else."""

from ipaddress import IPv4Address, ip_address

_IPV6 = "::1"


def loopback(text: str) -> str | None:
    """Return the usual form of `text`, an address of 127.0.0.0/8 or `::1` in any of its forms.

    None for everything else. No name is looked up; a zone or an IPv4 address dressed up as IPv6 is
    no loopback address.
    """
    try:
        address = ip_address(text)
    except ValueError:
        return None
    loops = address.is_loopback if isinstance(address, IPv4Address) else str(address) == _IPV6
    return str(address) if loops else None


def bracketed(address: str) -> str:
    """Return the IP `address` as a URL writes it."""
    return f"[{address}]" if ":" in address else address

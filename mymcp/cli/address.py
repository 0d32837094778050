"""Where a server listens: literal loopback addresses and nothing else."""

import argparse
import errno
import socket
from pathlib import Path

from mymcp.configuration.loopback import loopback

BACKLOG_CONNECTIONS = 2048


class PortInUse(Exception):
    """Another program listens there, or this user may not; the message says what to do."""


def loopback_address(text: str) -> str:
    """Return the address that `text` is. Raises `argparse.ArgumentTypeError` for any other."""
    address = loopback(text)
    if address is not None:
        return address
    raise argparse.ArgumentTypeError("give a literal loopback address, such as 127.0.0.1 or ::1")


def port_number(text: str) -> int:
    """Return the port that `text` is. Raises `argparse.ArgumentTypeError` for any other text."""
    if text.isascii() and text.isdigit() and len(text) <= 5 and 1 <= int(text) <= 65_535:
        return int(text)
    raise argparse.ArgumentTypeError("give a port from 1 to 65535")


def configuration_file(text: str) -> Path:
    """Return the absolute path that `text` means in the current folder; it may not be empty."""
    if not text:
        raise argparse.ArgumentTypeError("give the path of a file")
    try:
        return Path(text).absolute()
    except OSError:
        raise argparse.ArgumentTypeError("the current folder is gone; give a path from /") from None


def listen(address: str, port: int) -> socket.socket:
    """Return a socket that listens there. Raises `PortInUse` where it cannot."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((address, port))
        listener.listen(BACKLOG_CONNECTIONS)
    except OSError as error:
        listener.close()
        raise PortInUse(_advice(address, port, error)) from None
    return listener


def _advice(address: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"port {port} of {address} is in use; stop the program that has it"
            " or choose another with --port"
        )
    if error.errno == errno.EACCES:
        return f"this user may not open port {port}; choose one from 1024 on with --port"
    return f"cannot listen at {address}; choose another address with --address"

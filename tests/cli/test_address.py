import argparse
import socket
from contextlib import closing
from pathlib import Path

import pytest

from mymcp.cli.address import (
    PortInUse,
    configuration_file,
    listen,
    loopback_address,
    port_number,
)
from mymcp.transport.guard import LOOPBACK_HOSTS, AllowList


@pytest.mark.parametrize(
    ("text", "address"),
    [("127.0.0.1", "127.0.0.1"), ("127.8.9.10", "127.8.9.10"), ("0:0:0:0:0:0:0:1", "::1")],
)
def test_a_literal_loopback_address_is_taken(text: str, address: str) -> None:
    assert loopback_address(text) == address


@pytest.mark.parametrize(
    "text",
    [
        "",
        "localhost",
        "0.0.0.0",
        "10.0.0.1",
        "::",
        "::2",
        "::1%lo",
        "::ffff:127.0.0.1",
        "127.1",
        "x",
    ],
)
def test_any_other_address_is_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="loopback"):
        loopback_address(text)


@pytest.mark.parametrize(("text", "port"), [("1", 1), ("8000", 8000), ("65535", 65535)])
def test_a_port_is_taken(text: str, port: int) -> None:
    assert port_number(text) == port


@pytest.mark.parametrize("text", ["", "0", "65536", "-1", "+1", "1.0", "8_000", "٣", "9" * 5_000])
def test_any_other_port_is_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="1 to 65535"):
        port_number(text)


def test_a_configuration_file_is_looked_for_in_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert configuration_file("a.toml") == tmp_path / "a.toml"
    assert configuration_file("/etc/../a.toml") == Path("/etc/../a.toml")
    with pytest.raises(argparse.ArgumentTypeError, match="path"):
        configuration_file("")


def test_a_port_in_use_is_told_with_what_to_do() -> None:
    with closing(listen("127.0.0.1", 0)) as first:
        port = first.getsockname()[1]
        with pytest.raises(PortInUse, match=rf"port {port} of 127.0.0.1 is in use.*--port"):
            listen("127.0.0.1", port)


def test_an_address_that_this_machine_lacks_is_told() -> None:
    with pytest.raises(PortInUse, match="--address"):
        listen("192.0.2.1", 1)


def test_a_listener_takes_connections_at_once() -> None:
    with closing(listen("127.0.0.1", 0)) as listener:
        socket.create_connection(listener.getsockname()).close()


@pytest.mark.parametrize(
    ("address", "name"),
    [("127.0.0.1", b"127.0.0.1"), ("127.0.0.9", b"127.0.0.9"), ("::1", b"[::1]")],
)
def test_a_server_goes_by_its_own_address_too(address: str, name: bytes) -> None:
    assert AllowList.at(address).hosts == LOOPBACK_HOSTS | {name}

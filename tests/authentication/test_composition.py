"""From the declarations of the operator to who is served."""

import logging
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from mymcp.app import create_production_app
from mymcp.authentication.bearer.verifiers import written
from mymcp.authentication.refusal import AuthenticationCompositionError
from mymcp.configuration.settings import (
    OPERATOR_BEARER,
    DeclaredAdapter,
    HostSettings,
    Route,
)
from tests.authentication.bearer.known import TEXT, VERIFIER
from tests.authentication.showing import BEARER
from tests.transport.serving import Wire, serving

ADAPTER = DeclaredAdapter("local", OPERATOR_BEARER, True, BEARER)
OPENING = {"jsonrpc": "2.0", "id": 1, "method": "initialize"}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    tmp_path.chmod(0o700)
    path = tmp_path / "verifiers.json"
    path.write_bytes(written([VERIFIER]))
    path.chmod(0o600)
    return path


def settings(
    place: Path | None, *adapters: DeclaredAdapter, anonymous: bool = False
) -> HostSettings:
    return HostSettings(
        schema_version=7,
        anonymous_enabled=anonymous,
        adapters=adapters or (ADAPTER,),
        verifier_path=place,
    )


def status_of(wire: Wire, value: str | None) -> int:
    headers = wire.headers if value is None else wire.with_header("Authorization", value)
    return wire.post(OPENING, headers).status


@pytest.mark.parametrize("anonymous", [True, False])
def test_an_adapter_that_is_on_knows_the_credentials_of_its_file(
    place: Path, anonymous: bool, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    with serving(create_production_app(settings(place, anonymous=anonymous))) as wire:
        assert status_of(wire, f"Bearer {TEXT}") == 200
        assert status_of(wire, f"Bearer {TEXT}x") == 401
        assert status_of(wire, None) == (200 if anonymous else 401)
    assert "authentication_composition outcome=loaded enabled=1" in caplog.messages


def test_the_file_is_read_once(place: Path) -> None:
    with serving(create_production_app(settings(place))) as wire:
        place.unlink()
        assert status_of(wire, f"Bearer {TEXT}") == 200


def test_an_adapter_that_is_off_touches_no_file(place: Path) -> None:
    place.unlink()
    off = replace(ADAPTER, enabled=False)
    with serving(create_production_app(settings(place, off, anonymous=True))) as wire:
        assert status_of(wire, None) == 200
        assert status_of(wire, f"Bearer {TEXT}") == 401


OTHER_ROUTES = [
    Route("authorization", "bearer", "profile"),
    Route("authorization", "basic"),
    Route("authorization", "bearer-x"),
    Route("cookie", "bearer"),
]


@pytest.mark.parametrize("route", OTHER_ROUTES, ids=str)
def test_operator_bearer_has_one_route(place: Path, route: Route) -> None:
    with pytest.raises(AuthenticationCompositionError) as caught:
        create_production_app(settings(place, replace(ADAPTER, route=route)))
    assert caught.value.code == "route_invalid"
    assert "authentication.adapters#1.route" in str(caught.value)


SPOILT: list[tuple[str, Callable[[Path], object]]] = [
    ("missing", lambda path: path.unlink()),
    ("unsafe_path", lambda path: path.rename(f"{path}x") and path.symlink_to(f"{path}x")),
    ("unsafe_permissions", lambda path: path.chmod(0o644)),
    ("not_regular", lambda path: path.unlink() or path.mkdir()),
    ("too_large", lambda path: path.write_bytes(b" " * 20_000)),
    ("invalid_utf8", lambda path: path.write_bytes(b"\xff")),
    ("invalid_json", lambda path: path.write_bytes(b"[" * 9_000)),
    ("invalid_format", lambda path: path.write_bytes(b"{}")),
]


@pytest.mark.parametrize(("reason", "spoil"), SPOILT)
def test_a_verifier_file_that_is_not_used_stops_the_start_with_its_reason(
    place: Path, reason: str, spoil: Callable[[Path], object], caplog: pytest.LogCaptureFixture
) -> None:
    spoil(place)
    with pytest.raises(AuthenticationCompositionError) as caught:
        create_production_app(settings(place, anonymous=True))
    assert (caught.value.code, caught.value.reason) == ("verifier_source", reason)
    assert str(caught.value).startswith(f"verifier_source: {reason}: the verifier file ")
    line = f"authentication_composition outcome=error code=verifier_source reason={reason}"
    assert line in caplog.messages
    assert str(place) not in f"{caught.value} {caplog.text}"


@pytest.mark.parametrize(
    ("adapter", "has_file"),
    [(replace(ADAPTER, type="demo-v1"), True), (ADAPTER, False)],
)
def test_a_type_without_what_it_needs_is_not_available(
    place: Path, adapter: DeclaredAdapter, has_file: bool
) -> None:
    with pytest.raises(AuthenticationCompositionError, match=r"^adapter_type_unavailable: "):
        create_production_app(settings(place if has_file else None, adapter))


def test_of_several_mistakes_the_first_declaration_is_told(place: Path) -> None:
    place.unlink()
    other = DeclaredAdapter("other", "demo-v1", True, Route("authorization", "x"))
    with pytest.raises(AuthenticationCompositionError, match=r"^adapter_type_unavailable: "):
        create_production_app(settings(place, replace(other, enabled=False), other, ADAPTER))
    with pytest.raises(AuthenticationCompositionError, match=r"^verifier_source: "):
        create_production_app(settings(place, ADAPTER, other))


def test_two_adapters_of_one_route_are_not_served(place: Path) -> None:
    with pytest.raises(AuthenticationCompositionError, match=r"^route_collision: "):
        create_production_app(settings(place, ADAPTER, replace(ADAPTER, id="other")))


def test_a_method_that_is_not_in_use_is_not_loaded(tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "from mymcp.app import create_production_app\n"
        "from mymcp.configuration.settings import HostSettings\n"
        "create_production_app(HostSettings())\n"
        "print([name for name in sys.modules if name.startswith('mymcp.authentication.bearer')])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"HOME": str(tmp_path), "PATH": ""},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"

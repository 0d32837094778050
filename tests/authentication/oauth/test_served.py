"""A whole server and a real issuer: only the name's address and the authority are the tests'."""

import json
import logging
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from mymcp.app import create_production_app
from mymcp.authentication.oauth.method import subject_for
from mymcp.authentication.oauth.network import Network
from mymcp.authentication.refusal import AuthenticationCompositionError
from mymcp.configuration.settings import OAUTH_JWT, DeclaredAdapter, HostSettings, Route
from tests.authentication.oauth.issuer import KEYS, METADATA, Issuer, issuing
from tests.authentication.oauth.keys import KEY, SigningKey, claims
from tests.authentication.oauth.rows import rows
from tests.test_wheel import CLIENTS, client_programs
from tests.transport.serving import Reply, Wire, serving

ADAPTER = DeclaredAdapter("local", OAUTH_JWT, True, Route("authorization", "bearer"))
WELL_KNOWN = "/.well-known/oauth-protected-resource"
CHALLENGE = f'Bearer resource_metadata="http://127.0.0.1:8000{WELL_KNOWN}/mcp"'


def settings(issuer: Issuer, /, **changes: object) -> HostSettings:
    usual = HostSettings(5, anonymous_enabled=False, adapters=(ADAPTER,), issuer=issuer.name)
    return replace(usual, **changes)  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))


@contextmanager
def served(*keys: SigningKey, port: int | None = None) -> Iterator[tuple[Wire, Issuer]]:
    """Run issuer and server; the server listens at `port` if it is to be where it says."""
    with issuing(*keys) as issuer:
        configured = settings(issuer, port=port or 8000)
        app = create_production_app(configured, network=issuer.network)
        with serving(app, port or 0) as wire:
            yield wire, issuer


def free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        return int(free.getsockname()[1])


def shown(wire: Wire, *evidence: str) -> Reply:
    """Return the answer to an `initialize` that shows `evidence`."""
    params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
    return wire.post(body, wire.with_header("Authorization", *evidence))


def token(issuer: Issuer, key: SigningKey = KEY, **changes: object) -> str:
    return key.issued(claims(**({"iss": issuer.name} | changes)))


def code_and_reason(issuer: Issuer, /, **changes: object) -> tuple[str, str | None]:
    with pytest.raises(AuthenticationCompositionError) as caught:
        create_production_app(settings(issuer, **changes), network=issuer.network)
    error = caught.value
    assert error.__cause__ is None
    assert "issuer.invalid" not in str(error)
    assert str(error).startswith(f"{error.code}: ")
    return error.code, error.reason


def test_a_token_opens_the_server_and_two_fetches_were_made() -> None:
    second = SigningKey("key-2")
    with served(KEY, second) as (wire, issuer):
        assert [path for path, _ in issuer.asked] == [METADATA, KEYS]
        for key in (KEY, second):
            reply = shown(wire, f"Bearer {token(issuer, key)}")
            assert reply.status == 200
            assert b'"serverInfo"' in reply.body
        assert [path for path, _ in issuer.asked] == [METADATA, KEYS]


def test_every_refusal_is_an_empty_401_with_the_exact_challenge() -> None:
    with served() as (wire, issuer):
        good = token(issuer)
        replies = [
            shown(wire),
            shown(wire, "Bearer nonsense"),
            shown(wire, f"Bearer {good}", f"Bearer {good}"),
            shown(wire, f"Basic {good}"),
            shown(wire, f"Bearer {token(issuer, aud='http://127.0.0.1:8001/mcp')}"),
            wire.ask("GET", "/mcp"),
            wire.ask("DELETE", "/mcp"),
            wire.post(b"no JSON"),
        ]
        for reply in replies:
            assert (reply.status, reply.body) == (401, b"")
            assert reply.header("content-length") == "0"
            found = [value for name, value in reply.headers if name == "www-authenticate"]
            assert found == [CHALLENGE]


def test_the_challenge_leads_to_the_metadata_that_name_the_issuer() -> None:
    with served() as (wire, issuer):
        challenge = shown(wire).header("www-authenticate")
        assert challenge is not None
        path = challenge.partition("8000")[2].removesuffix('"')
        for place in (path, WELL_KNOWN):
            reply = wire.ask("GET", place)
            assert reply.status == 200
            assert reply.header("content-type") == "application/json"
            assert reply.header("cache-control") == "no-store"
            assert reply.json == {
                "resource": "http://127.0.0.1:8000/mcp",
                "authorization_servers": [issuer.name],
                "bearer_methods_supported": ["header"],
            }
            for method in ("HEAD", "POST", "PUT", "DELETE"):
                refused = wire.ask(method, place)
                assert (refused.status, refused.header("allow")) == (405, "GET")
            assert wire.ask("GET", f"{place}/").status == 404
            assert wire.ask("GET", place, [("Host", "evil.invalid")]).status == 403


@pytest.mark.parametrize(
    "others",
    [
        HostSettings(),
        HostSettings(5, adapters=(replace(ADAPTER, enabled=False),), issuer="https://a.invalid"),
    ],
)
def test_without_oauth_there_is_nothing_at_the_well_known_places(others: HostSettings) -> None:
    def unasked(_host: str) -> list[str]:
        raise AssertionError("the network was used")

    with serving(create_production_app(others, network=Network(unasked))) as wire:
        for place in (WELL_KNOWN, f"{WELL_KNOWN}/mcp"):
            assert wire.ask("GET", place).status == 404


def test_nothing_of_a_refused_token_is_in_the_log_or_the_answer(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mymcp.authentication.failures.SLOW_SECONDS", 0.0)
    caplog.set_level(logging.DEBUG)
    with served() as (wire, _issuer):
        caplog.clear()
        count = 0
        for what, evidence, _code in rows():
            text = evidence.decode("latin-1")
            if "\n" in text or "\0" in text:  # no server lets these through
                continue
            reply = shown(wire, f"Bearer {text}")
            assert (reply.status, reply.body) == (401, b""), what
            assert reply.header("www-authenticate") == CHALLENGE
            count += 1
            assert not any(part in caplog.text for part in text.split(".") if len(part) > 8), what
        assert count > 150
        for secret in ("issuer.invalid", "key-1", "user-1", "client-1", "token-1", "eyJ"):
            assert secret not in caplog.text
        told = [r.getMessage() for r in caplog.records if r.name == "mymcp.authentication"]
        assert len(told) == count
        assert {line.split()[2] for line in told} <= {"adapter=local", "adapter=-"}


def test_a_subject_depends_on_the_issuer_and_not_on_the_token() -> None:
    assert subject_for("https://a.invalid", "b") != subject_for("https://a.invalid/", "b")


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"anonymous_enabled": True}, "anonymous_access_enabled"),
        (
            {"adapters": (replace(ADAPTER, route=Route("authorization", "token")),)},
            "oauth_route_invalid",
        ),
        (
            {"adapters": (replace(ADAPTER, route=Route("authorization", "bearer", "a")),)},
            "oauth_route_invalid",
        ),
        (
            {
                "anonymous_enabled": True,
                "adapters": (replace(ADAPTER, route=Route("authorization", "token")),),
            },
            "oauth_route_invalid",
        ),
        ({"issuer": None}, "adapter_type_unavailable"),
    ],
)
def test_a_declaration_that_cannot_be_is_refused_before_the_network_is_used(
    changes: dict[str, object], code: str
) -> None:
    with issuing() as issuer:
        assert code_and_reason(issuer, **changes) == (code, None)
        assert issuer.asked == []


def move_metadata(issuer: Issuer) -> None:
    issuer.publish("/elsewhere", {"issuer": issuer.name, "jwks_uri": f"{issuer.origin}{KEYS}"})
    issuer.answers[METADATA] = lambda exchange: exchange.send(b"", 302, location="/elsewhere")


def downgrade_metadata(issuer: Issuer) -> None:
    place = f"http://{issuer.origin[8:]}/elsewhere"
    issuer.answers[METADATA] = lambda exchange: exchange.send(b"", 301, location=place)


def move_keys(issuer: Issuer) -> None:
    issuer.answers[KEYS] = lambda exchange: exchange.send(b"", 307, location=METADATA)


SPOILS = {
    "gone": (lambda issuer: issuer.answers.clear(), "metadata_unavailable"),
    "redirect": (move_metadata, "metadata_unavailable"),
    "redirect to http": (downgrade_metadata, "metadata_unavailable"),
    "oversized": (lambda i: i.publish(METADATA, b" " * 16_385), "metadata_unavailable"),
    "another issuer": (
        lambda issuer: issuer.publish_metadata(issuer=f"{issuer.name}/"),
        "metadata_invalid",
    ),
    "keys over http": (
        lambda issuer: issuer.publish_metadata(jwks_uri=f"http://{issuer.origin[8:]}{KEYS}"),
        "metadata_invalid",
    ),
    "keys elsewhere": (
        lambda issuer: issuer.publish_metadata(jwks_uri="https://keys.invalid/keys"),
        "metadata_invalid",
    ),
    "keys gone": (lambda issuer: issuer.answers.pop(KEYS), "jwks_unavailable"),
    "keys redirected": (move_keys, "jwks_unavailable"),
    "keys oversized": (lambda i: i.publish(KEYS, b" " * 65_537), "jwks_unavailable"),
    "too many keys": (
        lambda issuer: issuer.publish_keys(*[KEY.public()] * 17),
        "jwks_invalid",
    ),
    "no usable key": (
        lambda issuer: issuer.publish_keys(KEY.public(alg="RS512")),
        "jwks_unusable",
    ),
}


@pytest.mark.parametrize("what", SPOILS)
def test_an_issuer_that_cannot_be_trusted_stops_the_start_with_a_reason(
    what: str, caplog: pytest.LogCaptureFixture
) -> None:
    spoil, reason = SPOILS[what]
    with issuing() as issuer:
        spoil(issuer)
        assert code_and_reason(issuer) == ("oauth_validation_source", reason)
        assert "/elsewhere" not in [path for path, _ in issuer.asked]
    assert caplog.messages == [
        f"authentication_composition outcome=error code=oauth_validation_source reason={reason}"
    ]


@pytest.mark.parametrize(
    "options",
    [{"name": "other.invalid"}, {"valid_for": timedelta(days=-1)}, {"tls": False}],
    ids=["wrong name", "expired", "plain HTTP"],
)
def test_an_issuer_that_is_not_who_it_should_be_is_asked_nothing(
    options: dict[str, object],
) -> None:
    with issuing(**options) as issuer:  # type: ignore[arg-type]
        assert code_and_reason(issuer) == ("oauth_validation_source", "metadata_unavailable")
        assert issuer.asked == []


def test_a_start_does_not_wait_for_a_slow_issuer_beyond_the_deadline() -> None:
    with issuing() as issuer:
        whole = b"HTTP/1.1 200 OK\r\nContent-Length: 400\r\n\r\n" + b" " * 400
        issuer.answers[METADATA] = lambda exchange: exchange.drip(whole)
        assert code_and_reason(issuer) == ("oauth_validation_source", "metadata_unavailable")


def test_the_library_is_loaded_for_oauth_only() -> None:
    script = (
        "import sys; from mymcp.app import create_production_app;"
        " from mymcp.configuration.settings import HostSettings;"
        " create_production_app(HostSettings());"
        " print(sorted({'jwt', 'cryptography'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


def test_the_configured_port_is_the_audience_whatever_a_request_says() -> None:
    with served() as (wire, issuer):
        evidence = token(issuer, aud=f"http://127.0.0.1:{wire.port}/mcp")
        assert shown(wire, f"Bearer {evidence}").status == 401


def test_a_closed_issuer_stops_the_start_at_once() -> None:
    assert code_and_reason(Issuer(free_port(), {}, [])) == (
        "oauth_validation_source",
        "metadata_unavailable",
    )


def test_the_official_client_finds_the_issuer_from_the_challenge_and_calls_with_its_token(
    request: pytest.FixtureRequest,
) -> None:
    lock = CLIENTS / "mcp-2.txt"
    python = client_programs(request.config.cache, lock) / "python"
    port = free_port()
    with served(port=port) as (_wire, issuer):
        resource = f"http://127.0.0.1:{port}/mcp"
        shown = [resource, issuer.name, token(issuer, aud=resource)]
        done = subprocess.run(
            [str(python), str(CLIENTS / "mcp_2_oauth.py"), *shown],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
    assert done.returncode == 0, done.stderr
    heard = json.loads(done.stdout)
    assert heard["resource"] == resource
    assert heard["tools"][0] == "list_tools"
    assert heard["called"]
    assert heard["asked"][:6] == [
        "POST /mcp",
        f"GET {WELL_KNOWN}/mcp",
        f"GET {METADATA}",
        "POST /tenant/register",
        "POST /tenant/token",
        "POST /mcp",
    ]

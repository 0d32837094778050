"""Who is calling, on a real server: before everything else, and without a word about why not."""

import asyncio
import logging
from collections.abc import Iterator

import pytest

from mymcp.app import create_app
from mymcp.authentication.bearer.method import operator_bearer
from mymcp.authentication.failures import FAILURES_A_MINUTE, SLOW_SECONDS, Failures
from mymcp.authentication.principal import Principal, anonymous, registered
from mymcp.authentication.router import Router
from mymcp.configuration.settings import Route
from mymcp.host.runtime import assemble
from mymcp.transport import entrance as module
from mymcp.transport.entrance import Entrance
from tests.authentication.bearer.known import ID, SECRET_TEXT, TEXT, VERIFIER
from tests.authentication.showing import Scripted
from tests.transport.serving import Reply, Wire, serving
from tests.transport.tools import tools

BEARER = f"Bearer {TEXT}"
OPENING = {"jsonrpc": "2.0", "id": 1, "method": "initialize"}
WRONG = [
    "Bearer x",
    "Bearer",
    "",
    f"Bearer  {TEXT}",
    f"Bearer {TEXT} {TEXT}",
    f"Bearer {TEXT}x",
    f"Bearer {TEXT[:-1]}A",
    f"Bearer {TEXT.replace(ID, 'f' * 32)}",
    f"Basic {TEXT}",
    TEXT,
    "Bearer \xe9",
    "Bearer " + "x" * 9_000,
]


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests of this page fail to prove themselves oftener than anybody should."""
    monkeypatch.setattr("mymcp.authentication.failures.SLOW_SECONDS", 0.001)


@pytest.fixture(scope="module")
def locked() -> Iterator[Wire]:
    """A server that knows one credential, and nobody without one."""
    router = Router([operator_bearer("local", [VERIFIER])], anonymous_enabled=False)
    with serving(create_app(assemble(tools(), generation="g"), router)) as wire:
        yield wire


def proof(wire: Wire, value: str = BEARER) -> list[tuple[str, str]]:
    return wire.with_header("Authorization", value)


def is_refusal(reply: Reply) -> bool:
    names = {name for name, _ in reply.headers}
    is_empty = (reply.body, reply.header("content-length")) == (b"", "0")
    return reply.status == 401 and is_empty and not names & {"www-authenticate", "content-type"}


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER", "bEaReR"])
def test_a_credential_opens_whatever_the_case_of_its_scheme(locked: Wire, scheme: str) -> None:
    assert locked.post(OPENING, proof(locked, f"{scheme} {TEXT}")).status == 200


@pytest.mark.parametrize("method", ["POST", "GET", "DELETE"])
@pytest.mark.parametrize("path", ["/mcp", "/mcp/", "/mcp?x=1"])
@pytest.mark.parametrize("value", [None, *WRONG])
def test_nothing_else_does_and_every_refusal_is_the_same(
    locked: Wire, method: str, path: str, value: str | None
) -> None:
    headers = locked.headers if value is None else proof(locked, value)
    assert is_refusal(locked.ask(method, path, headers))


def test_two_credentials_are_none(locked: Wire) -> None:
    assert is_refusal(locked.post(OPENING, locked.with_header("Authorization", BEARER, BEARER)))


@pytest.mark.parametrize(
    "headers",
    [
        ("Content-Type", "text/plain"),
        ("Accept", "text/html"),
        ("MCP-Protocol-Version", "1999-01-01"),
        ("MCP-Session-Id", ""),
        ("Content-Encoding", "gzip"),
        ("Content-Length-Is-No-Matter", "x"),
    ],
)
def test_a_refusal_comes_before_everything_that_is_wrong_besides(
    locked: Wire, headers: tuple[str, str]
) -> None:
    assert is_refusal(locked.post(b"no JSON", locked.with_header(*headers)))


def test_a_refusal_does_not_wait_for_a_body(locked: Wire) -> None:
    assert is_refusal(locked.raw(locked.head(5_000_000)))


def test_the_guard_comes_first(locked: Wire) -> None:
    assert locked.ask("POST", "/mcp", [("Host", "evil.invalid")]).status == 403
    evil = [*proof(locked), ("Origin", "http://evil.invalid")]
    assert locked.post(OPENING, evil).status == 403


@pytest.mark.parametrize("method", ["PUT", "PATCH", "HEAD", "OPTIONS", "TRACE"])
def test_other_methods_are_405_for_everybody(locked: Wire, method: str) -> None:
    for headers in (locked.headers, proof(locked)):
        assert locked.ask(method, "/mcp", headers).status == 405


@pytest.mark.parametrize("path", ["/health", "/version"])
def test_health_and_version_need_no_proof(locked: Wire, path: str) -> None:
    assert locked.ask("GET", path).status == 200


def test_a_refusal_is_one_line_with_adapter_and_class_and_no_evidence(
    locked: Wire, caplog: pytest.LogCaptureFixture
) -> None:
    expected = [
        (None, "INFO", "-", "no_evidence"),
        ("Bearer", "WARNING", "-", "malformed"),
        ("Basic x", "WARNING", "-", "unsupported"),
        ("Bearer open-sesame", "WARNING", "local", "malformed"),
        (f"{BEARER[:-1]}A", "WARNING", "local", "rejected"),
        (BEARER.replace(ID, "f" * 32), "WARNING", "local", "rejected"),
    ]
    for value, *_ in expected:
        locked.post(OPENING, locked.headers if value is None else proof(locked, value))
    lines = [r for r in caplog.records if r.name == "mymcp.authentication"]
    assert [(r.levelname, r.getMessage()) for r in lines] == [
        (level, f"authentication outcome=refused adapter={adapter} reason={reason}")
        for _, level, adapter, reason in expected
    ]
    everything = "\n".join(r.getMessage() for r in caplog.records)
    for secret in ("sesame", SECRET_TEXT[:-1], ID, "f" * 32):
        assert secret not in everything


def test_who_is_served_is_not_logged(locked: Wire, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    assert locked.post(OPENING, proof(locked)).status == 200
    everything = "\n".join(r.getMessage() for r in caplog.records if r.name.startswith("m"))
    for word in ("laptop", "registered", SECRET_TEXT, ID):
        assert word not in everything


@pytest.mark.parametrize("anonymous_enabled", [True, False])
def test_wrong_evidence_is_never_anonymous(anonymous_enabled: bool) -> None:
    methods = [operator_bearer("local", [VERIFIER])]
    for router in (Router(methods, anonymous_enabled), Router([], anonymous_enabled)):
        with serving(create_app(assemble(tools(), generation="g"), router)) as wire:
            assert (wire.post(OPENING).status == 200) is anonymous_enabled
            for value in WRONG:
                assert is_refusal(wire.post(OPENING, proof(wire, value)))


def test_a_method_that_breaks_is_a_refusal_without_a_traceback(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def broken(_: object) -> object:
        raise ValueError(TEXT)

    with serving(
        create_app(assemble(tools(), generation="g"), Router([Scripted(broken)], True))
    ) as wire:
        assert is_refusal(wire.post(OPENING, proof(wire)))
    assert "adapter=scripted reason=rejected" in caplog.text
    assert SECRET_TEXT not in caplog.text


def test_every_method_says_its_challenge() -> None:
    methods = [
        Scripted(adapter_id="a", route=Route("authorization", "a"), challenge='Bearer realm="x"'),
        Scripted(adapter_id="b", route=Route("authorization", "b")),
        Scripted(adapter_id="c", route=Route("authorization", "c"), challenge="Other"),
    ]
    with serving(create_app(assemble(tools(), generation="g"), Router(methods, False))) as wire:
        reply = wire.post(OPENING)
        said = [value for name, value in reply.headers if name == "www-authenticate"]
        assert (reply.status, said, reply.body) == (401, ['Bearer realm="x"', "Other"], b"")


class Inside:
    """Remembers who was let in."""

    def __init__(self) -> None:
        self.callers: list[Principal] = []

    async def __call__(
        self, caller: Principal, _scope: object, _receive: object, _send: object
    ) -> None:
        self.callers.append(caller)


class Answers:
    """Takes what an application sends."""

    def __init__(self) -> None:
        self.statuses: list[int] = []
        self.closing = 0

    async def __call__(self, message: dict[str, object]) -> None:  # type: ignore[override]
        if message["type"] == "http.response.start":
            self.statuses.append(message["status"])  # type: ignore[arg-type]
            self.closing += (b"connection", b"close") in message["headers"]  # type: ignore[operator]


def scope(*values: bytes, client: tuple[str, int] | None = ("127.0.0.1", 1)) -> dict[str, object]:
    headers = [(b"authorization", value) for value in values]
    return {"type": "http", "method": "POST", "headers": headers, "client": client}


async def nothing() -> dict[str, object]:
    return {"type": "http.disconnect"}


def entrance(inside: Inside, clock: float = 0.0) -> Entrance:
    router = Router([operator_bearer("local", [VERIFIER])], anonymous_enabled=True)
    return Entrance(router, Failures(lambda: clock), inside)  # type: ignore[arg-type]


def test_the_principal_goes_in_with_the_request() -> None:
    inside, answers = Inside(), Answers()
    gate = entrance(inside)

    async def ask() -> None:
        for values in ((), (BEARER.encode(),), (b"Bearer x",)):
            await gate(scope(*values), nothing, answers)

    asyncio.run(ask())
    assert inside.callers == [anonymous(), registered("local", "laptop")]
    assert answers.statuses == [401]


def test_ten_refusals_a_minute_are_quick_and_further_ones_wait_while_others_are_served(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    slept: list[float] = []
    woken = asyncio.Event()

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        await woken.wait()

    monkeypatch.setattr(module, "sleep", sleep)  # not that of asyncio: servers use it
    monkeypatch.setattr("mymcp.authentication.failures.SLOW_SECONDS", SLOW_SECONDS)
    inside, answers = Inside(), Answers()
    gate = entrance(inside)

    async def ask() -> None:
        for _ in range(FAILURES_A_MINUTE):
            await gate(scope(b"Bearer x"), nothing, answers)
        assert (len(answers.statuses), slept) == (FAILURES_A_MINUTE, [])
        slowed = [
            asyncio.create_task(gate(scope(b"Bearer x"), nothing, answers))
            for _ in range(module.SLOWED_MAX)
        ]
        await asyncio.wait(slowed, timeout=0.05)
        assert (len(answers.statuses), slept) == (
            FAILURES_A_MINUTE,
            [SLOW_SECONDS] * module.SLOWED_MAX,
        )
        await gate(scope(BEARER.encode()), nothing, answers)
        await gate(scope(), nothing, answers)
        assert len(inside.callers) == 2
        await gate(scope(b"Bearer x", client=("127.0.0.2", 1)), nothing, answers)
        assert (len(answers.statuses), answers.closing) == (FAILURES_A_MINUTE + 1, 0)
        await gate(scope(b"Bearer x"), nothing, answers)
        assert (len(answers.statuses), answers.closing) == (FAILURES_A_MINUTE + 2, 1)
        woken.set()
        await asyncio.gather(*slowed)
        assert len(answers.statuses) == FAILURES_A_MINUTE + 2 + module.SLOWED_MAX
        await gate(scope(b"Bearer x"), nothing, answers)
        assert answers.closing == 1

    asyncio.run(ask())
    assert set(answers.statuses) == {401}


def test_a_server_that_stops_answers_what_waits() -> None:
    async def ask() -> list[int]:
        answers = Answers()
        gate = entrance(Inside())
        for _ in range(FAILURES_A_MINUTE):
            await gate(scope(b"Bearer x"), nothing, answers)
        waiting = asyncio.create_task(gate(scope(b"Bearer x"), nothing, answers))
        await asyncio.sleep(0)
        waiting.cancel()
        await waiting
        return answers.statuses

    assert asyncio.run(ask()) == [401] * (FAILURES_A_MINUTE + 1)


def test_a_source_without_an_address_is_counted_too() -> None:
    answers = Answers()
    asyncio.run(entrance(Inside())(scope(b"Bearer x", client=None), nothing, answers))
    assert answers.statuses == [401]

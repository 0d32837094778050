"""Documents over real HTTPS on loopback: had whole, in time, from whom they should be, or not."""

import socket
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from threading import Event, Thread

import pytest

from mymcp.authentication.oauth.download import HEAD_MAX_BYTES, Unavailable, download
from mymcp.authentication.oauth.location import Location
from mymcp.authentication.oauth.network import Network
from tests.authentication.oauth.certificates import Authority
from tests.authentication.oauth.issuer import HOST, Exchange, Issuer, issuing

LIMIT = 1_000
PATH = "/document"
SHORT_SECONDS = 0.5
LONG = b"x" * 100_000


def fetched(issuer: Issuer, *, seconds: float = 20.0, limit: int = LIMIT) -> bytes:
    location = Location(HOST, issuer.port, PATH)
    return download(location, limit=limit, network=issuer.network, seconds=seconds)


def refused(issuer: Issuer, seconds: float = 20.0) -> None:
    with pytest.raises(Unavailable) as caught:
        fetched(issuer, seconds=seconds)
    assert (caught.value.args, caught.value.__context__, caught.value.__cause__) == ((), None, None)


def chunked(*chunks: bytes, end: bytes = b"0\r\n\r\n") -> Callable[[Exchange], None]:
    def answer(exchange: Exchange) -> None:
        exchange.send_response(200)
        exchange.send_header("Transfer-Encoding", "chunked")
        exchange.send_header("Connection", "close")
        exchange.end_headers()
        for chunk in chunks:
            exchange.wfile.write(b"%x\r\n%b\r\n" % (len(chunk), chunk))
        exchange.wfile.write(end)
        exchange.close_connection = True

    return answer


def raw(content: bytes) -> Callable[[Exchange], None]:
    """Return an answer that is `content` as it is and then hangs up."""

    def answer(exchange: Exchange) -> None:
        exchange.wfile.write(content)
        exchange.close_connection = True

    return answer


def dripping(content: bytes) -> Callable[[Exchange], None]:
    return lambda exchange: exchange.drip(content)


def test_a_document_is_fetched_whole_with_exactly_our_headers() -> None:
    with issuing() as issuer:
        issuer.publish(PATH, b"x" * LIMIT)
        assert fetched(issuer) == b"x" * LIMIT
        assert issuer.asked == [
            (
                PATH,
                {
                    "Host": f"{HOST}:{issuer.port}",
                    "Accept": "application/json",
                    "Accept-Encoding": "identity",
                    "User-Agent": "MyMCP/oauth-jwt-jwks-v1",
                    "Connection": "close",
                },
            )
        ]


@pytest.mark.parametrize(
    "answer",
    [
        chunked(b"one", b"two"),
        raw(b"HTTP/1.1 200 OK\r\n\r\nonetwo"),
        raw(b"HTTP/1.0 200 OK\r\nContent-Length: 6\r\n\r\nonetwo"),
        raw(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nonetwo"),
        dripping(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nonetwo"),
        lambda exchange: exchange.send(b"onetwo", content_type="text/html"),
    ],
    ids=["chunked", "until the end", "HTTP 1.0", "after a 100", "slow but in time", "other type"],
)
def test_a_document_may_come_in_any_way_that_http_has(answer: Callable[[Exchange], None]) -> None:
    with issuing() as issuer:
        issuer.answers[PATH] = answer
        assert fetched(issuer) == b"onetwo"


@pytest.mark.parametrize(
    "answer",
    [
        *(
            lambda exchange, status=status: exchange.send(b"{}", status, location="/keys")
            for status in (301, 302, 303, 307, 308)
        ),
        lambda exchange: exchange.send(b"", 302, location="http://issuer.invalid/keys"),
        *(
            lambda exchange, status=status: exchange.send(b"{}", status)
            for status in (201, 203, 206, 400, 401, 404, 429, 500, 503)
        ),
        lambda exchange: exchange.send(b"x" * (LIMIT + 1)),
        lambda exchange: exchange.send(b"x", content_length=str(10**20)),
        lambda exchange: exchange.send(LONG, content_length="nonsense"),
        chunked(*[b"x" * 100] * 11),
        chunked(*[b"x"] * 30_000),
        raw(b"HTTP/1.1 200 OK\r\n\r\n" + LONG),
        raw(b"HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nonetwo"),
        chunked(b"onetwo", end=b""),
        chunked(b"onetwo", end=b"-1\r\n"),
        chunked(b"onetwo", end=b"nonsense\r\n"),
        raw(b"HTTP/1.1 200 OK\r\n" + b"X-Pad: %b\r\n" % (b"x" * 30_000) * 3 + b"\r\nonetwo"),
        raw(b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 200 + b"\r\nonetwo"),
        raw(b"HTTP/1.1 100 Continue\r\n\r\n" * 5_000),
        raw(b""),
        raw(b"{}"),
        raw(b"HTTP/2.0 200 OK\r\nContent-Length: 2\r\n\r\n{}"),
        raw(b"SSH-2.0-server\r\n"),
        raw(b"HTTP/1.1 OK\r\n\r\n{}"),
    ],
)
def test_an_answer_that_is_not_the_whole_document_within_its_bound_is_refused(
    answer: Callable[[Exchange], None],
) -> None:
    with issuing() as issuer:
        issuer.publish("/keys", b"{}")
        issuer.answers[PATH] = answer
        refused(issuer)
        assert [path for path, _ in issuer.asked] == [PATH]


def test_the_bound_on_what_comes_in_leaves_room_for_any_usual_head() -> None:
    with issuing() as issuer:
        issuer.answers[PATH] = lambda exchange: exchange.send(
            b"x" * LIMIT, x_pad="x" * (HEAD_MAX_BYTES // 2)
        )
        assert fetched(issuer) == b"x" * LIMIT


@pytest.mark.parametrize(
    "content",
    [
        b"HTTP/1.1 200 OK\r\nX-Pad: %b\r\nContent-Length: 2\r\n\r\n{}" % (b"x" * 60),
        b"HTTP/1.1 200 OK\r\nContent-Length: 60\r\n\r\n" + b" " * 60,
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1\r\n \r\n" * 9 + b"0\r\n\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\n" * 3 + b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}",
    ],
    ids=["head", "body", "chunks", "continue"],
)
def test_one_deadline_holds_for_head_and_body_however_steadily_they_come(content: bytes) -> None:
    with issuing() as issuer:
        issuer.answers[PATH] = dripping(content)
        refused(issuer, SHORT_SECONDS)


def test_a_server_that_never_answers_is_given_up() -> None:
    with issuing() as issuer:
        over, answered = Event(), Event()

        def answer(exchange: Exchange) -> None:
            over.wait(20)
            answered.set()
            exchange.send(b"{}")

        issuer.answers[PATH] = answer
        refused(issuer, SHORT_SECONDS)
        assert not answered.is_set()
        over.set()


def test_a_handshake_that_never_ends_is_given_up() -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as silent:
        over, accepted = Event(), Event()

        def hang_up() -> None:
            connection, _ = silent.accept()
            with connection:
                over.wait(20)
                accepted.set()

        waiting = Thread(target=hang_up)
        waiting.start()
        refused(Issuer(silent.getsockname()[1], {}, []), SHORT_SECONDS)
        assert not accepted.is_set()
        over.set()
        waiting.join()


def test_a_name_that_is_never_resolved_is_given_up() -> None:
    over, resolved = Event(), Event()

    def resolve(_host: str) -> list[str]:
        over.wait(20)
        resolved.set()
        return []

    with pytest.raises(Unavailable):
        download(Location(HOST, 443, "/"), limit=1, network=Network(resolve), seconds=SHORT_SECONDS)
    assert not resolved.is_set()
    over.set()


def unknown(_host: str) -> list[str]:
    raise OSError("the name is not known")


@pytest.mark.parametrize("resolve", [unknown, lambda _host: [], lambda _host: ["127.0.0.1\0"]])
def test_a_name_without_an_address_is_refused(resolve: Callable[[str], list[str]]) -> None:
    with pytest.raises(Unavailable):
        download(Location(HOST, 443, "/"), limit=1, network=Network(resolve))


def test_the_next_address_is_tried_where_one_takes_no_connection() -> None:
    with issuing() as issuer:
        issuer.publish(PATH, b"{}")
        assert fetched(replace(issuer, addresses=("127.0.0.9", "::1", "127.0.0.1"))) == b"{}"


def test_a_closed_port_is_refused() -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    refused(Issuer(port, {}, []))


def test_a_certificate_for_another_name_is_refused() -> None:
    for name in ("other.invalid", "invalid", "a.issuer.invalid", "127.0.0.1", "*.issuer.invalid"):
        with issuing(name=name) as issuer:
            issuer.publish(PATH, b"{}")
            refused(issuer)
            assert issuer.asked == []


def test_an_expired_certificate_is_refused() -> None:
    with issuing(valid_for=-timedelta(days=1)) as issuer:
        issuer.publish(PATH, b"{}")
        refused(issuer)
        assert issuer.asked == []


def test_a_certificate_of_somebody_else_is_refused() -> None:
    with issuing(signed_by=Authority()) as issuer:
        issuer.publish(PATH, b"{}")
        refused(issuer)
        assert issuer.asked == []


def test_only_this_machines_authorities_count_where_none_is_given() -> None:
    with issuing() as issuer:
        issuer.publish(PATH, b"{}")
        network = Network(lambda _host: ["127.0.0.1"])
        with pytest.raises(Unavailable):
            download(Location(HOST, issuer.port, PATH), limit=LIMIT, network=network)
        assert issuer.asked == []


def test_plain_http_is_never_spoken() -> None:
    with issuing(tls=False) as issuer:
        issuer.publish(PATH, b"{}")
        refused(issuer)
        assert issuer.asked == []


def test_proxies_of_the_environment_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    with issuing() as issuer, closing(socket.create_server(("127.0.0.1", 0))) as proxy:
        for name in ("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "http_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.getsockname()[1]}")
        issuer.publish(PATH, b"{}")
        assert fetched(issuer) == b"{}"


def test_an_authority_of_ones_own_counts_where_this_machine_is_told_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with issuing() as issuer:
        issuer.publish(PATH, b"{}")
        (tmp_path / "authority.pem").write_text(issuer.trusted.certificate)
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))
        network = Network(lambda _host: ["127.0.0.1"])
        location = Location(HOST, issuer.port, PATH)
        assert download(location, limit=LIMIT, network=network) == b"{}"

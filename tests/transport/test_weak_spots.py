"""The weak spots of the predecessor, one by one: spec/mcp-http.md, and W1 of the tools."""

import json
import logging
import re
import threading

import pytest

from mymcp.transport.body import BODY_MAX_BYTES
from tests.transport.serving import TIMEOUT_SECONDS, Reply, Wire, read_reply
from tests.transport.tools import Gate

PARSE_ERROR = {"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "Parse error"}}
INVALID = {"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "Invalid Request"}}


def request(**members: object) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": 1, "method": "ping"} | members


def call_of(arguments: str) -> bytes:
    """Return a call of `echo` with arguments that are written as they are given."""
    return (
        '{"jsonrpc":"2.0","id":1,"method":"tools/call",'
        f'"params":{{"name":"echo","arguments":{arguments}}}}}'
    ).encode("utf-8", "surrogatepass")


class Test1ForeignPages:
    def test_a_rebound_name_cannot_call_a_tool(self, wire: Wire) -> None:
        headers = [
            ("Host", "evil.example"),
            ("Origin", "http://evil.example"),
            ("Content-Type", "text/plain"),
            ("MCP-Protocol-Version", "2025-11-25"),
        ]
        body = request(method="tools/call", params={"name": "echo"})
        assert wire.post(body, headers).status == 403

    def test_a_simple_post_of_a_page_cannot_initialize(self, wire: Wire) -> None:
        body = request(method="initialize")
        page = [("Host", "localhost"), ("Content-Type", "text/plain")]
        assert wire.post(body, [*page, ("Origin", "https://evil.example")]).status == 403
        assert wire.post(body, page).status == 415


class Test2BrokenJson:
    @pytest.mark.parametrize(
        "body",
        [
            b"",
            b" ",
            b"{",
            b"nope",
            b'{"jsonrpc":"2.0","id":1,"method":"ping"} x',
            b"\xff\xfe",
            b'{"jsonrpc":"2.0","id":1,"method":"\xe9"}',
            b'\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"method":"ping"}',
            '{"jsonrpc":"2.0"}'.encode("utf-16"),
            b"[" * 3_000,
            b"[" * 100_000 + b"]" * 100_000,
            call_of('{"a":' * 3_000 + "1" + "}" * 3_000),
            call_of('{"a":' + "[" * 62 + "]" * 62 + "}"),
            call_of('{"n":' + "9" * 5_000 + "}"),
            call_of('{"n":NaN}'),
            call_of('{"n":-Infinity}'),
            call_of('{"n":1e999}'),
            call_of('{"a":1,"a":1}'),
            call_of('{"x":{"\\u0061":1,"a":2}}'),
            b'{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}',
            b'{"jsonrpc":"2.0","id":NaN,"method":"ping"}',
            b'{"jsonrpc":"2.0","id":1,"method":"a\nb"}',
        ],
        ids=lambda body: str(body[:40]),
    )
    def test_a_body_that_is_not_strict_json_is_a_parse_error(self, wire: Wire, body: bytes) -> None:
        reply = wire.post(body)
        assert (reply.status, reply.json) == (400, PARSE_ERROR)

    def test_deep_but_bounded_arguments_are_served(self, wire: Wire) -> None:
        reply = wire.post(call_of('{"a":' + "[" * 50 + "]" * 50 + "}"))
        assert reply.status == 200


class Test3OddMembers:
    @pytest.mark.parametrize("method", [[], {}, ["ping"], 5, None, True, "x" * 129, "\ud800"])
    def test_a_method_that_is_no_short_text_is_an_invalid_request(
        self, wire: Wire, method: object
    ) -> None:
        reply = wire.post(request(method=method))
        assert (reply.status, reply.json) == (400, INVALID)

    @pytest.mark.parametrize(
        "name", [[], {}, ["echo"], 5, None, True, "\ud800", "x" * 9_000, "é", "a\nb", ""]
    )
    def test_a_tool_name_that_cannot_be_is_unknown_and_not_repeated(
        self, wire: Wire, name: object
    ) -> None:
        reply = wire.call(name)
        assert (reply.status, reply.code) == (200, -32602)
        assert json.loads(reply.body)["error"]["message"] == "Unknown tool"

    def test_a_call_without_a_name_is_of_an_unknown_tool(self, wire: Wire) -> None:
        reply = wire.post(request(method="tools/call"))
        assert (reply.status, reply.code) == (200, -32602)

    @pytest.mark.parametrize("identity", ["\ud800", "x\udfff", "x" * 257, 2**63, -(2**63) - 1])
    def test_an_id_that_cannot_be_echoed_is_an_invalid_request(
        self, wire: Wire, identity: object
    ) -> None:
        reply = wire.post(request(id=identity))
        assert (reply.status, reply.json) == (400, INVALID)

    @pytest.mark.parametrize("identity", [0, -1, 2**63 - 1, -(2**63), "", "é\u2028\n", "x" * 256])
    def test_every_other_id_is_echoed(self, wire: Wire, identity: object) -> None:
        assert wire.post(request(id=identity)).json == {
            "jsonrpc": "2.0",
            "id": identity,
            "result": {},
        }

    def test_a_lone_surrogate_in_arguments_is_the_tools_matter(self, wire: Wire) -> None:
        assert wire.post(call_of('{"x":"\\ud800"}')).status == 200


class Test4BrokenHandlers:
    @pytest.mark.parametrize("where", ["inline", "pooled"])
    @pytest.mark.parametrize("fault", ["failing", "leaving", "silent", "broken_text"])
    def test_a_tool_that_misbehaves_is_an_internal_error_without_content(
        self, wire: Wire, fault: str, where: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        reply = wire.call(f"{fault}_{where}")
        error = json.loads(reply.body)["error"]
        assert (reply.status, error["code"], error["message"]) == (200, -32603, "Internal error")
        (correlation,) = error["data"].values()
        assert f"correlation={correlation}" in caplog.text
        assert b"secret" not in reply.body
        assert "secret" not in caplog.text


class Test5SlowTools:
    def test_health_and_inline_tools_answer_while_a_tool_is_slow(
        self, wire: Wire, gate: Gate
    ) -> None:
        replies: list[Reply] = []
        thread = threading.Thread(target=lambda: replies.append(wire.call("waiting")))
        thread.start()
        gate.entered.wait(TIMEOUT_SECONDS)
        assert wire.ask("GET", "/health").status == 200
        assert wire.call("list_tools").status == 200
        assert not replies
        gate.opened.set()
        thread.join()
        assert replies[0].status == 200


class Test8Sizes:
    def test_a_declared_length_above_the_limit_is_refused_unread(self, wire: Wire) -> None:
        reply = wire.raw(wire.head(BODY_MAX_BYTES + 1))
        assert (reply.status, reply.code) == (413, -32600)

    def test_a_chunked_body_above_the_limit_is_refused(self, wire: Wire) -> None:
        chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
        with wire.connect() as connection:
            connection.sendall(wire.start(("Transfer-Encoding", "chunked")))
            for _ in range(BODY_MAX_BYTES // 0x10000 + 1):
                connection.sendall(chunk)
            assert read_reply(connection).status == 413

    def test_a_body_of_the_limit_is_read(self, wire: Wire) -> None:
        body = json.dumps(request()).encode()
        assert wire.post(body + b" " * (BODY_MAX_BYTES - len(body))).status == 200

    @pytest.mark.parametrize(
        ("body", "status"),
        [
            (json.dumps(request(params={"x": "y" * 100_000})).encode(), 200),
            (b'{"a":1,"a":1}' + b" " * 100_000, 400),
            (b"[" + b"{}," * 1_000_000 + b"{}]", 400),
        ],
        ids=["long text", "long and broken", "many objects"],
    )
    def test_a_long_body_is_read_like_a_short_one(
        self, wire: Wire, body: bytes, status: int
    ) -> None:
        assert wire.post(body).status == status

    def test_a_client_that_hangs_up_within_its_body_disturbs_nobody(self, wire: Wire) -> None:
        with wire.connect() as connection:
            connection.sendall(wire.head(100) + b"{")
        assert wire.post(request()).status == 200

    def test_a_client_that_hangs_up_within_a_call_disturbs_nobody(
        self, wire: Wire, gate: Gate
    ) -> None:
        body = json.dumps(request(method="tools/call", params={"name": "waiting"})).encode()
        with wire.connect() as connection:
            connection.sendall(wire.head(len(body)) + body)
            gate.entered.wait(TIMEOUT_SECONDS)
        gate.opened.set()
        assert wire.call("waiting").status == 200


class Test11Envelopes:
    @pytest.mark.parametrize("member", [{"result": {}}, {"error": {"code": 1, "message": ""}}])
    @pytest.mark.parametrize("identity", [1, "x", None])
    def test_a_response_of_the_client_is_accepted(
        self, wire: Wire, member: dict[str, object], identity: object
    ) -> None:
        reply = wire.post({"jsonrpc": "2.0", "id": identity} | member)
        assert (reply.status, reply.body) == (202, b"")

    @pytest.mark.parametrize("identity", [None, True, False, 1.0, 1.5, {}, [], [1]])
    def test_an_id_of_another_type_is_refused(self, wire: Wire, identity: object) -> None:
        reply = wire.post(request(id=identity))
        assert (reply.status, reply.json) == (400, INVALID)

    @pytest.mark.parametrize("version", [None, 2.0, 2, "2", "1.0", "2.00", ["2.0"]])
    def test_another_jsonrpc_is_refused(self, wire: Wire, version: object) -> None:
        reply = wire.post(request(jsonrpc=version))
        assert (reply.status, reply.json) == (400, INVALID)

    @pytest.mark.parametrize(
        "body",
        [
            {},
            {"jsonrpc": "2.0"},
            {"jsonrpc": "2.0", "id": 1},
            {"id": 1, "method": "ping"},
            {"jsonrpc": "2.0", "params": {}},
            None,
            5,
            "ping",
            True,
            [],
            [{"jsonrpc": "2.0", "id": 1, "method": "ping"}],
            [1, 2],
        ],
    )
    def test_what_is_no_single_message_is_refused(self, wire: Wire, body: object) -> None:
        reply = wire.post(body)
        assert (reply.status, reply.json) == (400, INVALID)


class Test12Logs:
    def lines(self, caplog: pytest.LogCaptureFixture) -> list[str]:
        return [record.getMessage() for record in caplog.records if record.name == "mcp"]

    def test_one_line_says_how_a_message_was_answered(
        self, wire: Wire, caplog: pytest.LogCaptureFixture
    ) -> None:
        wire.post(request(id="abc"))
        wire.post(request(method="no/such"))
        ok, unknown = self.lines(caplog)
        assert ok.startswith("response id=abc method=ping outcome=ok duration_ms=")
        assert unknown.startswith(
            "response id=1 method=no/such outcome=error code=-32601 duration_ms="
        )

    def test_neither_id_nor_method_can_forge_or_fill_a_line(
        self, wire: Wire, caplog: pytest.LogCaptureFixture
    ) -> None:
        wire.post(request(id="1 outcome=ok\nresponse id=2", method="x\r\n\x1b[31m" + "y" * 100))
        wire.post(request(id="é" * 256))
        for line in self.lines(caplog):
            assert len(line) < 250
            assert line.isprintable()
            assert line.isascii()
            assert line.count("outcome=") == 1

    def test_a_long_method_is_not_repeated_to_the_caller(self, wire: Wire) -> None:
        reply = wire.post(request(method="m" * 128))
        assert json.loads(reply.body)["error"]["message"] == "Unknown method"

    def test_nothing_of_a_call_is_logged(
        self, wire: Wire, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level(logging.DEBUG, "mcp")
        wire.call("echo", {"x": "very-private"})
        assert "very-private" not in caplog.text


class TestTheRest:
    @pytest.mark.parametrize("path", ["/docs", "/redoc", "/openapi.json", "/docs/oauth2-redirect"])
    def test_13_framework_pages_are_off(self, wire: Wire, path: str) -> None:
        assert wire.ask("GET", path).status == 404

    @pytest.mark.parametrize("path", ["/health", "/version"])
    def test_14_head_answers_like_get_without_a_body(self, wire: Wire, path: str) -> None:
        head, get = wire.ask("HEAD", path), wire.ask("GET", path)
        assert (head.status, head.body) == (200, b"")
        assert head.header("content-length") == get.header("content-length")

    @pytest.mark.parametrize("body", [b"", b"{", b"[]", json.dumps(request()).encode()])
    def test_16_without_a_revision_every_body_is_400(self, wire: Wire, body: bytes) -> None:
        assert wire.post(body, wire.with_header("MCP-Protocol-Version")).status == 400

    @pytest.mark.parametrize("values", [(), ("2025-11-25",)])
    def test_17_delete_without_a_session_is_405(self, wire: Wire, values: tuple[str, ...]) -> None:
        headers = wire.with_header("MCP-Protocol-Version", *values)
        assert wire.ask("DELETE", "/mcp", headers).status == 405

    def test_18_results_are_structured_and_the_server_has_a_title(self, wire: Wire) -> None:
        result = json.loads(wire.call("list_tools").body)["result"]
        assert result["structuredContent"]["server"] == {"name": "mymcp", "version": "0.11.0"}
        listed = json.loads(wire.post(request(method="tools/list")).body)["result"]["tools"][0]
        assert {"title", "annotations", "outputSchema"} <= set(listed)

    def test_22_null_arguments_stay_refused(self, wire: Wire) -> None:
        body = request(method="tools/call", params={"name": "echo", "arguments": None})
        assert wire.post(body).code == -32602


class TestHttpItself:
    @pytest.mark.parametrize(
        "raw",
        [
            b"\x00\x01\x02\r\n\r\n",
            b"GET\r\n\r\n",
            b"GET /\xff HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
            b"GET /%ff%00 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
            b"GET //mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
            b"GET http://evil.example/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
            b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
            b"CONNECT localhost:1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
            b"GET /health HTTP/1.0\r\n\r\n",
            b"GET /health HTTP/1.1\r\nHost: localhost\r\nHo st: x\r\n\r\n",
            b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
            b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999999999999999999\r\n\r\n",
            b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n"
            b"Content-Length: 2\r\n\r\n{}",
            b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n{}",
            b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        ],
        ids=lambda raw: str(raw[:50]),
    )
    def test_hostile_bytes_get_a_4xx_and_the_server_goes_on(self, wire: Wire, raw: bytes) -> None:
        assert 400 <= wire.raw(raw).status < 500
        assert wire.ask("GET", "/health").status == 200

    def test_pipelined_requests_are_answered_in_order(self, wire: Wire) -> None:
        one = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
        with wire.connect() as connection:
            connection.sendall(one * 2 + one.replace(b"/health", b"/no"))
            received = b""
            while received.count(b"HTTP/1.1 ") < 3 or not received.endswith(b"}"):
                received += connection.recv(4096)
        assert re.findall(rb"HTTP/1.1 (\d+)", received) == [b"200", b"200", b"404"]

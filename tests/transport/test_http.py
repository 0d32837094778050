"""The header, envelope and context rules of /mcp, on a real server with raw bytes."""

import json

import pytest

from tests.transport.serving import Reply, Wire

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    },
}
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def is_empty(reply: Reply, status: int) -> bool:
    return reply.status == status and reply.body == b"" and reply.header("content-length") == "0"


class TestMethods:
    @pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
    @pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "QUERY"])
    def test_other_methods_of_mcp_are_405_and_name_both(
        self, wire: Wire, method: str, path: str
    ) -> None:
        reply = wire.ask(method, path)
        assert (reply.status, reply.header("allow")) == (405, "GET, POST")

    @pytest.mark.parametrize("path", ["/health", "/version"])
    @pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
    def test_other_methods_of_operational_paths_are_405(
        self, wire: Wire, method: str, path: str
    ) -> None:
        reply = wire.ask(method, path)
        assert reply.status == 405
        assert set((reply.header("allow") or "").split(", ")) == {"GET", "HEAD"}
        assert reply.json == {"detail": "Method Not Allowed"}

    @pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
    @pytest.mark.parametrize("path", ["/", "/docs", "/redoc", "/openapi.json", "/mcp/x", "/Mcp"])
    def test_other_paths_are_404(self, wire: Wire, method: str, path: str) -> None:
        reply = wire.ask(method, path)
        assert (reply.status, reply.json) == (404, {"detail": "Not Found"})

    @pytest.mark.parametrize("path", ["/health/", "/version/"])
    def test_no_path_redirects(self, wire: Wire, path: str) -> None:
        assert wire.ask("GET", path).status == 404

    @pytest.mark.parametrize("path", ["/mcp", "/mcp/", "/mcp?x=1"])
    def test_both_spellings_of_mcp_answer_directly(self, wire: Wire, path: str) -> None:
        reply = wire.ask("POST", path, None, PING)
        assert (reply.status, reply.json) == (200, {"jsonrpc": "2.0", "id": 1, "result": {}})


class TestMediaTypes:
    @pytest.mark.parametrize(
        "value",
        [
            "application/json",
            "Application/JSON",
            "application/json; charset=utf-8",
            'application/json;charset="UTF-8"; profile=x',
        ],
    )
    def test_json_in_utf8_is_read(self, wire: Wire, value: str) -> None:
        assert wire.post(PING, wire.with_header("Content-Type", value)).status == 200

    @pytest.mark.parametrize(
        "values",
        [
            (),
            ("",),
            ("text/plain",),
            ("application/json-patch+json",),
            ("application/x-www-form-urlencoded",),
            ("application/json; charset=latin-1",),
            ("application/json, text/plain",),
            ("application/json", "application/json"),
        ],
    )
    def test_any_other_body_is_415(self, wire: Wire, values: tuple[str, ...]) -> None:
        reply = wire.post(PING, wire.with_header("Content-Type", *values))
        assert (reply.status, reply.code) == (415, -32600)
        assert "id" not in json.loads(reply.body)

    def test_an_encoded_body_is_415(self, wire: Wire) -> None:
        reply = wire.post(PING, [*wire.headers, ("Content-Encoding", "gzip")])
        assert (reply.status, reply.code) == (415, -32600)
        assert reply.header("accept-encoding") == "identity"

    @pytest.mark.parametrize(
        "values", [(), ("",), ("*/*",), ("application/*",), ("application/json",)]
    )
    def test_a_caller_that_takes_json_is_answered(
        self, wire: Wire, values: tuple[str, ...]
    ) -> None:
        assert wire.post(PING, wire.with_header("Accept", *values)).status == 200

    def test_a_caller_that_takes_no_json_is_told(self, wire: Wire) -> None:
        reply = wire.post(PING, wire.with_header("Accept", "text/event-stream"))
        assert (reply.status, reply.code) == (406, -32600)


class TestHeaders:
    @pytest.mark.parametrize("name", ["MCP-Protocol-Version", "MCP-Session-Id"])
    @pytest.mark.parametrize(
        "values", [("",), (" ",), ("\t",), ("2025-11-25", "2025-11-25"), ("2025-11-2\xe9",)]
    )
    @pytest.mark.parametrize("message", [PING, INITIALIZED, b"{broken", b"[]"])
    def test_an_empty_doubled_or_foreign_header_is_400(
        self, wire: Wire, name: str, values: tuple[str, ...], message: object
    ) -> None:
        assert is_empty(wire.post(message, wire.with_header(name, *values)), 400)

    @pytest.mark.parametrize("value", ["2025-11-25 ", "2025-11-25\t", "  2025-11-25  "])
    def test_white_space_round_a_header_is_trimmed(self, wire: Wire, value: str) -> None:
        reply = wire.post(PING, wire.with_header("MCP-Protocol-Version", value))
        assert reply.status == 200

    @pytest.mark.parametrize("name", ["mcp-protocol-version", "MCP-PROTOCOL-VERSION"])
    def test_header_names_have_no_case(self, wire: Wire, name: str) -> None:
        assert wire.post(PING, wire.with_header(name, "2025-06-18")).status == 200


class TestContext:
    @pytest.mark.parametrize("revision", ["2025-11-25", "2025-06-18", "2025-03-26"])
    def test_each_handshake_revision_is_served(self, wire: Wire, revision: str) -> None:
        reply = wire.post(PING, wire.with_header("MCP-Protocol-Version", revision))
        assert reply.status == 200

    @pytest.mark.parametrize("values", [(), ("2024-11-05",), ("2026-07-28",), ("x",)])
    @pytest.mark.parametrize(
        "message",
        [
            PING,
            INITIALIZED,
            {"jsonrpc": "2.0", "id": 4, "result": {}},
            {"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {}},
        ],
    )
    def test_no_or_another_revision_is_400(
        self, wire: Wire, values: tuple[str, ...], message: object
    ) -> None:
        reply = wire.post(message, wire.with_header("MCP-Protocol-Version", *values))
        assert is_empty(reply, 400)

    @pytest.mark.parametrize("message", [PING, INITIALIZED])
    @pytest.mark.parametrize("session", ["x", "A" * 43])
    def test_any_session_is_unknown(self, wire: Wire, message: object, session: str) -> None:
        headers = [*wire.headers, ("Mcp-Session-Id", session)]
        assert is_empty(wire.post(message, headers), 404)

    @pytest.mark.parametrize("body", [b"{broken", b"[]", b"{}", b"{broken" + b" " * 100_000])
    def test_headers_that_were_sent_are_looked_at_before_a_broken_body(
        self, wire: Wire, body: bytes
    ) -> None:
        session = [*wire.headers, ("Mcp-Session-Id", "x")]
        assert is_empty(wire.post(body, session), 404)
        assert is_empty(wire.post(body, wire.with_header("MCP-Protocol-Version", "2024")), 400)
        for headers in (wire.headers, wire.with_header("MCP-Protocol-Version")):
            assert wire.post(body, headers).code in {-32700, -32600}

    def test_a_session_is_looked_at_before_the_revision(self, wire: Wire) -> None:
        headers = [*wire.with_header("MCP-Protocol-Version"), ("Mcp-Session-Id", "x")]
        assert is_empty(wire.post(PING, headers), 404)

    @pytest.mark.parametrize("method", ["GET", "POST"])
    def test_health_needs_no_context(self, wire: Wire, method: str) -> None:
        reply = wire.ask(method, "/health", [("Host", "localhost"), ("Mcp-Session-Id", "x")])
        assert reply.status == {"GET": 200, "POST": 405}[method]


class TestInitialize:
    def test_initialize_ignores_session_and_version_headers(self, wire: Wire) -> None:
        headers = [*wire.with_header("MCP-Protocol-Version", "1999"), ("Mcp-Session-Id", "stale")]
        reply = wire.post(INITIALIZE, headers)
        assert reply.status == 200
        assert reply.header("mcp-session-id") is None

    @pytest.mark.parametrize("name", ["MCP-Protocol-Version", "MCP-Session-Id"])
    @pytest.mark.parametrize("values", [("",), (" ",), ("x", "x"), ("2025-11-2\xe9",)])
    def test_initialize_ignores_them_empty_doubled_or_foreign(
        self, wire: Wire, name: str, values: tuple[str, ...]
    ) -> None:
        assert wire.post(INITIALIZE, wire.with_header(name, *values)).status == 200

    @pytest.mark.parametrize(
        ("offered", "answered"),
        [
            ("2025-11-25", "2025-11-25"),
            ("2025-06-18", "2025-06-18"),
            ("2025-03-26", "2025-11-25"),
            ("2024-11-05", "2025-11-25"),
            ("2026-07-28", "2025-11-25"),
            ("", "2025-11-25"),
            (None, "2025-11-25"),
            (["2025-06-18"], "2025-11-25"),
        ],
    )
    def test_the_answer_names_a_revision_that_is_served(
        self, wire: Wire, offered: object, answered: str
    ) -> None:
        message = INITIALIZE | {"params": {"protocolVersion": offered}}
        result = json.loads(wire.post(message, wire.with_header("MCP-Protocol-Version")).body)
        assert result["result"]["protocolVersion"] == answered

    def test_initialize_without_params_is_answered(self, wire: Wire) -> None:
        reply = wire.post({"jsonrpc": "2.0", "id": "a", "method": "initialize"})
        result = json.loads(reply.body)["result"]
        assert list(result) == ["protocolVersion", "capabilities", "serverInfo", "instructions"]
        assert result["capabilities"] == {"tools": {}}
        assert result["serverInfo"] == {"name": "mymcp", "title": "MyMCP", "version": "0.11.0"}

    @pytest.mark.parametrize("revision", [(), ("2025-11-25",)])
    def test_initialize_as_a_notification_opens_nothing(
        self, wire: Wire, revision: tuple[str, ...]
    ) -> None:
        headers = wire.with_header("MCP-Protocol-Version", *revision)
        assert is_empty(wire.post({"jsonrpc": "2.0", "method": "initialize"}, headers), 202)


class TestMessages:
    @pytest.mark.parametrize(
        "method",
        ["notifications/initialized", "notifications/cancelled", "tools/call", "no/such", "ping"],
    )
    @pytest.mark.parametrize("params", [{}, None, [], 5, {"name": "failing_inline"}])
    def test_a_notification_is_accepted_and_not_run(
        self, wire: Wire, method: str, params: object
    ) -> None:
        reply = wire.post({"jsonrpc": "2.0", "method": method, "params": params})
        assert is_empty(reply, 202)

    @pytest.mark.parametrize("params", [None, [], "x", 1, True])
    @pytest.mark.parametrize("method", ["initialize", "ping", "tools/call", "no/such"])
    def test_params_that_are_no_object_are_refused_with_the_id(
        self, wire: Wire, method: str, params: object
    ) -> None:
        reply = wire.post({"jsonrpc": "2.0", "id": "q", "method": method, "params": params})
        assert reply.status == 200
        assert reply.json == {
            "jsonrpc": "2.0",
            "id": "q",
            "error": {"code": -32602, "message": "Invalid params"},
        }

    @pytest.mark.parametrize("arguments", [None, [], "{}", 1, False])
    @pytest.mark.parametrize("name", ["echo", "no_such", None])
    def test_arguments_that_are_no_object_are_refused_before_the_tool_is_looked_up(
        self, wire: Wire, name: object, arguments: object
    ) -> None:
        params = {"name": name, "arguments": arguments}
        reply = wire.post({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
        assert (reply.status, reply.code) == (200, -32602)
        assert b"Invalid params" in reply.body

    def test_absent_arguments_are_an_empty_object(self, wire: Wire) -> None:
        params = {"name": "echo"}
        reply = wire.post({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
        assert json.loads(reply.body)["result"]["structuredContent"] == {"got": {}}

    def test_an_unknown_method_is_named(self, wire: Wire) -> None:
        reply = wire.post({"jsonrpc": "2.0", "id": 1, "method": "resources/list"})
        assert (reply.status, reply.code) == (200, -32601)
        assert b"Unknown method: resources/list" in reply.body

    def test_an_unknown_tool_is_named(self, wire: Wire) -> None:
        reply = wire.call("no_such")
        assert (reply.status, reply.code) == (200, -32602)
        assert b"Unknown tool: no_such" in reply.body

    def test_members_come_in_fixed_order(self, wire: Wire) -> None:
        assert wire.call("echo").body == (
            b'{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\\"got\\":{}}"}],'
            b'"structuredContent":{"got":{}}}}'
        )
        assert wire.call("refuse").body == (
            b'{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text",'
            b'"text":"{\\"status\\":\\"invalid_request\\",\\"code\\":\\"no\\"}"}],"isError":true}}'
        )

    def test_encoded_arguments_are_decoded_by_the_schema(self, wire: Wire) -> None:
        reply = wire.call("echo", {"n": "5", "other": "5"})
        assert json.loads(reply.body)["result"]["structuredContent"]["got"] == {
            "n": 5,
            "other": "5",
        }

    def test_every_tool_is_listed_on_one_page(self, wire: Wire) -> None:
        listed = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"cursor": None}}
        result = json.loads(wire.post(listed).body)["result"]
        assert [one["name"] for one in result["tools"]][:3] == ["list_tools", "echo", "refuse"]
        assert "nextCursor" not in result

    @pytest.mark.parametrize("cursor", ["x", "", 0, {}])
    def test_a_cursor_of_nobody_is_refused(self, wire: Wire, cursor: object) -> None:
        listed = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"cursor": cursor}}
        assert wire.post(listed).code == -32602

    def test_non_ascii_text_stays_literal(self, wire: Wire) -> None:
        assert "しりとり".encode() in wire.call("echo", {"q": "しりとり"}).body

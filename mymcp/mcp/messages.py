"""JSON-RPC 2.0 messages: what one may look like, and how an answer is written.

A message is read from a JSON value that the transport has decoded; an answer is JSON text as
bytes, members in the order `jsonrpc`, `id`, `result` or `error`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from mymcp.contract.strict_json import encode

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603

ID_MAX_CHARACTERS = 256
ID_MAX_MAGNITUDE = 2**63
METHOD_MAX_CHARACTERS = 128

MessageId = int | str
_ABSENT: Final = object()


class InvalidRequest(ValueError):
    """A JSON value that is no JSON-RPC message. The answer is `-32600` with `id: null`."""


@dataclass(frozen=True, slots=True)
class Request:
    """A message that is answered. `params` is unchecked; absent ones are an empty object."""

    id: MessageId
    method: str
    params: object


@dataclass(frozen=True, slots=True)
class Notification:
    """A message that is accepted and not answered."""

    method: str


@dataclass(frozen=True, slots=True)
class ClientResponse:
    """An answer to something that a server asked; accepted and not answered."""


Message = Request | Notification | ClientResponse


def read_message(value: object) -> Message:
    """Return the message that `value` is. Raises `InvalidRequest`, also for a batch."""
    if not isinstance(value, dict) or value.get("jsonrpc") != "2.0":
        raise InvalidRequest
    method = value.get("method", _ABSENT)
    if method is _ABSENT and ("result" in value or "error" in value):
        return ClientResponse()
    if not isinstance(method, str) or not _is_text(method, METHOD_MAX_CHARACTERS):
        raise InvalidRequest
    if "id" not in value:
        return Notification(method)
    message_id = value["id"]
    if not _is_id(message_id):
        raise InvalidRequest
    return Request(message_id, method, value.get("params", {}))


def result(message_id: MessageId, text: str) -> bytes:
    """Return the answer to request `message_id` whose result is the JSON `text`."""
    written = str(message_id) if isinstance(message_id, int) else encode(message_id)
    return f'{{"jsonrpc":"2.0","id":{written},"result":{text}}}'.encode()


def error(
    message_id: MessageId | None,
    code: int,
    message: str,
    data: Mapping[str, object] | None = None,
) -> bytes:
    """Return the error that answers `message_id`; none is written as `null`."""
    body: dict[str, object] = {"code": code, "message": message}
    if data:
        body["data"] = dict(data)
    return encode({"jsonrpc": "2.0", "id": message_id, "error": body}).encode()


def refusal(message: str) -> bytes:
    """Return an error without `id`, for a request that was refused before it was read."""
    body = {"code": INVALID_REQUEST, "message": message}
    return encode({"jsonrpc": "2.0", "error": body}).encode()


def _is_id(value: object) -> bool:
    if isinstance(value, str):
        return _is_text(value, ID_MAX_CHARACTERS)
    return type(value) is int and -ID_MAX_MAGNITUDE <= value < ID_MAX_MAGNITUDE


def _is_text(value: str, longest: int) -> bool:
    """Tell whether `value` is short enough and can be encoded: lone surrogates cannot."""
    if len(value) > longest:
        return False
    if value.isascii():
        return True
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True

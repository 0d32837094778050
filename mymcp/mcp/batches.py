"""Batches, which revision 2025-03-26 has and no other: several messages in one body."""

from mymcp.host.workers import Busy
from mymcp.mcp.contexts import CallContext
from mymcp.mcp.dispatch import Dispatcher
from mymcp.mcp.eras import needs_context
from mymcp.mcp.journal import log_notification
from mymcp.mcp.messages import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    InvalidRequest,
    Notification,
    Request,
    error,
    read_message,
)

BATCH_MAX_MESSAGES = 64


async def answer_batch(
    values: list[object], length: int, dispatcher: Dispatcher, context: CallContext
) -> bytes | None:
    """Return the answers to the messages `values`, one after another; none if there are none.

    `length` is that of the whole body. Raises `InvalidRequest` for an empty or overlong batch, and
    `CancelledError` when the server stops before the last call ends.
    """
    if not 1 <= len(values) <= BATCH_MAX_MESSAGES:
        raise InvalidRequest
    answers = [await _answer(value, length, dispatcher, context) for value in values]
    given = [answer for answer in answers if answer is not None]
    return b"[%b]" % b",".join(given) if given else None


async def _answer(
    value: object, length: int, dispatcher: Dispatcher, context: CallContext
) -> bytes | None:
    try:
        message = read_message(value)
    except InvalidRequest:
        return error(None, INVALID_REQUEST, "Invalid Request")
    if isinstance(message, Notification):
        log_notification(message.method)
    if not isinstance(message, Request):
        return None
    if not needs_context(message):
        return error(message.id, INVALID_REQUEST, "initialize stands in no batch")
    try:
        return await dispatcher.answer(message, length, context)
    except Busy:
        return error(
            message.id, INTERNAL_ERROR, "Too many calls are waiting; the call was not made."
        )

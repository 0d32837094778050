"""The log lines of the protocol: one for each answered message, free of content.

What a caller chose (id, method) is escaped and cut, so that it can neither forge a line nor
fill the log.
"""

import logging
from re import compile as pattern
from typing import Literal

from mymcp.mcp.messages import MessageId, Request

LOGGED_MAX_CHARACTERS = 64

_logger = logging.getLogger("mcp")
_plain = pattern(r"[A-Za-z0-9._:/@+-]{1,64}").fullmatch


def log_response(request: Request, code: int | None, milliseconds: int) -> None:
    """Log that `request` was answered: with a result, or with the JSON-RPC error `code`."""
    level = logging.INFO if code is None else logging.WARNING
    if not _logger.isEnabledFor(level):
        return
    message_id, method = escaped(request.id), escaped(request.method)
    if code is None:
        _logger.info(
            "response id=%s method=%s outcome=ok duration_ms=%d", message_id, method, milliseconds
        )
        return
    _logger.warning(
        "response id=%s method=%s outcome=error code=%d duration_ms=%d",
        message_id,
        method,
        code,
        milliseconds,
    )


def log_given_up(request: Request, outcome: Literal["busy", "full", "stopped"]) -> None:
    """Log that `request` has no result: too many calls or sessions, or the server stopped."""
    _logger.warning(
        "response id=%s method=%s outcome=%s", escaped(request.id), escaped(request.method), outcome
    )


def log_notification(method: str) -> None:
    """Log that a notification was accepted."""
    if _logger.isEnabledFor(logging.DEBUG):
        _logger.debug("notification method=%s", escaped(method))


def log_contained(tool: str, correlation: str, error: BaseException) -> None:
    """Log a failure of `tool` that its binding did not contain."""
    _logger.error(
        "tool name=%s outcome=contained correlation=%s exception=%s",
        tool,
        correlation,
        type(error).__name__,
    )


def escaped(value: MessageId) -> str:
    """Return `value` as one word of at most 64 characters; `...` says that it was cut."""
    text = str(value)
    if _plain(text):
        return text
    word = "".join(
        one if _plain(one) else f"\\u{{{ord(one):x}}}" for one in text[: LOGGED_MAX_CHARACTERS + 1]
    )
    return word if len(word) <= LOGGED_MAX_CHARACTERS else f"{word[: LOGGED_MAX_CHARACTERS - 3]}..."

"""What a plugin's handler gave back, checked: an MCP tool result that every client can read."""

from collections.abc import Mapping
from inspect import iscoroutine
from typing import Final

from mymcp.contract.strict_json import VALUES_MAX, StrictJSONError, decode_text, encode
from mymcp.contract.tool import ToolOutcome
from mymcp.host.external.judge import Judge
from mymcp.host.external.meta import is_meta_key

RESULT_MAX_BYTES: Final = 4 * 2**20

_ITEMS: Final = {
    "text": ("text",),
    "image": ("data", "mimeType"),
    "audio": ("data", "mimeType"),
    "resource_link": ("uri", "name"),
    "resource": (),
}
"""The texts that each type of content item must have."""


class WrongResult(Exception):
    """A value that is no tool result; the message says in a word why."""


def outcome_of(value: object, answer: Judge | None) -> ToolOutcome:
    """Return the outcome that `value`, what a handler returned, means.

    `answer` judges `structuredContent` of tools that declare an `outputSchema`. A success without
    content gets its structured value as text. Raises `WrongResult`.
    """
    result = _plain(value)
    is_error, structured = result.get("isError", False), result.get("structuredContent")
    if not isinstance(is_error, bool) or not result.keys() <= _MEMBERS:
        raise WrongResult("members")
    if structured is not None and not isinstance(structured, dict):
        raise WrongResult("structured_content")
    if answer is not None and not is_error:
        _check_structured(structured, answer)
    content, body = result.get("content"), None
    if structured is not None and not is_error:
        body = encode(structured)
        content = [{"type": "text", "text": body}] if content is None else content
    if not isinstance(content, list) or not all(map(_is_item, content)):
        raise WrongResult("content")
    meta = result.get("_meta", {})
    if not isinstance(meta, dict) or not all(map(is_meta_key, meta)):
        raise WrongResult("meta")
    shown, extra = encode(content), encode(meta) if meta else None
    return ToolOutcome("", body, is_error=is_error, content=shown, meta=extra)


_MEMBERS: Final = frozenset({"content", "structuredContent", "isError", "_meta"})


def _plain(value: object) -> dict[str, object]:
    """Return `value` as JSON says it, so that nothing of the plugin's own remains in it."""
    if iscoroutine(value):
        value.close()
    if not isinstance(value, Mapping):
        raise WrongResult("type")
    try:
        whole = dict(value)
        if _is_too_large(whole):
            raise WrongResult("size")
        text = encode(whole)
        if len(text.encode()) > RESULT_MAX_BYTES:
            raise WrongResult("size")
        plain = decode_text(text)
    except (TypeError, ValueError, RecursionError, StrictJSONError):
        raise WrongResult("serialisation") from None
    return plain if isinstance(plain, dict) else {}


def _is_too_large(whole: object) -> bool:
    """Tell whether `whole` has too many values or characters, and look no further then.

    Encoding would keep everybody else waiting until it is through: 2 s for three million values.
    """
    values, characters = VALUES_MAX, RESULT_MAX_BYTES
    waiting = [whole]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            characters -= len(one)
        elif isinstance(one, dict | list | tuple):
            values -= len(one)
            if values > 0:
                waiting += [*one, *one.values()] if isinstance(one, dict) else one
        if values <= 0 or characters < 0:
            return True
    return False


def _check_structured(structured: object, answer: Judge) -> None:
    if structured is None:
        raise WrongResult("structured_content")
    if answer.fault(structured) is not None:
        raise WrongResult("output_schema")


def _is_item(item: object) -> bool:
    if not isinstance(item, dict) or not isinstance(item.get("type"), str):
        return False
    texts = _ITEMS.get(item["type"])
    if texts is None or not all(isinstance(item.get(name), str) for name in texts):
        return False
    return item["type"] != "resource" or _is_resource(item.get("resource"))


def _is_resource(value: object) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("uri"), str):
        return False
    return isinstance(value.get("text"), str) or isinstance(value.get("blob"), str)

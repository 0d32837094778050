"""The one terminal log event of a tool call: bounded and free of content."""

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from pydantic import MISSING, BaseModel

from mymcp.contract.rules import Path

_LEVELS = {"internal_error": logging.ERROR, "not_found": logging.INFO}


@dataclass(frozen=True, slots=True)
class LogField:
    """One field of the event. Contract: `contracts/meta/tool.json`, `log`.

    `request` and `result` log the value at `path`, `presence` whether the request has one there,
    `count` how many items the array of the result has. The dialect admits only closed
    vocabularies, integers, booleans and ids (D17).
    """

    name: str
    source: Literal["presence", "request", "result", "count"]
    path: Path


@dataclass(frozen=True, slots=True)
class CallEnd:
    """How one call ended: `request` once the arguments were read, then `result` or `error`.

    `error` is the plain error object, `trouble` a short content-free note on an exception.
    """

    request: BaseModel | None
    result: BaseModel | None = None
    error: Mapping[str, object] | None = None
    trouble: str | None = None


def log_end(name: str, fields: tuple[LogField, ...], end: CallEnd) -> None:
    """Write the terminal event of one call of tool `name`."""
    logger = logging.getLogger(f"mcp.{name}")
    level = _level(end.error)
    if not logger.isEnabledFor(level):
        return
    parts = [("event", name), *_outcome(end)]
    for field in fields:
        value = _value(field, end)
        if value is not None:
            parts.append((field.name, value))
    line = " ".join(f"{key}={value}" for key, value in parts)
    logger.log(level, "%s", f"{line} {end.trouble}" if end.trouble else line)


def _level(error: Mapping[str, object] | None) -> int:
    if error is None:
        return logging.INFO
    return _LEVELS.get(str(error["code"]), logging.WARNING)


def _outcome(end: CallEnd) -> Iterator[tuple[str, str]]:
    if end.error is None:
        # Not getattr: on a model without a status pydantic takes five microseconds to say so.
        members = end.result.__dict__ if end.result is not None else {}
        yield "outcome", str(members.get("status", "ok"))
        return
    yield "outcome", str(end.error["status"])
    for key in ("code", "field", "reason"):
        if key in end.error:
            yield key, str(end.error[key])


def _value(field: LogField, end: CallEnd) -> str | None:
    source = end.request if field.source in {"presence", "request"} else end.result
    if source is None:
        return None
    found = _member(source, field.path)
    if field.source == "presence":
        return _plain(found is not MISSING)
    if field.source == "count":
        return str(len(found)) if isinstance(found, list) else None
    return _plain(found)


def _member(value: object, path: Path) -> object:
    for name in path:
        value = getattr(value, name, MISSING)
    return value


def _plain(value: object) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int | str) else None

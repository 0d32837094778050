"""The one terminal log event of a tool call: bounded and free of content."""

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from mymcp.contract.rules import Path, at

_LEVELS = {"internal_error": logging.ERROR, "not_found": logging.INFO}


@dataclass(frozen=True, slots=True)
class LogField:
    """One field of the event. Contract: `contracts/meta/tool.json`, `log`.

    `presence` logs whether the request has the member at `path`; `request` and `result` log the
    value there. The dialect admits only closed vocabularies, integers, booleans and ids (D19).
    """

    name: str
    source: Literal["presence", "request", "result"]
    path: Path


def log_outcome(
    name: str,
    fields: tuple[LogField, ...],
    *,
    request: object = None,
    answer: Mapping[str, object],
    succeeded: bool,
    trouble: str | None = None,
) -> None:
    """Write the terminal event of one call of tool `name`.

    `request` is the plain request once it was read, `answer` the plain result or error object,
    `trouble` a short content-free note on an unexpected exception.
    """
    logger = logging.getLogger(f"mcp.{name}")
    level = _level(answer, succeeded=succeeded)
    if logger.isEnabledFor(level):
        parts = _parts(name, fields, request, answer, succeeded=succeeded)
        line = " ".join(f"{key}={value}" for key, value in parts)
        logger.log(level, "%s", f"{line} {trouble}" if trouble else line)


def _level(answer: Mapping[str, object], *, succeeded: bool) -> int:
    return logging.INFO if succeeded else _LEVELS.get(str(answer.get("code")), logging.WARNING)


def _parts(
    name: str,
    fields: tuple[LogField, ...],
    request: object,
    answer: Mapping[str, object],
    *,
    succeeded: bool,
) -> Iterator[tuple[str, str]]:
    yield "event", name
    yield "outcome", str(answer["status"]) if "status" in answer else "ok"
    if not succeeded:
        for key in ("code", "field", "reason"):
            if key in answer:
                yield key, str(answer[key])
    for field in fields:
        value = _value(field, request, answer if succeeded else None)
        if value is not None:
            yield field.name, value


def _value(field: LogField, request: object, result: Mapping[str, object] | None) -> str | None:
    source = result if field.source == "result" else request
    if source is None:
        return None
    found = at(source, field.path)
    if field.source == "presence":
        return "true" if isinstance(found, bool | int | str | Mapping | None) else "false"
    if isinstance(found, bool):
        return "true" if found else "false"
    return str(found) if isinstance(found, int | str) else None

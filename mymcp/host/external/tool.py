"""The definition of one external tool, checked and made ready for clients."""

from collections.abc import Mapping
from dataclasses import dataclass
from inspect import iscoroutinefunction
from typing import Final

from mymcp.contract.capability import Effects
from mymcp.contract.strict_json import StrictJSONError, decode_text, encode
from mymcp.host.external.judge import Judge, judge_of
from mymcp.host.external.meta import is_meta_key
from mymcp.host.external.publishing import published_answer, published_arguments
from mymcp.host.external.reference import UnsafeSchemas
from mymcp.plugin.contribution import ActivatedTool
from mymcp.plugin.errors import PluginContractError
from mymcp.schema.headers import parameter_headers
from mymcp.schema.profile import Profile
from mymcp.schema.publication import Loss

TOOL_MAX_BYTES: Final = 65_536

_MEMBERS: Final = {
    "name": object,
    "title": str,
    "description": str,
    "inputSchema": dict,
    "outputSchema": dict,
    "annotations": dict,
    "icons": list,
    "_meta": dict,
}
"""In the order in which they are published."""


@dataclass(frozen=True, slots=True)
class CheckedTool:
    """One tool that may be offered.

    `published` is what clients see; `arguments` and `answer` judge by the author's schemas,
    `answer` is none where there is no `outputSchema`. `losses` tell what the published input
    schema does not say.
    """

    published: Mapping[str, object]
    input_schema: Mapping[str, object]
    arguments: Judge
    answer: Judge | None
    title: str
    losses: tuple[Loss, ...]


def checked(
    tool: ActivatedTool, name: str, profile: Profile, unsafe_schemas: UnsafeSchemas
) -> CheckedTool:
    """Return the definition of `tool` under its public `name`.

    Raises `PluginContractError` with a `ToolCode`.
    """
    _check_handler(tool.handler)
    members = _plain(tool.tool)
    _check_members(members)
    schema, answer = _object(members["inputSchema"]), members.get("outputSchema")
    arguments = _judge(schema, "inputSchema")
    _check_headers(schema)
    published, losses = published_arguments(schema, profile, unsafe_schemas)
    title = members.get("title") or _annotation(members, "title") or tool.capability.local_id
    shown = members | {
        "name": name,
        "title": title,
        "inputSchema": published,
        "annotations": _annotations(tool.effects),
    }
    if answer is not None:
        shown["outputSchema"] = published_answer(_object(answer))
    return CheckedTool(
        published={one: shown[one] for one in _MEMBERS if one in shown},
        input_schema=schema,
        arguments=arguments,
        answer=None if answer is None else _judge(answer, "outputSchema"),
        title=str(title),
        losses=losses,
    )


def _check_handler(handler: object) -> None:
    if iscoroutinefunction(handler) or iscoroutinefunction(getattr(handler, "__call__", None)):  # noqa: B004  to look at it, not to call it
        raise PluginContractError("handler_invalid")


def _plain(definition: Mapping[str, object]) -> dict[str, object]:
    """Return `definition` as JSON says it, so that nothing of the plugin's own remains in it."""
    try:
        text = encode(definition)
        size = len(text.encode())
        value = decode_text(text) if size <= TOOL_MAX_BYTES else None
    except (TypeError, ValueError, RecursionError, StrictJSONError):
        raise PluginContractError("tool_not_serialisable") from None
    if not isinstance(value, dict):
        raise PluginContractError("tool_too_large")
    if not _has_text_keys(definition):
        raise PluginContractError("tool_not_serialisable")
    return value


def _has_text_keys(value: object) -> bool:
    """Tell whether all keys are texts; JSON writes numbers as such, and then they are others."""
    if isinstance(value, Mapping):
        return all(isinstance(key, str) and _has_text_keys(item) for key, item in value.items())
    return not isinstance(value, list | tuple) or all(map(_has_text_keys, value))


def _check_members(members: Mapping[str, object]) -> None:
    for name, value in members.items():
        if name not in _MEMBERS or not isinstance(value, _MEMBERS[name]):
            raise PluginContractError("tool_member_invalid", name if name in _MEMBERS else None)
    if "inputSchema" not in members:
        raise PluginContractError("tool_member_invalid", "inputSchema")
    title = _annotation(members, "title")
    if title is not None and not isinstance(title, str):
        raise PluginContractError("tool_member_invalid", "annotations")
    icons = members.get("icons", [])
    if not isinstance(icons, list) or not all(map(_is_icon, icons)):
        raise PluginContractError("tool_member_invalid", "icons")
    meta = members.get("_meta", {})
    if not isinstance(meta, dict) or not all(map(is_meta_key, meta)):
        raise PluginContractError("tool_member_invalid", "_meta")


def _is_icon(value: object) -> bool:
    source = value.get("src") if isinstance(value, dict) else None
    return isinstance(source, str) and source.startswith(("https://", "data:"))


def _annotation(members: Mapping[str, object], name: str) -> object:
    annotations = members.get("annotations")
    return annotations.get(name) if isinstance(annotations, dict) else None


def _judge(schema: object, member: str) -> Judge:
    if not isinstance(schema, dict) or schema.get("type") != "object":
        raise PluginContractError("tool_schema_root", member)
    return judge_of(schema, member)


def _check_headers(schema: Mapping[str, object]) -> None:
    try:
        parameter_headers(schema)
    except ValueError:
        raise PluginContractError("tool_header_invalid", "inputSchema") from None


def _object(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


def _annotations(effects: Effects) -> dict[str, object]:
    """Return what clients are told about `effects`; what a plugin says there itself counts not."""
    return {
        "readOnlyHint": effects.read_only,
        "destructiveHint": effects.destructive,
        "idempotentHint": effects.idempotent,
        "openWorldHint": effects.open_world,
    }

"""Why the host configuration is not used: one stable code, and one line that says what to do."""

from typing import Literal

from mymcp.configuration.keys import Place

ConfigurationCode = Literal[
    "invalid_location",
    "unsafe_path",
    "not_regular",
    "unsafe_permissions",
    "unreadable",
    "too_large",
    "source_changed",
    "invalid_utf8",
    "invalid_toml",
    "unsupported_schema_version",
    "invalid_schema",
    "duplicate_plugin",
    "duplicate_authentication_adapter_id",
    "duplicate_authentication_adapter_route",
    "authentication_adapter_limit_exceeded",
    "bundled_plugin_conflict",
    "enabled_plugin_unsupported",
]

SUBJECT = "the host configuration"


class HostConfigurationError(ValueError):
    """An operator's mistake in the host configuration, or around its file.

    `code` is stable, `key` the dotted name of our own key at fault, if one is, such as
    `plugins#1.id`. The message is one line: code, place and what must hold there; never a value, a
    path, a key that is not ours or the text of a parser.
    """

    def __init__(self, code: ConfigurationCode, must: str, place: Place = ()) -> None:
        key = shown(place)
        where = f"{key} in {SUBJECT}" if key else SUBJECT
        super().__init__(f"{code}: {where} {must}")
        self.code: ConfigurationCode = code
        self.key = key


def shown(place: Place) -> str | None:
    """Return `place` as a dotted name, items of arrays counted from 1; none for the whole file."""
    parts = (f"#{int(part) + 1}" if part.isdigit() else f".{part}" for part in place)
    return "".join(parts)[1:] or None

"""What plugins, capabilities and versions may be called. Contract: `plugin-v1.json`, `$defs`."""

import re
import unicodedata
from dataclasses import dataclass
from typing import Final, Literal

IDENTITY_MAX_CHARACTERS: Final = 64

RESERVED_PLUGIN_IDS: Final = frozenset({"mnemosyne", "memini"})
"""Ids of bundled plugins; declaring an external one under such an id is a conflict."""

HOST_API: Final = 1
"""The version of this package, as `requires.host_api` of a manifest means it."""

_number = r"(?:0|[1-9][0-9]*)"
_label = r"(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
_plugin_id = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*").fullmatch
_local_id = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*").fullmatch
_version = re.compile(
    rf"{_number}\.{_number}\.{_number}(?:-{_label}(?:\.{_label})*)?"
    r"(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?"
).fullmatch

# Controls, direction marks and other invisible signs, lone surrogates, line and paragraph ends:
# what is shown to a person must be what was written.
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_JOINERS = "\u200c\u200d"
"""Invisible, but letters of several scripts and emoji need them."""


def is_plugin_id(value: object) -> bool:
    """Tell whether `value` is a plugin id: lower-case words joined by hyphens."""
    return _is_short(value) and _plugin_id(str(value)) is not None


def is_local_id(value: object) -> bool:
    """Tell whether `value` may name a capability or a secret: words joined by single underscores.

    So a public name `<plugin-id>__<local-id>` has one meaning.
    """
    return _is_short(value) and _local_id(str(value)) is not None


def is_version(value: object) -> bool:
    """Tell whether `value` is a version. Semantic Versioning 2.0.0."""
    return _is_short(value) and _version(str(value)) is not None


def is_shown_text(value: object, most: int) -> bool:
    """Tell whether `value` is one line for people: 1 to `most` characters, none of them hidden."""
    if not isinstance(value, str) or not 0 < len(value) <= most or not value.strip():
        return False
    return all(
        unicodedata.category(sign) not in _HIDDEN_CATEGORIES or sign in _JOINERS for sign in value
    )


@dataclass(frozen=True, slots=True)
class CapabilityId:
    """The identity of a capability; its public name is the host's matter.

    Raises `ValueError` for a part that does not keep to its grammar.
    """

    plugin_id: str
    local_id: str
    kind: Literal["tool"] = "tool"

    def __post_init__(self) -> None:
        if not is_plugin_id(self.plugin_id):
            raise ValueError("plugin_id must be lower-case words joined by hyphens")
        if not is_local_id(self.local_id):
            raise ValueError("local_id must be lower-case words joined by single underscores")
        if self.kind != "tool":
            raise ValueError("kind must be tool")

    @property
    def public_name(self) -> str:
        """The name under which clients see a tool of an external plugin."""
        return f"{self.plugin_id}__{self.local_id}"


def _is_short(value: object) -> bool:
    return isinstance(value, str) and len(value) <= IDENTITY_MAX_CHARACTERS

"""What the operator decides, read once at start from the environment."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT_VARIABLE = "MNEMOSYNE_MEMORY_ROOT"
GATE_VARIABLES = {
    "remember": "MNEMOSYNE_MEMORY_REMEMBER_ENABLED",
    "archive_restore": "MNEMOSYNE_MEMORY_ARCHIVE_RESTORE_ENABLED",
    "forget": "MNEMOSYNE_MEMORY_FORGET_ENABLED",
    "revise": "MNEMOSYNE_MEMORY_REVISE_ENABLED",
}
_DEFAULT_ROOT = (".mnemosyne", "memory")
_SWITCH = {"true": True, "false": False}
_REMEDIES = {
    "invalid_root": "must be an absolute path; a leading ~ stands for a known user's home",
    "invalid_gate": "must be exactly true or false",
}


class SettingsError(Exception):
    """An operator's mistake. The message names the variable and what to do, never the value."""

    def __init__(self, code: str, variable: str) -> None:
        super().__init__(f"{code}: {variable} {_REMEDIES[code]}")
        self.code = code
        self.variable = variable


@dataclass(frozen=True, slots=True)
class Settings:
    """Where the memory lies and which gates are open (keys of `GATE_VARIABLES`)."""

    root: Path
    open_gates: frozenset[str]


def resolve(environment: Mapping[str, str], home: Path) -> Settings:
    """Return the settings of this process.

    Nothing on the disk is read or made. Raises `SettingsError` with code `invalid_gate` or
    `invalid_root`.
    """
    gates = {name: _gate(environment, variable) for name, variable in GATE_VARIABLES.items()}
    opened = frozenset(name for name, is_open in gates.items() if is_open)
    return Settings(_root(environment.get(ROOT_VARIABLE, ""), home), opened)


def _gate(environment: Mapping[str, str], variable: str) -> bool:
    value = environment.get(variable, "false")
    if value not in _SWITCH:
        raise SettingsError("invalid_gate", variable)
    return _SWITCH[value]


def _root(value: str, home: Path) -> Path:
    root = _expanded(value, home) if value else home.joinpath(*_DEFAULT_ROOT)
    if not root.is_absolute() or "\0" in value:
        raise SettingsError("invalid_root", ROOT_VARIABLE)
    return root


def _expanded(value: str, home: Path) -> Path:
    """Expand `~` with the home given and `~user` with the system's; an unknown user stays."""
    first, slash, rest = value.partition("/")
    if first == "~":
        return home / rest if slash else home
    return Path(os.path.expanduser(value))  # noqa: PTH111  Path.expanduser raises, and uses HOME for ~

"""What the operator decides, read once at start: from the environment, then from one file.

The file is `~/.mnemosyne/config.toml`; its contract is `contracts/config/mnemosyne.json`. Variables
come first and the file counts only for switches that no variable sets.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import MISSING

from mymcp._generated import configuration
from mymcp.contract.faults import Fault
from mymcp.contract.reader import Unreadable
from mymcp.plugins.mnemosyne.memory.store import CANDIDATE_LIMIT
from mymcp.sources import document, file
from mymcp.sources.refusal import SourceCode, SourceError

ROOT_VARIABLE = "MNEMOSYNE_MEMORY_ROOT"
LIMIT_VARIABLE = "MNEMOSYNE_MEMORY_CANDIDATE_LIMIT"
GATE_VARIABLES = {
    "remember": "MNEMOSYNE_MEMORY_REMEMBER_ENABLED",
    "archive_restore": "MNEMOSYNE_MEMORY_ARCHIVE_RESTORE_ENABLED",
    "forget": "MNEMOSYNE_MEMORY_FORGET_ENABLED",
    "revise": "MNEMOSYNE_MEMORY_REVISE_ENABLED",
}
CANDIDATE_LIMITS = range(1_000, 1_000_001)
"""What `LIMIT_VARIABLE` may say."""
FILE_MAX_BYTES = 16_384

SettingsCode = Literal[
    "invalid_gate",
    "invalid_root",
    "invalid_candidate_limit",
    "unsafe_path",
    "unsafe_permissions",
    "not_regular",
    "too_large",
    "unreadable",
    "invalid_toml",
    "invalid_schema",
]

_FOLDER = ".mnemosyne"
_DEFAULT_ROOT = (_FOLDER, "memory")
_FILE = (_FOLDER, "config.toml")
_SHOWN_FILE = "~/.mnemosyne/config.toml"
_SWITCH = {"true": True, "false": False}
_KEYS = {gate: f"{gate}_enabled" for gate in GATE_VARIABLES}
_NUMBER = re.compile(r"[1-9][0-9]{3,6}")
_TABLE = f"must hold the table [memory] and nothing else, in it only {', '.join(_KEYS.values())}"
_REMEDIES: Mapping[SettingsCode, str] = {
    "invalid_root": "must be an absolute path; a leading ~ stands for a known user's home",
    "invalid_gate": "must be exactly true or false",
    "invalid_candidate_limit": "must be a whole number from 1000 to 1000000",
    "unsafe_path": "and its folder must be no links, and left alone while they are read",
    "unsafe_permissions": "and its folder must be yours or root's, and writable by nobody else",
    "not_regular": "must be a regular file",
    "too_large": f"must not have more than {FILE_MAX_BYTES} bytes",
    "unreadable": "must be readable",
    "invalid_toml": "must be TOML in UTF-8, each key once",
    "invalid_schema": _TABLE,
}
_CODES: Mapping[SourceCode, SettingsCode] = {
    "unsafe_path": "unsafe_path",
    "source_changed": "unsafe_path",
    "unsafe_permissions": "unsafe_permissions",
    "not_regular": "not_regular",
    "too_large": "too_large",
    "unreadable": "unreadable",
    "invalid_utf8": "invalid_toml",
    "invalid_toml": "invalid_toml",
}


class SettingsError(Exception):
    """An operator's mistake.

    `code` is stable. The message is one line: `subject`, which is the variable or the place in the
    settings file, and what it must be; never a value, a path or the text of a parser.
    """

    def __init__(self, code: SettingsCode, subject: str, remedy: str | None = None) -> None:
        super().__init__(f"{code}: {subject} {remedy or _REMEDIES[code]}")
        self.code: SettingsCode = code
        self.subject = subject


@dataclass(frozen=True, slots=True)
class Settings:
    """Where the memory lies, which gates are open (keys of `GATE_VARIABLES`), what a scope holds.

    `candidate_limit` is the number of record files that one scope may have.
    """

    root: Path
    open_gates: frozenset[str]
    candidate_limit: int = CANDIDATE_LIMIT


def resolve(environment: Mapping[str, str], home: Path) -> Settings:
    """Return the settings of this process.

    Looks at every variable before it touches the file, and touches it only if a gate is left that
    no variable sets. Nothing on the disk is made or changed. Raises `SettingsError` for the first
    mistake: gates in the order of `GATE_VARIABLES`, root, candidate limit, file.
    """
    said = {gate: _gate(environment, variable) for gate, variable in GATE_VARIABLES.items()}
    root = _root(environment.get(ROOT_VARIABLE, ""), home)
    limit = _limit(environment.get(LIMIT_VARIABLE))
    written = _switches(home.joinpath(*_FILE)) if None in said.values() else {}
    decided = {**written, **{gate: value for gate, value in said.items() if value is not None}}
    return Settings(root, frozenset(gate for gate in decided if decided[gate]), limit)


def _gate(environment: Mapping[str, str], variable: str) -> bool | None:
    value = environment.get(variable)
    if value is None:
        return None
    if value not in _SWITCH:
        raise SettingsError("invalid_gate", variable)
    return _SWITCH[value]


def _limit(value: str | None) -> int:
    if value is None:
        return CANDIDATE_LIMIT
    if not _NUMBER.fullmatch(value) or int(value) not in CANDIDATE_LIMITS:
        raise SettingsError("invalid_candidate_limit", LIMIT_VARIABLE)
    return int(value)


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


def _switches(path: Path) -> Mapping[str, bool]:
    """Return what the file at `path` says of each gate; nothing if there is no file."""
    try:
        data = file.read(path, limit=FILE_MAX_BYTES)
        tables = {} if data is None else document.toml(data)
    except SourceError as error:
        raise SettingsError(_CODES[error.code], _SHOWN_FILE) from None
    if not tables:
        return {}
    try:
        memory = configuration.mnemosyne().read(tables).memory
    except Unreadable as error:
        raise _misfit(error.faults[0]) from None
    found = {gate: getattr(memory, key, MISSING) for gate, key in _KEYS.items()}
    return {gate: value for gate, value in found.items() if value is not MISSING}


def _misfit(fault: Fault) -> SettingsError:
    """Say what does not fit; a key that is not ours is content and not repeated."""
    if fault.kind != "invalid":
        return SettingsError("invalid_schema", _SHOWN_FILE)
    table, *key = fault.path
    remedy = "must be true or false" if key else "must be a table"
    return SettingsError("invalid_schema", f"{'.'.join((table, *key))} in {_SHOWN_FILE}", remedy)

"""What a capability is, told by its contract and nowhere else."""

from dataclasses import dataclass
from typing import Literal

Consent = Literal["none", "per_call"]


@dataclass(frozen=True, slots=True)
class Effects:
    """What a successful call may do. Contract: `contracts/meta/tool.json`, `effects`."""

    read_only: bool
    destructive: bool
    idempotent: bool
    open_world: bool


@dataclass(frozen=True, slots=True)
class Capability:
    """One tool as its contract declares it; `gate` names the operator's switch, if it has one."""

    plugin: str
    name: str
    version: str
    title: str
    effects: Effects
    consent: Consent
    gate: str | None
    digest: str

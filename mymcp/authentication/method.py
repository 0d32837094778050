"""What every method of authentication is to the router: one route, one question, one challenge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, Protocol, get_args, runtime_checkable

if TYPE_CHECKING:
    from mymcp.authentication.evidence import Evidence
    from mymcp.configuration.settings import Route

FailureCode = Literal["ambiguous", "malformed", "no_evidence", "rejected", "unsupported"]
FAILURE_CODES: Final = frozenset(get_args(FailureCode))


class Refused(Exception):
    """Nobody was recognised: by which method, if one was asked, and a class of reasons.

    Never the evidence. A caller is told neither.
    """

    def __init__(self, code: FailureCode, adapter_id: str | None = None) -> None:
        super().__init__(code)
        self.code: FailureCode = code
        self.adapter_id = adapter_id


@runtime_checkable
class Method(Protocol):
    """One configured way to prove who is calling. Immutable, and safe to ask from any thread."""

    @property
    def adapter_id(self) -> str:
        """The id of its declaration in the host configuration."""

    @property
    def route(self) -> Route:
        """Which evidence it judges; no other method of the host judges that."""

    @property
    def challenge(self) -> str | None:
        """The value of `WWW-Authenticate` in a 401, or none for no such header."""

    def subject_of(self, evidence: Evidence) -> str:
        """Return who `evidence` proves is calling: a subject of `mymcp.authentication.principal`.

        Raises `Refused` with a code alone. Whatever else it raises or returns counts as `rejected`.
        """

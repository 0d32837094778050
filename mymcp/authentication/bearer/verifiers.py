"""The verifier file: whose credentials count.

Contract: contracts/credentials/operator-bearer-v1.json. It holds no secret, and yet who may write
it lets in whom he likes; so it is read like every file of the operator, and nobody else may look.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from mymcp._generated.credentials import operator_bearer_v1
from mymcp.authentication.bearer.credential import Credential, decoded, encoded
from mymcp.authentication.principal import is_subject
from mymcp.contract.faults import Fault
from mymcp.contract.reader import Unreadable
from mymcp.sources import document, file
from mymcp.sources.refusal import SourceCode, SourceError

FILE_MAX_BYTES: Final = 16_384
VERIFIERS_MAX: Final = 32
FORMAT_VERSION: Final = 1

VerifierReason = SourceCode | Literal["missing", "invalid_format", "too_many"]

_ADVICE: Final[dict[VerifierReason, str]] = {
    "missing": "is missing; make it with mymcp credential new",
    "unsafe_path": "must lie in a folder that exists, and neither may be a link",
    "not_regular": "must be a regular file",
    "unsafe_permissions": (
        "must be yours or root's with mode 0600, in a folder of yours or root's that nobody else"
        " may write"
    ),
    "unreadable": "and its folder must be accessible",
    "too_large": f"must not have more than {FILE_MAX_BYTES} bytes",
    "source_changed": "must be left alone meanwhile; try again",
    "invalid_utf8": "must be in UTF-8",
    "invalid_json": "must be JSON, each member once, without a byte order mark or deep nesting",
    "invalid_format": "is not as contracts/credentials/operator-bearer-v1.json has it",
    "too_many": f"must not have more than {VERIFIERS_MAX} credentials; revoke one first",
}


class VerifierFileError(Exception):
    """A verifier file that is not used. The message is one line and names no path and no value."""

    def __init__(self, reason: VerifierReason, place: str = "") -> None:
        where = f" at {place}" if place else ""
        super().__init__(f"the verifier file {_ADVICE[reason]}{where}")
        self.reason: VerifierReason = reason


@dataclass(frozen=True, slots=True)
class Verifier:
    """What is kept of one credential: its id, whom it names, 32 bytes of digest."""

    id: str
    subject: str
    digest: bytes = field(repr=False)


def verifier_of(credential: Credential, subject: str) -> Verifier:
    """Return what is kept of `credential`, which names `subject`."""
    return Verifier(credential.id, subject, credential.digest)


def read(path: Path) -> tuple[Verifier, ...]:
    """Return the verifiers in the file at absolute `path`, in its order.

    Raises `VerifierFileError` for the first thing that is wrong: the place, the file, its text, its
    members, ids that stand twice.
    """
    try:
        data = file.read(path, limit=FILE_MAX_BYTES, forbidden=file.OPEN_TO_OTHERS)
    except SourceError as error:
        raise VerifierFileError(error.code) from None
    if data is None:
        raise VerifierFileError("missing")
    return verifiers_in(data)


def verifiers_in(data: bytes) -> tuple[Verifier, ...]:
    """Return the verifiers that the bytes of a file hold. Raises `VerifierFileError`."""
    try:
        held = operator_bearer_v1().read(document.json(data))
    except SourceError as error:
        raise VerifierFileError(error.code) from None
    except Unreadable as error:
        raise VerifierFileError("invalid_format", _place(error.faults)) from None
    found = tuple(Verifier(one.id, one.subject, decoded(one.digest)) for one in held.credentials)
    for place in _misheld(found):
        raise VerifierFileError("invalid_format", place)
    return found


def written(verifiers: Iterable[Verifier]) -> bytes:
    """Return the bytes of a file that holds `verifiers`."""
    held = [
        {"id": one.id, "subject": one.subject, "digest": encoded(one.digest)} for one in verifiers
    ]
    text = json.dumps(
        {"format_version": FORMAT_VERSION, "credentials": held}, ensure_ascii=False, indent=2
    )
    return f"{text}\n".encode()


def _misheld(verifiers: tuple[Verifier, ...]) -> Iterator[str]:
    """Yield the places that fit the contract and are still not right."""
    seen: set[str] = set()
    for position, verifier in enumerate(verifiers, 1):
        if not is_subject(verifier.subject):
            yield f"credentials#{position}.subject"
        if verifier.id in seen:
            yield f"credentials#{position}.id, which stands twice"
        seen.add(verifier.id)


def _place(faults: tuple[Fault, ...]) -> str:
    """Return where the first fault is; of a member that is not ours, what it stands in."""
    if not faults or not faults[0].path:
        return ""
    first = faults[0]
    path = first.path[:-1] if first.kind == "unknown" else first.path
    return "".join(f"#{int(part) + 1}" if part.isdigit() else f".{part}" for part in path)[1:]

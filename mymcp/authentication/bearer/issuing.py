"""Adding credentials to a verifier file, and taking them away. What is not touched stays."""

from collections.abc import Callable
from pathlib import Path

from mymcp.authentication.bearer.credential import Credential, issued
from mymcp.authentication.bearer.verifiers import (
    FILE_MAX_BYTES,
    VERIFIERS_MAX,
    Verifier,
    VerifierFileError,
    verifier_of,
    verifiers_in,
    written,
)
from mymcp.sources import replacement
from mymcp.sources.refusal import SourceError


def add(path: Path, subject: str, random: Callable[[int], bytes]) -> Credential:
    """Issue a credential that names `subject`, and have the file at `path` accept it.

    The file is made if it is missing; its folder is not. The credential exists nowhere but in what
    is returned. Raises `VerifierFileError`; then nothing was issued.
    """
    credential = issued(random)

    def added(held: tuple[Verifier, ...]) -> tuple[Verifier, ...]:
        if len(held) >= VERIFIERS_MAX:
            raise VerifierFileError("too_many")
        return (*held, verifier_of(credential, subject))

    _change(path, added, may_be_missing=True)
    return credential


def remove(path: Path, credential_id: str) -> Verifier | None:
    """Have the file at `path` no longer accept the credential of this id.

    Returns what it held; none if it held no such id. Raises `VerifierFileError`; then nothing was
    changed.
    """
    found: list[Verifier] = []

    def without(held: tuple[Verifier, ...]) -> tuple[Verifier, ...] | None:
        found.extend(one for one in held if one.id == credential_id)
        return tuple(one for one in held if one.id != credential_id) if found else None

    _change(path, without, may_be_missing=False)
    return found[0] if found else None


def _change(
    path: Path,
    change: Callable[[tuple[Verifier, ...]], tuple[Verifier, ...] | None],
    *,
    may_be_missing: bool,
) -> None:
    def content(old: bytes | None) -> bytes | None:
        if old is None and not may_be_missing:
            raise VerifierFileError("missing")
        changed = change(() if old is None else verifiers_in(old))
        return None if changed is None else written(changed)

    try:
        replacement.replace(path, content, limit=FILE_MAX_BYTES)
    except SourceError as error:
        raise VerifierFileError(error.code) from None

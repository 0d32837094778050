import json
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import pytest

from mymcp.authentication.bearer.issuing import add, remove
from mymcp.authentication.bearer.method import operator_bearer
from mymcp.authentication.bearer.verifiers import (
    FILE_MAX_BYTES,
    VERIFIERS_MAX,
    Verifier,
    VerifierFileError,
    read,
    written,
)
from mymcp.authentication.method import Refused
from tests.authentication.bearer.known import ID, VERIFIER
from tests.authentication.showing import evidence


@pytest.fixture
def place(tmp_path: Path) -> Path:
    tmp_path.chmod(0o700)
    return tmp_path / "verifiers.json"


def keep(path: Path, *verifiers: Verifier, mode: int = 0o600) -> None:
    path.write_bytes(written(verifiers))
    path.chmod(mode)


def subject_by(path: Path, text: str) -> str:
    return operator_bearer("local", read(path)).subject_of(evidence(text.encode()))


def test_a_credential_counts_from_its_issue_to_its_revocation(place: Path) -> None:
    credential = add(place, "laptop", os.urandom)
    assert subject_by(place, credential.text) == "laptop"
    assert remove(place, credential.id) == Verifier(credential.id, "laptop", credential.digest)
    with pytest.raises(Refused, match=r"^rejected$"):
        subject_by(place, credential.text)
    assert read(place) == ()


def test_old_and_new_credential_of_one_subject_overlap(place: Path) -> None:
    old, new = add(place, "laptop", os.urandom), add(place, "laptop", os.urandom)
    assert subject_by(place, old.text) == subject_by(place, new.text) == "laptop"
    remove(place, old.id)
    assert subject_by(place, new.text) == "laptop"


def test_the_file_holds_no_secret_and_is_its_owners_alone(place: Path) -> None:
    before = os.umask(0)
    try:
        credential = add(place, "laptop", os.urandom)
    finally:
        os.umask(before)
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    text = place.read_text("utf-8")
    assert credential.text.rpartition(".")[2] not in text
    assert list(json.loads(text)["credentials"][0]) == ["id", "subject", "digest"]


def test_what_is_not_touched_stays_in_its_order(place: Path) -> None:
    held = [VERIFIER, *(Verifier(f"{n:032x}", f" s{n} ", bytes([n] * 32)) for n in range(5))]
    keep(place, *held)
    credential = add(place, "new", os.urandom)
    assert read(place)[:-1] == tuple(held)
    remove(place, held[2].id)
    assert read(place)[:-1] == (*held[:2], *held[3:])
    assert read(place)[-1].id == credential.id
    assert [path.name for path in place.parent.iterdir()] == [place.name]


def test_revoking_what_is_not_there_changes_nothing(place: Path) -> None:
    keep(place, VERIFIER)
    place.write_bytes(place.read_bytes().replace(b"\n", b" "))
    before = place.read_bytes(), place.stat()
    assert remove(place, "f" * 32) is None
    assert (place.read_bytes(), place.stat()) == before


def test_a_full_file_takes_no_more(place: Path) -> None:
    keep(place, *(Verifier(f"{n:032x}", "a", bytes(32)) for n in range(VERIFIERS_MAX)))
    before = place.read_bytes()
    with pytest.raises(VerifierFileError) as caught:
        add(place, "laptop", os.urandom)
    assert caught.value.reason == "too_many"
    assert place.read_bytes() == before


def test_a_file_never_grows_beyond_what_is_read(place: Path) -> None:
    def fill() -> None:
        for _ in range(VERIFIERS_MAX):
            add(place, "\U0001f600" * 256, os.urandom)

    with pytest.raises(VerifierFileError) as caught:
        fill()
    assert caught.value.reason == "too_large"
    assert place.stat().st_size <= FILE_MAX_BYTES
    assert len(read(place)) > 10
    assert [path.name for path in place.parent.iterdir()] == [place.name]


@pytest.mark.parametrize(
    ("data", "reason"),
    [(b"", "invalid_json"), (b"{}", "invalid_format"), (b"\xff", "invalid_utf8")],
)
def test_a_file_that_would_not_be_read_is_not_replaced(
    place: Path, data: bytes, reason: str
) -> None:
    place.write_bytes(data)
    place.chmod(0o600)
    for change in (lambda: add(place, "laptop", os.urandom), lambda: remove(place, ID)):
        with pytest.raises(VerifierFileError) as caught:
            change()
        assert caught.value.reason == reason
    assert place.read_bytes() == data


def test_a_file_open_to_others_is_not_mended_in_silence(place: Path) -> None:
    keep(place, VERIFIER, mode=0o644)
    with pytest.raises(VerifierFileError) as caught:
        add(place, "laptop", os.urandom)
    assert caught.value.reason == "unsafe_permissions"
    assert stat.S_IMODE(place.stat().st_mode) == 0o644


def test_nothing_is_revoked_in_a_file_that_is_not_there(place: Path) -> None:
    with pytest.raises(VerifierFileError) as caught:
        remove(place, ID)
    assert caught.value.reason == "missing"
    assert not place.exists()


def test_no_credential_of_many_issued_at_once_is_lost(place: Path) -> None:
    with ThreadPoolExecutor(8) as threads:
        issued = list(threads.map(lambda n: add(place, f"s{n}", os.urandom), range(VERIFIERS_MAX)))
    numbers = count()
    assert {subject_by(place, one.text) for one in issued} == {
        f"s{next(numbers)}" for _ in range(VERIFIERS_MAX)
    }

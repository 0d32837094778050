import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest

from mymcp.authentication.bearer.verifiers import (
    FILE_MAX_BYTES,
    VERIFIERS_MAX,
    Verifier,
    VerifierFileError,
    read,
    verifiers_in,
    written,
)
from mymcp.sources.refusal import SourceCode
from tests.authentication.bearer.known import DIGEST_TEXT, ID, VERIFIER
from tests.authentication.showing import everything_told


def record(**changes: object) -> dict[str, object]:
    return {"id": ID, "subject": "laptop", "digest": DIGEST_TEXT} | changes


def document(*records: object, **changes: object) -> dict[str, object]:
    return {"format_version": 1, "credentials": list(records)} | changes


def without(name: str, value: dict[str, object]) -> dict[str, object]:
    return {key: held for key, held in value.items() if key != name}


def as_bytes(value: object) -> bytes:
    return json.dumps(value).encode()


MISHELD: list[tuple[object, str]] = [
    ([], ""),
    (None, ""),
    ("x", ""),
    (1, ""),
    ({}, "format_version"),
    (without("format_version", document()), "format_version"),
    (without("credentials", document()), "credentials"),
    (document(format_version=True), "format_version"),
    (document(format_version=False), "format_version"),
    (document(format_version=0), "format_version"),
    (document(format_version=2), "format_version"),
    (document(format_version=1.0), "format_version"),
    (document(format_version="1"), "format_version"),
    (document(format_version=None), "format_version"),
    (document(credentials={}), "credentials"),
    (document(credentials=None), "credentials"),
    (document(credentials="x"), "credentials"),
    (document(credentials=1), "credentials"),
    (document(revoked=[]), ""),
    (document(Format_version=1), ""),
    (document(None), "credentials#1"),
    (document([]), "credentials#1"),
    (document("x"), "credentials#1"),
    (document({}), "credentials#1.id"),
    (document(record(secret="x")), "credentials#1"),
    (document(record(revoked=True)), "credentials#1"),
    (document(record(expires=None)), "credentials#1"),
    (document(without("id", record())), "credentials#1.id"),
    (document(without("subject", record())), "credentials#1.subject"),
    (document(without("digest", record())), "credentials#1.digest"),
    (document(record(), record(id="")), "credentials#2.id"),
    (document(record(id=ID[:-1])), "credentials#1.id"),
    (document(record(id=f"{ID}0")), "credentials#1.id"),
    (document(record(id=ID.upper())), "credentials#1.id"),
    (document(record(id=f"{ID[:-1]}g")), "credentials#1.id"),
    (document(record(id=f"{ID}\n")), "credentials#1.id"),
    (document(record(id=f" {ID[1:]}")), "credentials#1.id"),
    (document(record(id=f"{ID[:-1]}\u0665")), "credentials#1.id"),
    (document(record(id=0)), "credentials#1.id"),
    (document(record(id=None)), "credentials#1.id"),
    (document(record(subject="")), "credentials#1.subject"),
    (document(record(subject=" ")), "credentials#1.subject"),
    (document(record(subject="\u3000")), "credentials#1.subject"),
    (document(record(subject="a\nb")), "credentials#1.subject"),
    (document(record(subject="a\x00")), "credentials#1.subject"),
    (document(record(subject="a\u202eb")), "credentials#1.subject"),
    (document(record(subject="e\u0301")), "credentials#1.subject"),
    (document(record(subject="\ud800")), "credentials#1.subject"),
    (document(record(subject="a" * 257)), "credentials#1.subject"),
    (document(record(subject=1)), "credentials#1.subject"),
    (document(record(subject=None)), "credentials#1.subject"),
    (document(record(subject=["a"])), "credentials#1.subject"),
    (document(record(digest="")), "credentials#1.digest"),
    (document(record(digest=DIGEST_TEXT[:-1])), "credentials#1.digest"),
    (document(record(digest=f"{DIGEST_TEXT}=")), "credentials#1.digest"),
    (document(record(digest=f"{DIGEST_TEXT}A")), "credentials#1.digest"),
    (document(record(digest=f"{DIGEST_TEXT[:-1]}N")), "credentials#1.digest"),
    (document(record(digest=f"{DIGEST_TEXT[:-1]}\n")), "credentials#1.digest"),
    (document(record(digest=DIGEST_TEXT.replace("_", "/"))), "credentials#1.digest"),
    (document(record(digest=DIGEST_TEXT.replace("-", "+"))), "credentials#1.digest"),
    (document(record(digest="0" * 64)), "credentials#1.digest"),
    (document(record(digest=0)), "credentials#1.digest"),
    (document(record(digest=None)), "credentials#1.digest"),
    (document(record(), record()), "credentials#2.id, which stands twice"),
    (document(record(), record(subject="other")), "credentials#2.id, which stands twice"),
    (document(*[record(id=f"{n:032x}") for n in range(33)]), "credentials"),
]
UNREADABLE = [
    (b"", "invalid_json"),
    (b" ", "invalid_json"),
    (b"{", "invalid_json"),
    (b"{}x", "invalid_json"),
    (b"{'format_version':1}", "invalid_json"),
    (b"// x\n{}", "invalid_json"),
    (b"\xef\xbb\xbf" + as_bytes(document()), "invalid_json"),
    (b'{"format_version":1,"format_version":1,"credentials":[]}', "invalid_json"),
    (b'{"format_version":1,"credentials":[],"credentials":[]}', "invalid_json"),
    (as_bytes(document(record())).replace(b'"id"', b'"id":"x","id"'), "invalid_json"),
    (b'{"format_version":NaN,"credentials":[]}', "invalid_json"),
    (b'{"format_version":1e999,"credentials":[]}', "invalid_json"),
    (b'{"format_version":' + b"1" * 5_000 + b',"credentials":[]}', "invalid_json"),
    (b"[" * 8_000 + b"]" * 8_000, "invalid_json"),
    (b"[" * 100_000, "invalid_json"),
    (b"\xff", "invalid_utf8"),
    (as_bytes(document()) + b"\x80", "invalid_utf8"),
    (as_bytes(document(record())).decode().encode("utf-16-le"), "invalid_json"),
    ("\ufeff{}".encode("utf-16"), "invalid_utf8"),
    (b'{"format_version":1,"credentials":[{"subject":"\xe9"}]}', "invalid_utf8"),
]


@pytest.mark.parametrize(("value", "place"), MISHELD)
def test_what_does_not_fit_the_contract_is_told_by_its_place(value: object, place: str) -> None:
    with pytest.raises(VerifierFileError) as caught:
        verifiers_in(as_bytes(value))
    assert caught.value.reason == "invalid_format"
    assert str(caught.value).endswith(f" at {place}" if place else "operator-bearer-v1.json has it")


@pytest.mark.parametrize(("data", "reason"), UNREADABLE)
def test_what_is_no_strict_json_is_told_by_a_word(data: bytes, reason: str) -> None:
    with pytest.raises(VerifierFileError) as caught:
        verifiers_in(data)
    assert caught.value.reason == reason


@pytest.mark.parametrize("data", [*(as_bytes(value) for value, _ in MISHELD), *dict(UNREADABLE)])
def test_no_refusal_tells_what_stood_there(data: bytes) -> None:
    with pytest.raises(VerifierFileError) as caught:
        verifiers_in(data)
    told = everything_told(caught.value)
    for secret in (ID[:-1], DIGEST_TEXT[:-1], "laptop", "secret", "revoked", "expires"):
        assert secret not in told
    assert "\n" not in str(caught.value)


def test_a_file_is_read_in_its_order() -> None:
    records = [record(), record(id="f" * 32), record(id="0" * 32, subject=" Käthe ")]
    assert [(one.id, one.subject) for one in verifiers_in(as_bytes(document(*records)))] == [
        (ID, "laptop"),
        ("f" * 32, "laptop"),
        ("0" * 32, " Käthe "),
    ]
    assert verifiers_in(as_bytes(document(record()))) == (VERIFIER,)
    assert verifiers_in(as_bytes(document())) == ()
    full = document(*[record(id=f"{n:032x}") for n in range(VERIFIERS_MAX)])
    assert len(verifiers_in(as_bytes(full))) == VERIFIERS_MAX


def test_what_is_written_is_read_again() -> None:
    for held in ((), (VERIFIER,), (VERIFIER, Verifier("f" * 32, "太郎", bytes(32)))):
        assert verifiers_in(written(held)) == held
    assert "太郎".encode() in written([Verifier(ID, "太郎", bytes(32))])


def test_a_digest_is_in_no_representation() -> None:
    assert repr(VERIFIER) == f"Verifier(id={ID!r}, subject='laptop')"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    folder = tmp_path / "folder"
    folder.mkdir(mode=0o700)
    path = folder / "verifiers.json"
    path.write_bytes(written([VERIFIER]))
    path.chmod(0o600)
    return path


def grow(path: Path, size: int) -> None:
    data = path.read_bytes()
    path.write_bytes(data + b" " * (size - len(data)))


def move_aside(path: Path) -> Path:
    return path.rename(path.with_name("aside"))


BROKEN: list[tuple[str, Callable[[Path], object]]] = [
    ("missing", lambda path: path.unlink()),
    ("missing", lambda path: (path.unlink(), path.parent.rmdir())),
    ("unsafe_path", lambda path: path.symlink_to(move_aside(path))),
    ("unsafe_path", lambda path: path.symlink_to("nowhere") if move_aside(path) else None),
    ("unsafe_path", lambda path: path.parent.symlink_to(move_aside(path.parent))),
    ("not_regular", lambda path: (path.unlink(), path.mkdir())),
    ("too_large", lambda path: grow(path, FILE_MAX_BYTES + 1)),
    ("invalid_json", lambda path: path.write_bytes(b"")),
    *[
        ("unsafe_permissions", lambda path, mode=mode: path.chmod(mode))
        for mode in (0o640, 0o604, 0o620, 0o602, 0o610, 0o601, 0o666, 0o777, 0o700 | 0o004)
    ],
    *[
        ("unsafe_permissions", lambda path, mode=mode: path.parent.chmod(mode))
        for mode in (0o720, 0o702, 0o770, 0o777)
    ],
]


@pytest.mark.parametrize(("reason", "spoil"), BROKEN)
def test_a_file_that_others_could_have_written_or_read_is_not_used(
    place: Path, reason: str, spoil: Callable[[Path], Any]
) -> None:
    spoil(place)
    with pytest.raises(VerifierFileError) as caught:
        read(place)
    assert caught.value.reason == reason
    assert str(place.parent) not in everything_told(caught.value).replace(__file__, "")


@pytest.mark.parametrize("path", [Path("verifiers.json"), Path(), Path("/a\0b"), Path("/\ud800")])
def test_a_place_that_is_none_is_not_used(path: Path) -> None:
    with pytest.raises(VerifierFileError) as caught:
        read(path)
    assert caught.value.reason == "unsafe_path"


@pytest.mark.parametrize(("file", "folder"), [(0o600, 0o700), (0o400, 0o500), (0o700, 0o755)])
def test_a_file_of_its_operator_is_used(place: Path, file: int, folder: int) -> None:
    grow(place, FILE_MAX_BYTES)
    place.chmod(file)
    place.parent.chmod(folder)
    assert read(place) == (VERIFIER,)


def test_every_reason_says_what_to_do() -> None:
    for reason in (*get_args(SourceCode), "missing", "invalid_format", "too_many"):
        if reason != "invalid_toml":
            assert str(VerifierFileError(reason)).startswith("the verifier file ")

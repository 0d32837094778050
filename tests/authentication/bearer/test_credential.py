import os
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mymcp.authentication.bearer.credential import (
    Credential,
    credential_in,
    encoded,
    is_credential_id,
    issued,
)
from tests.authentication.bearer.known import (
    CREDENTIAL,
    DIGEST_TEXT,
    ID,
    SECRET,
    SECRET_TEXT,
    TEXT,
)

ALPHABET = string.ascii_letters + string.digits + "-_"
OTHERS = [
    "",
    "mymcp1",
    "mymcp1.",
    "mymcp1..",
    "mymcp1." + ID,
    f"mymcp1.{ID}.",
    f"mymcp1..{SECRET_TEXT}",
    f".{ID}.{SECRET_TEXT}",
    f"{ID}.{SECRET_TEXT}",
    f"mymcp.{ID}.{SECRET_TEXT}",
    f"mymcp2.{ID}.{SECRET_TEXT}",
    f"mymcp11.{ID}.{SECRET_TEXT}",
    f"MYMCP1.{ID}.{SECRET_TEXT}",
    f"Mymcp1.{ID}.{SECRET_TEXT}",
    f"mymcp1-{ID}.{SECRET_TEXT}",
    f"mymcp1x{ID}.{SECRET_TEXT}",
    f"mymcp1.{ID}x{SECRET_TEXT}",
    f"mymcp1.{ID}{SECRET_TEXT}",
    f"mymcp1:{ID}:{SECRET_TEXT}",
    f"mymcp1.{ID[:-1]}.{SECRET_TEXT}",
    f"mymcp1.{ID}0.{SECRET_TEXT}",
    f"mymcp1.{ID.upper()}.{SECRET_TEXT}",
    f"mymcp1.{ID[:-1]}F.{SECRET_TEXT}",
    f"mymcp1.{ID[:-1]}g.{SECRET_TEXT}",
    f"mymcp1.{ID[:-1]}-.{SECRET_TEXT}",
    f"mymcp1.{ID[:-1]} .{SECRET_TEXT}",
    f"mymcp1.{ID[:-2]}.{SECRET_TEXT}xx",
    f"mymcp1.{ID}.{SECRET_TEXT[:-1]}",
    f"mymcp1.{ID}.{SECRET_TEXT}E",
    f"mymcp1.{ID}.{SECRET_TEXT}=",
    f"mymcp1.{ID}.{SECRET_TEXT[:-1]}=",
    f"mymcp1.{ID}.{SECRET_TEXT}.",
    f"mymcp1.{ID}.{SECRET_TEXT}.x",
    f"mymcp1.{ID}.{SECRET_TEXT[1:]}/",
    f"mymcp1.{ID}.{SECRET_TEXT[1:]}+",
    f"mymcp1.{ID}.+{SECRET_TEXT[1:]}",
    f"mymcp1.{ID}./{SECRET_TEXT[1:]}",
    f"mymcp1.{ID}. {SECRET_TEXT[1:]}",
    f"mymcp1.{ID}.\t{SECRET_TEXT[1:]}",
    f" {TEXT}",
    f"{TEXT} ",
    f"\t{TEXT}",
    f"{TEXT}\n",
    f"{TEXT}\r\n",
    f"\n{TEXT}",
    f"{TEXT}\x00",
    f"\x00{TEXT}",
    f'"{TEXT}"',
    f"{TEXT},{TEXT}",
    f"{TEXT}{TEXT}",
    f"Bearer {TEXT}",
    f"\ufeff{TEXT}",
    f"mymcp1.{ID}.{SECRET_TEXT[:-1]}\uff25",
    f"mymcp1.{ID[:-1]}\u0665.{SECRET_TEXT}",
    f"\uff4dymcp1.{ID}.{SECRET_TEXT}",
    f"mymcp1\u3002{ID}.{SECRET_TEXT}",
    "eyJhbGciOiJSUzI1NiJ9.e30.c2ln",
    "x" * 8192,
]


def test_the_text_and_the_digest_are_as_documented() -> None:
    assert CREDENTIAL.text == TEXT
    assert encoded(CREDENTIAL.digest) == DIGEST_TEXT
    assert credential_in(TEXT.encode()) == CREDENTIAL


@pytest.mark.parametrize("text", OTHERS, ids=ascii)
def test_what_is_not_written_exactly_so_is_no_credential(text: str) -> None:
    assert credential_in(text.encode()) is None


@pytest.mark.parametrize("last", [sign for sign in ALPHABET if sign != SECRET_TEXT[-1]])
def test_no_other_last_character_is_read_as_the_same_secret(last: str) -> None:
    found = credential_in(f"mymcp1.{ID}.{SECRET_TEXT[:-1]}{last}".encode())
    assert found is None or found.secret != SECRET


@pytest.mark.parametrize("byte", [0x80, 0xC3, 0xFF, 0x00, 0x0A, 0x20])
def test_a_byte_that_is_no_letter_of_it_breaks_it_anywhere(byte: int) -> None:
    for place in range(len(TEXT)):
        data = bytearray(TEXT.encode())
        data[place] = byte
        assert credential_in(bytes(data)) is None


def test_a_credential_shows_its_id_and_no_secret() -> None:
    shown = f"{CREDENTIAL!r} {CREDENTIAL}"
    assert ID in shown
    for secret in (SECRET_TEXT, repr(SECRET), DIGEST_TEXT):
        assert secret not in shown


@given(st.binary(min_size=16, max_size=16), st.binary(min_size=32, max_size=32))
def test_every_credential_is_read_as_it_was_written(name: bytes, secret: bytes) -> None:
    parts = {16: name, 32: secret}
    credential = issued(lambda count: parts[count])
    assert credential == Credential(name.hex(), secret)
    assert credential_in(credential.text.encode()) == credential
    assert is_credential_id(credential.id)


@given(st.binary(max_size=120) | st.from_regex(rb"mymcp1\.[0-9a-f]{30,34}\.[\w-]{40,45}\n?"))
def test_whatever_is_read_is_written_the_same(payload: bytes) -> None:
    found = credential_in(payload)
    assert found is None or found.text.encode() == payload


def test_credentials_differ() -> None:
    texts = {issued(os.urandom).text for _ in range(1_000)}
    assert len(texts) == 1_000


@pytest.mark.parametrize("text", ["", ID[:-1], f"{ID}0", ID.upper(), f"{ID}\n", f" {ID}", TEXT])
def test_an_id_is_32_hex_digits(text: str) -> None:
    assert not is_credential_id(text)

import hmac
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mymcp.plugins.mnemosyne.memory.cursor import (
    CURSOR_MAX_CHARACTERS,
    KEY_BYTES,
    MARKER_BYTES,
    Cursor,
    CursorSeal,
)
from mymcp.plugins.mnemosyne.memory.faults import InvalidCursor, StaleCursor

SEAL = CursorSeal.made_of(bytes(range(KEY_BYTES + MARKER_BYTES)))
OTHER = CursorSeal.made_of(bytes(range(1, KEY_BYTES + MARKER_BYTES + 1)))
CURSOR = Cursor(offset=50, size=50, selector="ab" * 32, snapshot="cd" * 32)
DIGEST = st.binary(min_size=32, max_size=32).map(bytes.hex)


def encoded(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def forged(payload: bytes, seal: CursorSeal = SEAL) -> str:
    """Sign any payload with the key of `seal`, as nobody outside the process can."""
    mac = hmac.digest(seal.key, b"mnemosyne cursor v1\n" + payload, "sha256")
    return f"{encoded(payload)}.{encoded(mac)}"


def payload(**changes: object) -> bytes:
    members = json.loads(urlsafe_b64decode(SEAL.close(CURSOR).split(".")[0] + "==")) | changes
    members = {name: value for name, value in members.items() if value is not None}
    return json.dumps(members, sort_keys=True, separators=(",", ":")).encode()


@given(st.integers(1, 100), st.integers(1, 10_000), DIGEST, DIGEST)
def test_an_opened_cursor_is_the_closed_one(
    size: int, pages: int, selector: str, snapshot: str
) -> None:
    cursor = Cursor(size * pages, size, selector, snapshot)
    assert SEAL.open(SEAL.close(cursor)) == cursor


def test_a_cursor_is_canonical_json_of_six_members_and_a_mac() -> None:
    first, _, second = SEAL.close(CURSOR).partition(".")
    members = json.loads(urlsafe_b64decode(first + "=="))
    assert list(members) == ["d", "o", "p", "s", "v", "z"]
    assert len(urlsafe_b64decode(second + "==")) == 32
    assert len(SEAL.close(CURSOR)) <= 320


@given(st.data())
def test_no_changed_character_goes_unseen(data: st.DataObject) -> None:
    text = SEAL.close(CURSOR)
    place = data.draw(st.integers(0, len(text) - 1))
    other = data.draw(st.characters(codec="ascii").filter(lambda c: c != text[place]))
    with pytest.raises((InvalidCursor, StaleCursor)):
        SEAL.open(text[:place] + other + text[place + 1 :])


@given(st.text(max_size=400))
def test_any_text_is_refused_and_never_fails(text: str) -> None:
    with pytest.raises(InvalidCursor):
        SEAL.open(text)


def test_a_cursor_of_another_process_is_stale() -> None:
    with pytest.raises(StaleCursor):
        SEAL.open(OTHER.close(CURSOR))


GENUINE = SEAL.close(CURSOR)


@pytest.mark.parametrize(
    "text",
    [
        "",
        ".",
        "a.",
        ".a",
        "a",
        GENUINE + "=",
        GENUINE + ".",
        GENUINE + "A",
        GENUINE[:-1],
        " " + GENUINE,
        GENUINE + "\n",
        GENUINE.replace(".", ""),
        GENUINE.split(".")[0],
        GENUINE.split(".")[1],
        GENUINE.split(".")[0] + ".",
        GENUINE.split(".")[0] + "." + encoded(bytes(32)),
        GENUINE.split(".")[0] + "." + encoded(bytes(31)),
        GENUINE.replace("e", "é", 1),
        "\ud800." + GENUINE,
        GENUINE + "A" * (CURSOR_MAX_CHARACTERS + 1),
        encoded(b"[" * 2_900) + "." + encoded(bytes(32)),
        encoded(b'{"a":' * 700) + "." + encoded(bytes(32)),
    ],
)  # fmt: skip
def test_malformed_and_tampered_text_is_invalid(text: str) -> None:
    with pytest.raises(InvalidCursor):
        SEAL.open(text)


@pytest.mark.parametrize(
    "forgery",
    [
        b"[" * 2_900,
        b"null",
        b"",
        payload() + b" ",
        payload(v=2),
        payload(v=True),
        payload(v=None),
        payload(x=1),
        payload(o=0),
        payload(o=51),
        payload(o=-50),
        payload(o=50.0),
        payload(o="50"),
        payload(z=0),
        payload(z=101),
        payload(s="zz" * 32),
        payload(d="cd" * 31),
        payload(d="CD" * 32),
        payload().replace(b'"v":1', b'"v":1,"v":1'),
        payload().replace(b",", b", "),
    ],
)
def test_not_even_the_key_makes_another_payload_valid(forgery: bytes) -> None:
    with pytest.raises(InvalidCursor):
        SEAL.open(forged(forgery))


def test_a_changed_offset_of_this_process_is_invalid_not_stale() -> None:
    first, _, second = GENUINE.partition(".")
    assert encoded(payload()) == first
    with pytest.raises(InvalidCursor):
        SEAL.open(f"{encoded(payload(o=100))}.{second}")


def test_a_seal_needs_all_its_random_bytes() -> None:
    with pytest.raises(ValueError, match="48 random bytes"):
        CursorSeal.made_of(b"short")


def test_digests_of_different_purposes_differ() -> None:
    assert SEAL.digest("selector", [b"x"]) != SEAL.digest("snapshot", [b"x"])
    assert SEAL.digest("selector", [b"x"]) != OTHER.digest("selector", [b"x"])

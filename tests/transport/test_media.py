import pytest

from mymcp.transport.media import accepts, is_json, is_plain


@pytest.mark.parametrize(
    ("values", "taken"),
    [
        ((), True),
        ((b"*/*",), True),
        ((b"text/*",), True),
        ((b"TEXT/Event-Stream",), True),
        ((b"application/json, text/event-stream;q=0.5",), True),
        ((b"application/json", b"text/event-stream"), True),
        ((b"application/json",), False),
        ((b"",), True),
        ((b"", b" , "), True),
        ((b"text/event-stream;q=0",), False),
        ((b"text/event-stream; q=0.000, */*",), False),
        ((b"*/*;q=0, text/event-stream",), True),
        ((b"text/*;q=0, */*",), False),
        ((b"application/json;;,, text/html",), False),
    ],
)
def test_the_most_specific_range_decides(values: tuple[bytes, ...], *, taken: bool) -> None:
    assert accepts(values, b"text/event-stream") is taken


@pytest.mark.parametrize(
    ("value", "read"),
    [
        (b"application/json", True),
        (b" application/json ;charset = utf-8", True),
        (b"application/json;charset=utf-8;charset=utf-16", False),
        (b"application/json;charset=UTF8", True),
        (b"application/json;charset=", False),
        (b"application/jsonx", False),
        (b";", False),
    ],
)
def test_a_charset_must_be_utf8(value: bytes, *, read: bool) -> None:
    assert is_json((value,)) is read


@pytest.mark.parametrize(
    ("values", "plain"),
    [
        ((), True),
        ((b"",), True),
        ((b" Identity ",), True),
        ((b"gzip",), False),
        ((b"identity", b"br"), False),
        ((b"identity, gzip",), False),
    ],
)
def test_only_a_body_that_is_not_encoded_is_plain(
    values: tuple[bytes, ...], *, plain: bool
) -> None:
    assert is_plain(values) is plain

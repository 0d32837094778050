"""How strictly what others wrote is read: JSON objects, and short names in them."""

from typing import TypeGuard

from mymcp.contract.strict_json import StrictJSONError, decode


def object_in(data: bytes) -> dict[str, object] | None:
    """Return the JSON object that `data` holds, read strictly; none if it holds none.

    No exception is passed on: those of a parser show what it read.
    """
    try:
        value = decode(data)
    except StrictJSONError:
        return None
    return value if isinstance(value, dict) else None


def is_name(value: object, most: int) -> TypeGuard[str]:
    """Tell whether `value` is a text of 1 to `most` printable ASCII characters, not only spaces."""
    return (
        isinstance(value, str)
        and 0 < len(value) <= most
        and value.isascii()
        and value.isprintable()
        and not value.isspace()
    )

"""Media types in headers: what a body is, and what a caller takes. RFC 9110, 8.3 and 12.5.1."""

from mymcp.transport.memo import Values, remembered


@remembered
def is_json(values: Values) -> bool:
    """Tell whether the `Content-Type` values are one, and `application/json` in UTF-8."""
    if len(values) != 1:
        return False
    media, *parameters = values[0].lower().split(b";")
    if media.strip() != b"application/json":
        return False
    charsets = [
        value.strip().strip(b'"')
        for name, _, value in (one.partition(b"=") for one in parameters)
        if name.strip() == b"charset"
    ]
    return all(charset in {b"utf-8", b"utf8"} for charset in charsets)


@remembered
def is_plain(values: Values) -> bool:
    """Tell whether the `Content-Encoding` values leave the body as it is."""
    return all(value.strip(b" \t").lower() in {b"", b"identity"} for value in values)


@remembered
def accepts(values: Values, media: bytes) -> bool:
    """Tell whether `Accept` values take `media`; sending none, or an empty one, takes everything.

    Of the ranges that match the most specific one decides; quality 0 means no.
    """
    accepted = b",".join(values).lower()
    if not accepted.strip(b", \t"):
        return True
    best, taken = -1, False
    kind = media.partition(b"/")[0]
    for entry in accepted.split(b","):
        offered, *parameters = (part.strip() for part in entry.split(b";"))
        specificity = {b"*/*": 0, kind + b"/*": 1, media: 2}.get(offered, -1)
        if specificity >= best and specificity >= 0:
            best, taken = specificity, not _has_quality_zero(parameters)
    return taken


def _has_quality_zero(parameters: list[bytes]) -> bool:
    for name, _, value in (one.partition(b"=") for one in parameters):
        if name.strip() == b"q":
            return not value.strip().strip(b"0.")
    return False

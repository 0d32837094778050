"""Moments as records keep them."""

from datetime import UTC, datetime


def instant_of(moment: datetime) -> str:
    """Return `moment`, which knows its zone, in UTC to the second; later ones sort after."""
    # Not strftime: it does not pad years below 1000.
    return f"{moment.astimezone(UTC).replace(tzinfo=None).isoformat('T', 'seconds')}Z"

"""A memo of verdicts on header values that no caller can fill."""

from collections.abc import Callable
from functools import lru_cache
from typing import Concatenate, ParamSpec

MEMO_VERDICTS = 256
MEMO_VALUE_MAX_BYTES = 256

Values = tuple[bytes, ...]
P = ParamSpec("P")


def remembered(
    judge: Callable[Concatenate[Values, P], bool],
) -> Callable[Concatenate[Values, P], bool]:
    """Return `judge` with its latest verdicts at hand; it must depend on its arguments only.

    Clients repeat themselves, so a memo keeps the look at their headers out of the profile. What
    is several values or a long one is judged anew: to keep those would be memory for the asking.
    """
    recall = lru_cache(MEMO_VERDICTS)(judge)

    def verdict(values: Values, /, *args: P.args, **kwargs: P.kwargs) -> bool:
        if not values or (len(values) == 1 and len(values[0]) <= MEMO_VALUE_MAX_BYTES):
            return recall(values, *args, **kwargs)  # type: ignore[arg-type]  # hashable, all of them
        return judge(values, *args, **kwargs)

    return verdict

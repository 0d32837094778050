"""What must not be stored: shapes of secrets and of identifiers of people.

Signatures, not understanding: what has no such shape passes, and harmless text may have one.
Which shapes there are says `contracts/policy/content-v1.json`. Every detector takes time linear in
the text, and no text makes one fail.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Generic, TypeVar

from mymcp._generated.policy import CONTENT_V1
from mymcp.contract.policy import Reason
from mymcp.plugins.mnemosyne.memory.policy.assignments import assignment, authorization
from mymcp.plugins.mnemosyne.memory.policy.keys import (
    Span,
    compact_token,
    login_in_url,
    prefixed_key,
    private_key,
)
from mymcp.plugins.mnemosyne.memory.policy.numbers import government_identifier, payment_card
from mymcp.plugins.mnemosyne.memory.policy.reading import Reading, readings, readings_of

Field = TypeVar("Field", bound=str)
"""A public name of what is looked at; each tool has its own."""

_WORDS = re.compile(r"[a-z_-]*+")


@dataclass(frozen=True, slots=True)
class Detector:
    """One shape; `find` tells where a reading has it, if anywhere.

    `cut` says that halves of it make it whole without anything between them; a value after a key
    word would become another value so.
    """

    name: str
    reason: Reason
    find: Callable[[Reading], Span | None]
    cut: bool = False


DETECTORS = (
    Detector("private key", "private_key_shape", private_key, cut=True),
    Detector("key with a known beginning", "credential_shape", prefixed_key, cut=True),
    Detector("authorization", "credential_shape", authorization),
    Detector("assignment", "credential_shape", assignment),
    Detector("login in a URL", "credential_shape", login_in_url),
    Detector("compact token", "compact_token_shape", compact_token, cut=True),
    Detector(
        "social security number", "government_identifier_shape", government_identifier, cut=True
    ),
    Detector("payment card", "payment_card_shape", payment_card, cut=True),
)
"""All detectors, in the order in which they are asked."""


@dataclass(frozen=True, slots=True)
class Refusal(Generic[Field]):
    """The first field that must not be stored, and the reason."""

    field: Field
    reason: Reason


def refusal(fields: Iterable[tuple[Field, str | None]]) -> Refusal[Field] | None:
    """Return the first refusal among (name, text) pairs, or none if all may be stored.

    Each text is looked at alone; the first detector in table order gives the reason. Then those of
    `joined` are read one after the other, and the first that takes part in a shape is named.
    """
    texts = [(name, text) for name, text in fields if text]
    for name, text in texts:
        reason = reason_against(text)
        if reason is not None:
            return Refusal(name, reason)
    return _refusal_of_joined([pair for pair in texts if pair[0] in CONTENT_V1.joined.fields])


def reason_against(text: str) -> Reason | None:
    """Return the reason of the first detector that `text` sets off."""
    read = readings_of(text)
    return next((d.reason for d in DETECTORS if any(map(d.find, read))), None)


def _refusal_of_joined(texts: Sequence[tuple[Field, str]]) -> Refusal[Field] | None:
    if len(texts) < 2:
        return None
    read = [(name, readings(text)) for name, text in texts]
    for form in (0, -1) if any(len(forms) > 1 for _, forms in read) else (0,):
        for run in _runs([(name, forms[form]) for name, forms in read]):
            found = _refusal_of_run(run, "\n") or _refusal_of_run(run, "")
            if found is not None:
                return found
    return None


def _runs(texts: Sequence[tuple[Field, str]]) -> Iterator[Sequence[tuple[Field, str]]]:
    """Yield texts that follow each other; a long one ends a run and begins the next.

    What lies in the middle of a long text takes part in no shape that reaches beyond it.
    """
    reach = CONTENT_V1.joined.reach
    run: list[tuple[Field, str]] = []
    for name, text in texts:
        if len(text) <= 2 * reach:
            run.append((name, text))
            continue
        yield [*run, (name, text[:reach])]
        run = [(name, _from_a_blank(text[-reach:]))]
    yield run


def _from_a_blank(text: str) -> str:
    """Return `text` from its first white space on: a part of a word would look like a whole."""
    words = text.split(maxsplit=1)
    return words[-1] if len(words) > 1 else text


def _refusal_of_run(run: Sequence[tuple[Field, str]], joint: str) -> Refusal[Field] | None:
    """Return the refusal of texts with `joint` between them, for a shape that reaches over one."""
    if len(run) < 2:
        return None
    starts = [0, *accumulate(len(text) + len(joint) for _, text in run[:-1])]
    reading = Reading(joint.join(text for _, text in run))
    for detector in DETECTORS:
        span = detector.find(reading) if joint or detector.cut else None
        # Words in a row, as tags are, make a long one: `sk-learn` and what it is used for.
        if span is None or (not joint and _WORDS.fullmatch(reading.text, *span)):
            continue
        first, last = (bisect_right(starts, position) - 1 for position in (span[0], span[1] - 1))
        if first != last:
            return Refusal(run[first][0], detector.reason)
    return None

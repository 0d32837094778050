"""The ledger: what every accepted version of a capability promised. Append only.

One file a capability, `contracts/ledger/<capability>.json`, newest entry last. Three things make
a change to the past visible without any version control:

- each entry carries the digest of the entry before it, so the chain breaks where one is altered;
- the generated copy below `mymcp/_generated/data/ledger` pins all entries, the newest included:
  `generate` copies a ledger only where it continues that copy, so it never approves a loss;
- the newest entry must describe the contract as it stands.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from difflib import unified_diff

from codegen.digest import digest
from codegen.report import Finding
from codegen.semver import is_higher

REASON_MAX_CHARACTERS = 1_000

_TEXT = r'("(?:[^"\\]|\\.)*")'
_PAIR = re.compile(rf"\[\s+{_TEXT},\s+{_TEXT}\s+\]")
_PAIR_ON_ONE_LINE = r"[\1, \2]"


@dataclass(frozen=True, slots=True)
class State:
    """A capability as its contract stands now; what an entry would record.

    `contract` is the digest of the resolved contract without its version, `published` that of the
    definition which clients see, or none where nothing is published. `fields` keeps the order that
    a digest cannot see. `formats` marks the format of a record, manifest or settings file: its
    contract has at most a number, not a version, and every accepted change of it counts up the
    middle part.
    """

    capability: str
    source: str
    version: str
    contract: str
    published: str | None
    fields: tuple[tuple[str, str], ...]
    formats: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """One accepted version. `since` is the host version that first had it, if it is known."""

    version: str
    since: str | None
    published: str | None
    contract: str
    fields: tuple[tuple[str, str], ...]
    reason: str
    previous: str | None

    def as_json(self) -> dict[str, object]:
        """Return the entry as the ledger file holds it."""
        return asdict(self) | {"fields": [list(field) for field in self.fields]}

    def describes(self, state: State) -> bool:
        """Tell whether nothing but the version may differ between this entry and `state`."""
        return (self.contract, self.published, self.fields) == (
            state.contract,
            state.published,
            state.fields,
        )


class LedgerError(ValueError):
    """A ledger file or a request to accept that cannot stand; the message says why."""


def parse(value: object) -> tuple[Entry, ...]:
    """Return the entries of a decoded ledger file. Raises `LedgerError` on another shape."""
    if not isinstance(value, list):
        raise LedgerError("a ledger is a list of entries")
    return tuple(_entry(item) for item in value)


def dump(entries: Sequence[Entry]) -> bytes:
    """Return the bytes of a ledger file: two blanks a level, each field on one line."""
    text = json.dumps([entry.as_json() for entry in entries], ensure_ascii=False, indent=2)
    return f"{_PAIR.sub(_PAIR_ON_ONE_LINE, text)}\n".encode()


def path_of(capability: str) -> str:
    """Return where the ledger of `capability` stands, from the root of the project."""
    return f"contracts/ledger/{capability}.json"


def next_version(entries: Sequence[Entry], state: State) -> str:
    """Return the version that accepting `state` records."""
    if not state.formats:
        return state.version
    return f"{state.version}.{len(entries)}.0"


def appended(
    entries: Sequence[Entry], state: State, reason: str, *, since: str | None
) -> tuple[Entry, ...]:
    """Return `entries` with one more that describes `state`.

    Raises `LedgerError` when the ledger is broken, nothing changed, the version is not higher or
    the reason says nothing.
    """
    problem = broken_at(entries)
    if problem:
        raise LedgerError(f"{path_of(state.capability)}: {problem}; restore it first")
    if not reason.strip() or not reason.isprintable():
        raise LedgerError("the reason is one line of text that says why the contract changed")
    if len(reason) > REASON_MAX_CHARACTERS:
        raise LedgerError(f"the reason is longer than {REASON_MAX_CHARACTERS} characters")
    version = next_version(entries, state)
    if entries and entries[-1].describes(state):
        raise LedgerError(
            f"nothing changed since {entries[-1].version}; there is nothing to accept"
        )
    if entries and not is_higher(version, entries[-1].version):
        raise LedgerError(
            f"version {version} is not higher than the accepted {entries[-1].version}; "
            f"raise it in {state.source}"
        )
    entry = Entry(
        version=version,
        since=since,
        published=state.published,
        contract=state.contract,
        fields=state.fields,
        reason=reason.strip(),
        previous=digest(entries[-1].as_json()) if entries else None,
    )
    return (*entries, entry)


def broken_at(entries: Sequence[Entry]) -> str | None:
    """Return what is wrong inside a ledger: a broken chain, or versions that do not rise."""
    before: Entry | None = None
    for entry in entries:
        expected = digest(before.as_json()) if before else None
        if entry.previous != expected:
            return f"an entry before {entry.version} was altered or removed"
        if before and not is_higher(entry.version, before.version):
            return f"the versions do not rise at {entry.version}"
        before = entry
    return None


def rewritten(
    capability: str, entries: Sequence[Entry] | None, pinned: Sequence[Entry]
) -> Finding | None:
    """Return a finding when a ledger lost or changed what its generated copy `pinned` holds.

    `entries` is none where there is no ledger file.
    """
    where = path_of(capability)
    problem = _loss(entries, pinned)
    if problem:
        copy = f"mymcp/_generated/data/ledger/{capability}.json"
        remedy = f"restore {where} from {copy}; only `python -m codegen accept` adds to it"
        return Finding(where, problem, remedy, _unified(where, dump(entries or ()), dump(pinned)))
    broken = broken_at(entries or ())
    if broken:
        remedy = f"restore {where} and its generated copy from version control"
        return Finding(where, broken, remedy)
    return None


def _loss(entries: Sequence[Entry] | None, pinned: Sequence[Entry]) -> str | None:
    if entries is None:
        return "the ledger was removed" if pinned else None
    if tuple(entries[: len(pinned)]) == tuple(pinned):
        return None
    lost = next((entry for entry in pinned if entry not in entries), None)
    if lost is None:
        return "the ledger entries changed their order"
    if all(entry in pinned for entry in entries):
        return f"the ledger entry {lost.version} was removed"
    return f"the ledger entry {lost.version} was altered"


def unaccepted(entries: Sequence[Entry], state: State) -> Finding | None:
    """Return a finding when the newest entry does not describe `state`."""
    accept = f'python -m codegen accept {state.capability} --reason "..."'
    if not entries:
        return Finding(
            state.source,
            f"{state.capability} {state.version} has no ledger",
            f"record it: {accept}",
        )
    last = entries[-1]
    if last.describes(state):
        return _version_alone(last, state)
    if state.formats or is_higher(state.version, last.version):
        problem = f"{state.capability} changed since {last.version} and is not accepted"
        remedy = f"record it: {accept}"
    else:
        problem = f"{state.capability} changed without a version higher than {last.version}"
        remedy = f'raise "version" in {state.source}, then: {accept}'
    return Finding(state.source, problem, remedy, _changes(last, state))


def _version_alone(last: Entry, state: State) -> Finding | None:
    if state.formats or state.version == last.version:
        return None
    return Finding(
        state.source,
        f"version {state.version} of {state.capability} has no change to record",
        f'set "version" back to {last.version}',
    )


def _changes(last: Entry, state: State) -> str:
    """Return what an entry and a state differ in, as a diff of their fields and digests."""
    old = _described(last.contract, last.published, last.fields)
    new = _described(state.contract, state.published, state.fields)
    return "".join(
        unified_diff(
            old, new, f"{state.capability} {last.version} (accepted)", "(contract now)", n=1
        )
    )


def _described(
    contract: str, published: str | None, fields: tuple[tuple[str, str], ...]
) -> list[str]:
    lines = [f"{name}: {kind}\n" for name, kind in fields]
    return [f"contract: {contract}\n", f"published: {published or 'nothing'}\n", *lines]


def _unified(where: str, found: bytes, wanted: bytes) -> str:
    return "".join(
        unified_diff(
            found.decode().splitlines(keepends=True),
            wanted.decode().splitlines(keepends=True),
            f"{where} (on disk)",
            f"{where} (generated copy)",
            n=2,
        )
    )


def _entry(value: object) -> Entry:
    names = {"version", "since", "published", "contract", "fields", "reason", "previous"}
    if not isinstance(value, dict) or set(value) != names:
        raise LedgerError(f"an entry has exactly the members {', '.join(sorted(names))}")
    texts = {name: _text(value, name) for name in ("version", "contract", "reason")}
    fields = value["fields"]
    if not isinstance(fields, list) or not all(_is_field(field) for field in fields):
        raise LedgerError("the fields of an entry are pairs of texts")
    return Entry(
        **texts,
        since=_optional_text(value, "since"),
        published=_optional_text(value, "published"),
        fields=tuple((field[0], field[1]) for field in fields),
        previous=_optional_text(value, "previous"),
    )


def _is_field(value: object) -> bool:
    return isinstance(value, list) and [type(part) for part in value] == [str, str]


def _text(value: Mapping[str, object], name: str) -> str:
    found = value[name]
    if not isinstance(found, str):
        raise LedgerError(f"{name} of an entry is a text")
    return found


def _optional_text(value: Mapping[str, object], name: str) -> str | None:
    return None if value[name] is None else _text(value, name)

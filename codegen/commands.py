"""The three commands: what they read, in which order they judge, what they write."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from codegen import catalog, dialect, ledger, positions, report, tree
from codegen.catalog import Catalog
from codegen.compilation import Compilation, compile_catalog
from codegen.ledger import Entry, LedgerError
from codegen.report import Finding
from codegen.states import states

_LEDGERS = Path("contracts/ledger")
_PINNED = Path("mymcp/_generated/data/ledger")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command has to say, and whether it failed."""

    text: str
    failed: bool = False


def generate(repository: Path) -> Outcome:
    """Write the generated folders, and say which changes still have to be accepted.

    Refuses contracts that the linter refuses, and a ledger that lost or changed entries.
    """
    contracts, refused = _linted(repository)
    if refused:
        return refused
    books = _Ledgers.of(repository)
    lost = books.findings()
    if lost:
        return Outcome(report.render(lost), failed=True)
    compilation = compile_catalog(contracts)
    changes = tree.write(repository, _generated(contracts, compilation, books))
    text = f"{len(changes.written)} files written, {len(changes.deleted)} deleted\n"
    return Outcome(text + report.render(_unaccepted(compilation, books)))


def check(repository: Path) -> Outcome:
    """Write nothing; fail where something is not as generated and accepted.

    That is: where the disk is not what `generate` gives, where a change was not accepted, and where
    a ledger lost or changed entries.
    """
    contracts, refused = _linted(repository)
    if refused:
        return refused
    books = _Ledgers.of(repository)
    compilation = compile_catalog(contracts)
    differences = tree.diff(repository, _generated(contracts, compilation, books))
    findings = [
        *books.findings(),
        *_orphans(compilation, books),
        *_unaccepted(compilation, books),
        *(_finding(difference) for difference in differences),
    ]
    if findings:
        return Outcome(report.render(findings), failed=True)
    return Outcome("everything is as generated and accepted\n")


def accept(repository: Path, capability: str, reason: str) -> Outcome:
    """Append one entry to the ledger of `capability`."""
    contracts, refused = _linted(repository)
    if refused:
        return refused
    found = {state.capability: state for state in states(compile_catalog(contracts))}
    if capability not in found:
        known = ", ".join(sorted(found))
        return Outcome(f"there is no capability {capability!r}; known are {known}\n", failed=True)
    books = _Ledgers.of(repository)
    lost = [f for f in books.findings() if f.subject == ledger.path_of(capability)]
    if lost:
        return Outcome(report.render(lost), failed=True)
    try:
        entries = ledger.appended(
            books.entries.get(capability, ()),
            found[capability],
            reason,
            since=_host_version(repository),
        )
    except LedgerError as error:
        return Outcome(f"{capability}: {error}\n", failed=True)
    tree.write_file(repository / ledger.path_of(capability), ledger.dump(entries))
    return Outcome(f"{capability} {entries[-1].version} accepted; now run: nox -s codegen\n")


@dataclass(frozen=True, slots=True)
class _Ledgers:
    """The ledgers on the disk, their generated copies, and what is wrong with a file by itself."""

    entries: Mapping[str, tuple[Entry, ...]]
    pinned: Mapping[str, tuple[Entry, ...]]
    broken: Mapping[str, str]

    @classmethod
    def of(cls, repository: Path) -> Self:
        broken: dict[str, str] = {}
        entries = dict(_read(repository / _LEDGERS, broken))
        return cls(entries, dict(_read(repository / _PINNED, {})), broken)

    def findings(self) -> list[Finding]:
        """Return what was lost, changed or cannot be read."""
        names = sorted({*self.entries, *self.pinned, *self.broken})
        return [finding for name in names if (finding := self._finding(name))]

    @property
    def trusted(self) -> Mapping[str, tuple[Entry, ...]]:
        """The entries of each ledger; of one that lost or changed some, those of its copy."""
        lost = {name: self.pinned[name] for name in self.pinned if self._finding(name)}
        return {**self.entries, **lost}

    def _finding(self, name: str) -> Finding | None:
        where = ledger.path_of(name)
        if name in self.entries or name not in self.broken:
            found = ledger.rewritten(name, self.entries.get(name), self.pinned.get(name, ()))
            if found:
                return found
        if name in self.broken:
            return Finding(where, self.broken[name], f"restore {where} from version control")
        return None


def _read(folder: Path, broken: dict[str, str]) -> Iterator[tuple[str, tuple[Entry, ...]]]:
    for path in sorted(folder.glob("*.json")):
        content = path.read_bytes()
        located = positions.read(content)
        try:
            entries = ledger.parse(None if located.problems else located.value)
        except LedgerError as error:
            broken[path.stem] = str(error)
            continue
        if ledger.dump(entries) != content:
            broken[path.stem] = "the file is not as `accept` writes it"
        yield path.stem, entries


def _linted(repository: Path) -> tuple[Catalog, Outcome | None]:
    contracts = catalog.load(repository)
    if not contracts.documents:
        return contracts, Outcome("contracts: there is no contract here\n", failed=True)
    findings = dialect.lint(contracts)
    if not findings:
        return contracts, None
    text = "".join(f"{finding}\n" for finding in findings)
    return contracts, Outcome(text, failed=True)


def _generated(contracts: Catalog, compilation: Compilation, books: _Ledgers) -> tree.Tree:
    # The model generator costs 0.2 s to import; `accept` and refused contracts need none of it.
    from codegen.generation import generate as generated  # noqa: PLC0415

    return generated(contracts, compilation, books.trusted)


def _unaccepted(compilation: Compilation, books: _Ledgers) -> list[Finding]:
    entries = books.trusted
    found = (
        ledger.unaccepted(entries.get(state.capability, ()), state) for state in states(compilation)
    )
    return [finding for finding in found if finding]


def _orphans(compilation: Compilation, books: _Ledgers) -> list[Finding]:
    known = {state.capability for state in states(compilation)}
    return [
        Finding(
            ledger.path_of(name),
            "no contract has this ledger",
            "restore the contract; if it was given up, delete the ledger and its copy in "
            f"{_PINNED.as_posix()}",
        )
        for name in sorted(books.entries.keys() - known)
    ]


_PROBLEMS = {
    "edited": "is not what its contract generates",
    "missing": "the file is not there",
    "stale": "no contract generates this file any more",
}
_REMEDIES = {
    "edited": "run nox -s codegen; a change belongs in contracts/ or codegen/, never in its output",
    "missing": "run nox -s codegen",
    "stale": "run nox -s codegen, which deletes it",
}


def _finding(difference: tree.Difference) -> Finding:
    problem, remedy = _PROBLEMS[difference.kind], _REMEDIES[difference.kind]
    return Finding(str(difference.path), problem, remedy, difference.text)


def _host_version(repository: Path) -> str | None:
    """Return the version of the host that a new entry belongs to, none where nothing says so."""
    path = repository / "pyproject.toml"
    if not path.is_file():
        return None
    project = tomllib.loads(path.read_text(encoding="utf-8")).get("project", {})
    return project.get("version") if isinstance(project.get("version"), str) else None

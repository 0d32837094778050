"""The walk through all scopes of a memory. It reads every record once and keeps none.

Nothing is written, no lock is taken and no link is followed, so it may run beside a server.
"""

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path as RootPath
from stat import S_IMODE, S_ISDIR, S_ISLNK, S_ISREG
from typing import Final, get_args

from mymcp._generated.models.shared.scope import Scope
from mymcp.plugins.mnemosyne.memory.discovery import is_record_name
from mymcp.plugins.mnemosyne.memory.entries import Path, record_in
from mymcp.plugins.mnemosyne.memory.examination.findings import Finding
from mymcp.plugins.mnemosyne.memory.examination.misfit import misfit
from mymcp.plugins.mnemosyne.memory.examination.root import RootState, is_writable, root_state
from mymcp.plugins.mnemosyne.memory.examination.texts import refused
from mymcp.plugins.mnemosyne.memory.examination.trouble import name_of, trouble
from mymcp.plugins.mnemosyne.memory.folder import Folder
from mymcp.plugins.mnemosyne.memory.places import SCOPE_LEVELS
from mymcp.plugins.mnemosyne.memory.records import RECORD_MAX_BYTES, LegacyRecord
from mymcp.plugins.mnemosyne.memory.temporaries import is_temporary_name

SCOPES: Final[tuple[str, ...]] = get_args(Scope.__value__)
NEAR_PERCENT: Final = 90
"""How full a scope is when its operator should hear of the limit."""
_OTHERS_WRITE: Final = 0o022
_TOLD_WHERE: Final = frozenset({"invalid_json", "invalid_record"})


@dataclass(frozen=True, slots=True)
class ScopeReport:
    """How much lies in one scope.

    `candidates` are all record files, of which `skipped` cannot be served; the scope may hold
    `limit` of them.
    """

    scope: str
    candidates: int
    active: int
    archived: int
    legacy: int
    skipped: int
    limit: int

    @property
    def room(self) -> int:
        """How many more may be remembered."""
        return max(self.limit - self.candidates, 0)


def examined(
    root: RootPath, *, candidate_limit: int, is_changed: bool, user: int
) -> Iterator[RootState | Finding | ScopeReport]:
    """Yield the state of `root`, then what is wrong in it, and a report after each scope.

    `user` is who serves it, `is_changed` whether a tool may change it, `candidate_limit` how many
    record files one scope may hold. What comes and goes meanwhile may be missed. What is kept
    grows with the longest folder and with files of several names, not with the records.
    """
    state = root_state(root)
    yield state
    yield from state.findings(is_changed=is_changed)
    if not state.exists:
        return
    try:
        with Folder.at(root) as folder:
            walk = _Walk(user, os.fstat(folder.descriptor).st_uid, candidate_limit, is_changed)
            yield from walk.through(folder)
    except OSError as error:  # swapped since it was looked at
        yield Finding("root_unusable", detail=name_of(error))


@dataclass(slots=True)
class _Names:
    """The names found of one file that has several, the first of them at `path`."""

    path: Path
    found: int
    all: int


@dataclass(slots=True)
class _Walk:
    user: int
    owner: int
    limit: int
    is_changed: bool
    counts: Counter[str] = field(default_factory=Counter)
    kinds: set[str] = field(default_factory=set)
    linked: dict[tuple[int, int], _Names] = field(default_factory=dict)

    def through(self, root: Folder) -> Iterator[Finding | ScopeReport]:
        state = os.fstat(root.descriptor)
        yield from self._loose(state, ())
        if state.st_uid not in {self.user, 0}:
            yield Finding("foreign_owner", detail=f"uid {state.st_uid}")
        yield from _overlooked(root)
        for scope in SCOPES:
            yield from self._scope(root, scope)
        for names in self.linked.values():
            if names.all > names.found:
                yield Finding(
                    "linked_from_outside", names.path, f"other names: {names.all - names.found}"
                )

    def _scope(self, root: Folder, scope: str) -> Iterator[Finding | ScopeReport]:
        self.counts.clear()
        try:
            folder = root.child(scope)
        except FileNotFoundError:
            return
        except OSError as error:
            state = os.stat(scope, dir_fd=root.descriptor, follow_symlinks=False)
            yield Finding("scope_unusable", (scope,), trouble(error, state.st_mode))
            return
        with folder:
            yield from self._folder(folder, (scope,), SCOPE_LEVELS)
        report = ScopeReport(
            scope,
            candidates=self.counts["candidates"],
            active=self.counts["active"],
            archived=self.counts["archived"],
            legacy=self.counts["legacy"],
            skipped=self.counts["skipped"],
            limit=self.limit,
        )
        yield from _crowding(report)
        yield report

    def _folder(self, folder: Folder, path: Path, levels: int) -> Iterator[Finding]:
        yield from self._guarded(os.fstat(folder.descriptor), path)
        if self.is_changed and not is_writable(folder):
            yield Finding("not_writable", path)
        try:
            for name in _names_in(folder):
                yield from self._named(folder, (*path, name), levels)
        except OSError as error:
            yield Finding("unreadable_folder", path, name_of(error))

    def _named(self, folder: Folder, path: Path, levels: int) -> Iterator[Finding]:
        try:
            state = os.stat(path[-1], dir_fd=folder.descriptor, follow_symlinks=False)
        except FileNotFoundError:  # gone since it was listed
            return
        if S_ISLNK(state.st_mode):
            yield Finding("symlink", path)
        elif S_ISDIR(state.st_mode):
            yield from self._subfolder(folder, path, levels)
        elif S_ISREG(state.st_mode):
            yield from self._file(folder, path, state)

    def _subfolder(self, above: Folder, path: Path, levels: int) -> Iterator[Finding]:
        if not levels:
            yield Finding("too_deep", path)
            return
        try:
            folder = above.child(path[-1])
        except FileNotFoundError:
            return
        except OSError as error:
            yield Finding("unreadable_folder", path, name_of(error))
            return
        with folder:
            yield from self._folder(folder, path, levels - 1)
        if len(path) == 2:
            if len(self.kinds) > 1:
                yield Finding("mixed_namespace_kinds", path, ", ".join(sorted(self.kinds)))
            self.kinds.clear()

    def _file(self, folder: Folder, path: Path, state: os.stat_result) -> Iterator[Finding]:
        if state.st_nlink > 1:
            known = self.linked.setdefault(
                (state.st_dev, state.st_ino), _Names(path, 0, state.st_nlink)
            )
            known.found += 1
        if is_temporary_name(path[-1]):
            yield Finding("stale_temporary", path)
        elif is_record_name(path[-1]):
            yield from self._guarded(state, path)
            yield from self._record(folder, path)
        elif path[-1].lower().endswith(".json"):
            yield Finding("not_looked_at", path)

    def _record(self, folder: Folder, path: Path) -> Iterator[Finding]:
        try:
            data, _ = folder.read(path[-1], RECORD_MAX_BYTES + 1)
        except FileNotFoundError:
            return
        except OSError as error:
            self.counts.update(("candidates", "skipped"))
            yield Finding("unreadable", path, name_of(error))
            return
        record = record_in(path, data)
        if isinstance(record, str):
            self.counts.update(("candidates", "skipped"))
            detail = misfit(data) if record in _TOLD_WHERE else ""
            yield Finding(record, path, detail)
            return
        if isinstance(record, LegacyRecord):
            self.counts.update(("candidates", "legacy"))
        else:
            self.counts.update(("candidates", record.state))
            self.kinds.add(record.namespace.kind)
        where = refused(record)
        if where is not None:
            yield Finding("refused_by_policy", path, where)

    def _guarded(self, state: os.stat_result, path: Path) -> Iterator[Finding]:
        yield from self._loose(state, path)
        if state.st_uid not in {self.user, self.owner, 0}:
            yield Finding("foreign_owner", path, f"uid {state.st_uid}")

    def _loose(self, state: os.stat_result, path: Path) -> Iterator[Finding]:
        if state.st_mode & _OTHERS_WRITE:
            yield Finding("loose_permissions", path, f"mode {S_IMODE(state.st_mode):04o}")


def _overlooked(root: Folder) -> Iterator[Finding]:
    """Yield what lies beside the scopes and may have been meant for them."""
    for name in _names_in(root):
        if name in SCOPES or name.startswith("."):
            continue
        try:
            state = os.stat(name, dir_fd=root.descriptor, follow_symlinks=False)
        except FileNotFoundError:
            continue
        if S_ISDIR(state.st_mode) or name.lower().endswith(".json"):
            yield Finding("not_looked_at", (name,))


def _crowding(report: ScopeReport) -> Iterator[Finding]:
    detail = f"{report.candidates} of {report.limit} record files"
    if report.candidates > report.limit:
        yield Finding("candidate_limit_exceeded", (report.scope,), detail)
    elif report.candidates == report.limit:
        yield Finding("candidate_limit_reached", (report.scope,), detail)
    elif report.candidates * 100 >= report.limit * NEAR_PERCENT:
        yield Finding("candidate_limit_near", (report.scope,), detail)


def _names_in(folder: Folder) -> list[str]:
    with os.scandir(folder.descriptor) as entries:
        return sorted(entry.name for entry in entries)

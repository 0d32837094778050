"""What was found out about a memory, as lines for its operator."""

import os
from collections.abc import Iterable, Iterator

from mymcp.cli.exits import EXIT_OTHER
from mymcp.cli.screen import Line, visible
from mymcp.plugins.mnemosyne.memory.examination.findings import Finding
from mymcp.plugins.mnemosyne.memory.examination.root import RootState, root_state
from mymcp.plugins.mnemosyne.memory.examination.tree import ScopeReport, examined
from mymcp.plugins.mnemosyne.settings import Settings


def of_root(settings: Settings) -> Iterator[Line]:
    """Yield where the memory of `settings` is and whether it can be used."""
    state = root_state(settings.root)
    yield from _lines_of(state)
    yield from lines(state.findings(is_changed=bool(settings.open_gates)))


def of_whole(settings: Settings) -> Iterator[Line]:
    """Yield everything that can be found out about the memory of `settings`, as it is found."""
    yield from lines(
        examined(
            settings.root,
            candidate_limit=settings.candidate_limit,
            is_changed=bool(settings.open_gates),
            user=os.geteuid(),
        )
    )


def lines(found: Iterable[RootState | Finding | ScopeReport]) -> Iterator[Line]:
    """Yield the lines of each thing that was found."""
    for each in found:
        if isinstance(each, Finding):
            yield _line_of(each)
        elif isinstance(each, RootState):
            yield from _lines_of(each)
        else:
            yield Line("ok", _told(each))


def _lines_of(state: RootState) -> Iterator[Line]:
    really = "" if state.real_path == state.path else f", really {visible(str(state.real_path))}"
    yield Line("ok", f"memory root: {visible(str(state.path))}{really}")
    if state.trouble is None:
        kind = visible(state.file_system or "unknown")
        way = "reports changes" if state.reports_changes else "is looked through at every call"
        yield Line("ok", f"file system: {kind}, {way}")


def _line_of(finding: Finding) -> Line:
    path = visible("/".join(finding.path)) or "(the root)"
    detail = f" ({visible(finding.detail)})" if finding.detail else ""
    text = f"{finding.code}: {path}{detail}: {finding.remedy}"
    return Line("note", text) if finding.is_note else Line("fault", text, EXIT_OTHER)


def _told(report: ScopeReport) -> str:
    counts = [
        (report.active, "active"),
        (report.archived, "archived"),
        (report.legacy, "of format 1"),
        (report.skipped, "skipped"),
    ]
    parts = ", ".join(f"{number} {what}" for number, what in counts if number)
    told = f" ({parts})" if parts else ""
    files = "file" if report.candidates == 1 else "files"
    return (
        f"{report.scope}: {report.candidates} record {files}{told},"
        f" room for {report.room} of {report.limit}"
    )

import os
from pathlib import Path

import pytest

from mymcp.plugins.mnemosyne.memory.watching import filesystem, mounts
from mymcp.plugins.mnemosyne.memory.watching.filesystem import reports_changes
from mymcp.plugins.mnemosyne.memory.watching.mounts import MountTable, _type_in
from tests.plugins.mnemosyne.memory.watching import namespaced

needs_namespaces = pytest.mark.skipif(
    not namespaced.is_possible(), reason="this user may not have namespaces"
)
TABLE = b"""\
22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 254:0 / / rw,relatime shared:1 master:2 - ext4 /dev/vda rw,discard
28 27 0:30 / /mnt/with\\040space - rw - nfs4 host:/path - rw
2 27 0:31 / /broken rw,relatime
"""


@pytest.mark.parametrize(
    ("mount_id", "expected"),
    [(b"22", "proc"), (b"27", "ext4"), (b"2", None), (b"7", None), (b"", None)],
)
def test_the_type_of_a_mount_stands_after_a_lone_dash(
    mount_id: bytes, expected: str | None
) -> None:
    assert _type_in(TABLE, mount_id) == expected


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("ext4", True), ("tmpfs", True), ("overlay", False), ("nfs4", False), ("", False)],
)
def test_only_file_systems_that_report_everything_are_relied_on(
    monkeypatch: pytest.MonkeyPatch, kind: str | None, *, expected: bool
) -> None:
    monkeypatch.setattr(filesystem, "mount_type", lambda _: kind)
    assert reports_changes(0) is expected


def test_whether_a_closed_descriptor_reports_or_one_without_a_table_cannot_be_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    descriptor = os.open(tmp_path, os.O_RDONLY)
    monkeypatch.setattr(mounts, "_TABLE", str(tmp_path / "missing"))
    with pytest.raises(OSError, match="unknown type"):
        reports_changes(descriptor)
    assert MountTable.opened() is None
    os.close(descriptor)
    monkeypatch.undo()
    with pytest.raises(OSError, match="unknown type"):
        reports_changes(descriptor)


def test_a_table_that_nobody_touches_has_not_changed() -> None:
    table = MountTable.opened()
    assert table is not None
    assert not table.has_changed()
    table.close()


@needs_namespaces
def test_types_are_those_of_what_is_mounted(tmp_path: Path) -> None:
    assert namespaced.found_in(namespaced.types, tmp_path) == ["tmpfs", "overlay", "proc"]


@needs_namespaces
def test_a_file_system_mounted_over_a_folder_is_seen_and_its_going_too(tmp_path: Path) -> None:
    below, above = {"project/a/one.json": "below"}, {"project/a/two.json": "above"}
    edited = {"project/a/two.json": "edited"}
    found = namespaced.found_in(namespaced.mounted_over, tmp_path)
    assert found == [below, True, above, True, edited, below]


@needs_namespaces
def test_a_folder_in_two_places_is_seen_to_change_in_both(tmp_path: Path) -> None:
    found = namespaced.found_in(namespaced.in_two_places, tmp_path)
    assert found == [["one"] * 2, ["through a"] * 2, ["through b"] * 2]


@needs_namespaces
def test_a_write_below_an_overlay_is_seen_for_it_is_swept(tmp_path: Path) -> None:
    found = namespaced.found_in(namespaced.lower_layer, tmp_path)
    path = "project/one.json"
    assert found == [{path: "before"}, False, {path: "after!"}]


@needs_namespaces
@pytest.mark.parametrize("case", [namespaced.few_watches, namespaced.no_instances])
def test_what_cannot_be_watched_is_swept_and_told_once_and_watched_again_later(
    tmp_path: Path, case: object
) -> None:
    seen, is_watched, messages = namespaced.found_in(case, tmp_path)  # type: ignore[arg-type, misc]
    assert seen == [True] * 4
    assert is_watched
    assert messages == ["folders cannot be watched; every call looks at every file instead"]

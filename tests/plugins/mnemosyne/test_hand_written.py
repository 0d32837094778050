"""Records in any form that the specification calls valid are served, whatever lies beside them."""

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unicodedata import normalize

import pytest

from tests.plugins.mnemosyne.caller import Caller
from tests.plugins.mnemosyne.tree import canonical, legacy, place, put, reference, write

CONTENT = "Größe: die Hängematte trägt 120 kg.\nKäufer: \U0001f43c"
RECORD = canonical(1, content=CONTENT, title="Café", tags=["Öl", "a b"])
REFERENCE = reference(RECORD)
OUTSIDE = canonical(2, namespace="elsewhere", content="Eine andere Hängematte.")
DRAFT = {
    "scope": "project",
    "namespace": {"kind": "project", "id": "atlas", "label": None},
    "collection": None,
    "kind": "decision",
    "language": None,
    "title": None,
    "content": "A hammock for the balcony.",
    "tags": [],
    "origin": "explicit_user_statement",
}


def text_of(record: object, **how: Any) -> str:
    return json.dumps(record, ensure_ascii=how.pop("ensure_ascii", False), **how)


def backwards(value: object) -> object:
    """Return `value` with the members of all objects in reverse order."""
    if not isinstance(value, dict):
        return value
    return {name: backwards(member) for name, member in reversed(value.items())}


def escaped(value: object) -> str:
    """Return JSON with every character of every string escaped."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{escaped(k)}:{escaped(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(escaped, value)) + "]"
    if not isinstance(value, str):
        return json.dumps(value)
    units = value.encode("utf-16-be")
    return '"' + "".join(f"\\u{units[n : n + 2].hex()}" for n in range(0, len(units), 2)) + '"'


def with_lifecycle(revision: int) -> dict[str, Any]:
    return RECORD | {"lifecycle": {"state": "active", "revision": revision}}


TEXTS: dict[str, str] = {
    "as a server writes it": text_of(RECORD, indent=2) + "\n",
    "compact": text_of(RECORD, separators=(",", ":")),
    "odd white space": "\n\n\t" + text_of(RECORD, indent="\t", separators=(" ,", " :\t")) + " \n",
    "CRLF between members": text_of(RECORD, indent=2).replace("\n", "\r\n"),
    "CRLF in the text": text_of(RECORD | {"content": CONTENT.replace("\n", "\r\n")}),
    "CR in the text": text_of(RECORD | {"content": CONTENT.replace("\n", "\r")}),
    "decomposed": normalize("NFD", text_of(RECORD)),
    "decomposed and escaped": text_of(
        json.loads(normalize("NFD", text_of(RECORD))), ensure_ascii=True
    ),
    "members in another order": text_of(backwards(RECORD)),
    "not ASCII escaped": text_of(RECORD, ensure_ascii=True),
    "everything escaped": escaped(RECORD),
    "language null": text_of(RECORD | {"language": None}),
    "language in capitals": text_of(RECORD | {"language": "DE-Latn-de"}),
    "blanks around": text_of(
        RECORD
        | {
            "content": f"\n\u3000{CONTENT}\t\r\n",
            "title": "\u00a0Cafe\u0301 ",
            "tags": [" Öl", "a \t\u2003b "],
        }
    ),
    "years ago": text_of(RECORD | {"created_at": "0001-01-01T00:00:00Z"}),
    "years ahead": text_of(RECORD | {"updated_at": "9999-12-31T23:59:59Z"}),
    "imported": text_of(
        RECORD | {"provenance": {"origin": "import", "recorded_via": "migration"}}
    ),
    "many revisions": text_of(with_lifecycle(10**30)),
    "as large as may be": text_of(RECORD).ljust(65_536 - len(text_of(RECORD).encode())
                                               + len(text_of(RECORD))),
}  # fmt: skip


def hard_linked(path: Path, outside: Path) -> None:
    (outside / "another-name").hardlink_to(path)


def writable_by_all(path: Path, _outside: Path) -> None:
    path.chmod(0o666)
    path.parent.chmod(0o777)


def readable_by_all(path: Path, _outside: Path) -> None:
    path.chmod(0o644)


def read_only(path: Path, _outside: Path) -> None:
    path.chmod(0o400)


def executable(path: Path, _outside: Path) -> None:
    path.chmod(0o755)


def from_the_past(path: Path, _outside: Path) -> None:
    os.utime(path, (0, 0))


def from_the_future(path: Path, _outside: Path) -> None:
    os.utime(path, (2**33, 2**33))


FILES = [hard_linked, writable_by_all, readable_by_all, read_only, executable, from_the_past,
         from_the_future]  # fmt: skip


def all_eight_tools_serve(root: Path, *, revision: int = 1, skipped: int = 0) -> None:
    """Read the record, change it again and again, and forget it; store another one beside it."""
    caller = Caller(root)
    found = caller.ok("memory_recall", query="Hängematte", scope="project", namespace_id="atlas")
    assert [memory["reference"] for memory in found["memories"]] == [REFERENCE]
    listed = caller.ok("memory_list", scope="project", namespace_id="atlas")
    assert [item["reference"] for item in listed["memories"]] == [REFERENCE]
    assert (found["skipped_count"], listed["page"]["skipped_count"]) == (skipped, skipped)
    shown = caller.ok("memory_inspect", reference=REFERENCE)["memory"]
    assert (shown["content"], shown["title"], shown["tags"]) == (CONTENT, "Café", ["Öl", "a b"])
    assert shown["lifecycle"] == {"state": "active", "revision": revision}
    assert caller.ok("memory_remember", **DRAFT)["status"] == "remembered"
    assert caller.ok("memory_remember", **DRAFT)["status"] == "already_exists"
    statement = {"namespace_label": None, "collection_label": None, "title": None}
    statement |= {"content": "Sie trägt 90 kg.", "tags": []}
    for tool, arguments, status in [
        ("memory_revise", statement, "revised"),
        ("memory_archive", {}, "archived"),
        ("memory_restore", {}, "restored"),
        ("memory_archive", {}, "archived"),
    ]:
        exact = {"reference": REFERENCE, "expected_revision": revision}
        revision += 1
        assert caller.ok(tool, **exact, **arguments)["status"] == status
        data = json.loads(place(root, RECORD).read_bytes())
        assert (data["content"], data["lifecycle"]["revision"]) == ("Sie trägt 90 kg.", revision)
    exact = {"reference": REFERENCE, "expected_revision": revision}
    assert caller.ok("memory_forget", **exact)["status"] == "forgotten"
    assert caller.code("memory_inspect", reference=REFERENCE) == "not_found"


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_valid_text_is_served_by_all_tools(root: Path, text: str) -> None:
    write(place(root, RECORD), text.encode())
    all_eight_tools_serve(root, revision=json.loads(text)["lifecycle"]["revision"])


@pytest.mark.parametrize("form", FILES)
def test_a_valid_file_is_served_by_all_tools(
    unprivileged_root: Path, form: Callable[[Path, Path], None]
) -> None:
    form(put(unprivileged_root, RECORD), unprivileged_root.parent)
    all_eight_tools_serve(unprivileged_root)


@pytest.mark.parametrize(
    "where",
    ["old.json", "another.name.json", ".hidden.json", "atlas/old.json", "atlas/decisions/old.json",
     "Not an Identifier/old.json", "a/b/c/d/old.json", "\u4e2d\u6587/\u0435.json",
     f"atlas/{RECORD['id']}.json"],
)  # fmt: skip
def test_a_version_1_record_is_read_wherever_it_lies_in_its_scope(root: Path, where: str) -> None:
    write(root / "project" / where, legacy("rainy", content="Die Hängematte."))
    caller = Caller(root)
    old = {"schema_version": 1, "scope": "project", "id": "rainy"}
    found = caller.ok("memory_recall", query="Hängematte", scope="project")
    assert [memory["reference"] for memory in found["memories"]] == [old]
    listed = caller.ok("memory_list", scope="project")
    assert [item["reference"] for item in listed["memories"]] == [old]
    shown = caller.ok("memory_inspect", reference=old)["memory"]
    assert shown["content"] == "Die Hängematte."


GOOD = text_of(RECORD).encode()
POISON: dict[str, bytes] = {
    "deeply nested": b"[" * 20_000,
    "deeply nested and closed": b'{"a":' * 9_000 + b"1" + b"}" * 9_000,
    "a huge integer": text_of(with_lifecycle(7)).replace("7}", 5_000 * "7" + "}").encode(),
    "a number without end": GOOD.replace(b'"revision": 1', b'"revision": 1e999'),
    "a member twice": GOOD[:-1] + b',"title":"Another"}',
    "a byte order mark": b"\xef\xbb\xbf" + GOOD,
    "UTF-16": text_of(RECORD).encode("utf-16"),
    "Latin-1": GOOD.decode().replace("\U0001f43c", "").encode("latin-1"),
    "truncated": GOOD[:-40],
    "truncated in a character": GOOD[: GOOD.index("ö".encode()) + 1],
    "two records": GOOD + GOOD,
    "empty": b"",
    "zeros after a power cut": bytes(4_096),
    "too large": GOOD.ljust(65_537),
    "an unknown member": text_of(RECORD | {"note": "more"}).encode(),
    "a missing member": text_of({k: v for k, v in RECORD.items() if k != "tags"}).encode(),
    "half a character": text_of(RECORD | {"title": "\ud800"}, ensure_ascii=True).encode(),
    "a version of the future": text_of(RECORD | {"schema_version": 3}).encode(),
    "a copy under another name": GOOD,
    "a record of another place": text_of(OUTSIDE).encode(),
    "not a record": b'"Hammock"',
}
"""Files that are candidates and no records. All of them count as skipped."""


def symlink_to_outside(path: Path, outside: Path) -> None:
    path.symlink_to(write(outside / "record.json", OUTSIDE))


def symlink_to_the_record(path: Path, _outside: Path) -> None:
    path.symlink_to(f"{RECORD['id']}.json")


def dangling_symlink(path: Path, _outside: Path) -> None:
    path.symlink_to("nowhere")


def symlink_loop(path: Path, _outside: Path) -> None:
    path.symlink_to(path.name)


def symlink_to_a_folder(path: Path, outside: Path) -> None:
    write(outside / "folder" / "record.json", OUTSIDE)
    path.symlink_to(outside / "folder")


def symlink_to_the_folder_above(path: Path, _outside: Path) -> None:
    path.symlink_to("..")


def unreadable(path: Path, _outside: Path) -> None:
    write(path, OUTSIDE).chmod(0)


def pipe(path: Path, _outside: Path) -> None:
    os.mkfifo(path)


def socket(path: Path, _outside: Path) -> None:
    os.mknod(path, stat.S_IFSOCK | 0o600)


def folder_named_as_a_file(path: Path, _outside: Path) -> None:
    write(path / "notes.txt", b"{")


def files_of_editors(path: Path, _outside: Path) -> None:
    for name in (".DS_Store", "notes.md", f"{path.name}~", f".{path.name}.swp", ".json", "x.JSON"):
        write(path.with_name(name), b"{")


NEIGHBOURS = [
    *[(form, 1) for form in (symlink_to_outside, symlink_to_the_record, dangling_symlink,
                             symlink_loop, symlink_to_a_folder, symlink_to_the_folder_above,
                             unreadable)],
    *[(form, 0) for form in (pipe, socket, folder_named_as_a_file, files_of_editors)],
]  # fmt: skip
"""What is no record at all, and whether it counts as skipped: it may have been meant as one."""


def others(root: Path) -> dict[str, tuple[int, int]]:
    """Return what lies below `root` beside the record, and marks that change when it does."""
    states = {path: path.lstat() for path in root.rglob("*") if path != place(root, RECORD)}
    return {
        str(path): (state.st_ino, 0 if stat.S_ISDIR(state.st_mode) else state.st_mtime_ns)
        for path, state in states.items()
    }


@pytest.mark.parametrize("name", [f"{canonical(9)['id']}.json", "0.json", "\u00e9.json"])
@pytest.mark.parametrize("data", POISON.values(), ids=POISON)
def test_a_broken_file_never_disturbs_a_record_beside_it(
    root: Path, data: bytes, name: str
) -> None:
    put(root, RECORD)
    neighbour = write(root / "project" / "atlas" / name, data)
    all_eight_tools_serve(root, skipped=1)
    assert neighbour.read_bytes() == data


@pytest.mark.parametrize(("form", "skipped"), NEIGHBOURS)
def test_what_is_no_file_never_disturbs_a_record_beside_it(
    unprivileged_root: Path, form: Callable[[Path, Path], None], skipped: int
) -> None:
    put(unprivileged_root, RECORD)
    neighbour = unprivileged_root / "project" / "atlas" / f"{canonical(9)['id']}.json"
    form(neighbour, unprivileged_root.parent)
    before = others(unprivileged_root)
    all_eight_tools_serve(unprivileged_root, skipped=skipped)
    assert before.items() <= others(unprivileged_root).items()


def test_all_broken_files_at_once_disturb_nothing(unprivileged_root: Path) -> None:
    root = unprivileged_root
    put(root, RECORD)
    atlas = root / "project" / "atlas"
    for number, data in enumerate(POISON.values()):
        write(atlas / f"{canonical(100 + number)['id']}.json", data)
    for number, (form, _) in enumerate(NEIGHBOURS):
        form(atlas / f"{canonical(200 + number)['id']}.json", root.parent)
    before = others(root)
    skipped = len(POISON) + sum(count for _, count in NEIGHBOURS)
    all_eight_tools_serve(root, skipped=skipped)
    assert before.items() <= others(root).items()


@pytest.mark.parametrize("digits", [1_000, 1_001])
def test_a_revision_beyond_all_counting_is_a_clean_answer(root: Path, digits: int) -> None:
    """The last revision that can be read is served, and nothing follows it."""
    path = write(place(root, RECORD), text_of(with_lifecycle(10**digits - 1)).encode())
    before, caller = path.read_bytes(), Caller(root)
    found = caller.ok("memory_recall", query="Hängematte", scope="project")
    assert (found["total_matches"], found["skipped_count"]) == (
        (1, 0) if digits == 1_000 else (0, 1)
    )
    exact = {"reference": REFERENCE, "expected_revision": 10**digits - 1}
    assert caller.code("memory_archive", **exact) == "memory_source_unavailable"
    assert path.read_bytes() == before
    archived = RECORD | {"lifecycle": {"state": "archived", "revision": 10**digits - 1}}
    write(path, archived)
    assert caller.code("memory_forget", **exact) == (
        "forgotten" if digits == 1_000 else "memory_source_unavailable"
    )

"""The catalog: what is read, in which order, and as what."""

from pathlib import Path
from typing import get_args

import pytest

from codegen.catalog import Kind, build, kind_of, load, read

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("contracts/shared/text.json", "shared"),
        ("contracts/tools/host/list_tools.json", "tool"),
        ("contracts/records/memory-v1.json", "record"),
        ("contracts/manifests/plugin-v1.json", "manifest_schema"),
        ("contracts/manifests/mnemosyne.json", "plugin"),
        ("contracts/manifests/note-v.json", "plugin"),
        ("contracts/policy/content-v1.json", "policy"),
        ("contracts/config/host-v1.json", "config"),
        ("contracts/config/mnemosyne.json", "config"),
        ("contracts/credentials/operator-bearer-v1.json", "credential"),
        ("contracts/profiles/llama-safe-v1.json", "profile"),
        ("contracts/meta/tool.json", "meta"),
        ("contracts/tools/list_tools.json", "stray"),
        ("contracts/shared/deep/text.json", "stray"),
        ("contracts/other/x.json", "stray"),
        ("contracts/x.json", "stray"),
    ],
)
def test_the_folder_says_what_a_file_is(path: str, kind: str) -> None:
    assert kind_of(path) == kind


def test_files_come_sorted_whatever_the_order_on_the_disk() -> None:
    files = {"contracts/shared/b.json": b"{}", "contracts/meta/z.json": b"{}"}
    assert [d.path for d in build(files).documents] == sorted(files)
    assert build(files) == build(dict(reversed(files.items())))


def test_members_keep_their_authored_order() -> None:
    catalog = build({"contracts/shared/a.json": b'{"z": 1, "a": {"y": 2, "b": 3}}'})
    document = catalog.documents[0]
    assert list(document.members) == ["z", "a"]
    assert list(document.members["a"]) == ["y", "b"]  # type: ignore[call-overload]


def test_a_file_that_cannot_be_read_stays_in_the_catalog() -> None:
    (document,) = build({"contracts/shared/a.json": b"{"}).documents
    assert not document.is_readable
    assert document.members == {}
    assert [problem.kind for problem in document.content.problems] == ["syntax"]


def test_examples_and_ledgers_are_no_contracts(tmp_path: Path) -> None:
    for name in ("shared/a.json", "examples/tools/a/valid/b.json", "ledger/a.json", "README.md"):
        path = tmp_path / "contracts" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}")
    assert list(read(tmp_path)) == ["contracts/shared/a.json"]


def test_the_catalog_of_the_product_has_every_kind() -> None:
    catalog = load(ROOT)
    kinds = set(get_args(Kind)) - {"stray"}
    for kind in kinds:
        assert catalog.of(kind), kind
    assert not catalog.of("stray")
    assert catalog.at("contracts/shared/scope.json") in catalog.of("shared")
    assert catalog.at("contracts/shared/nothing.json") is None

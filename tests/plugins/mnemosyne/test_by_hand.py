"""What people write by hand is served in any valid form, and what they break disturbs nobody."""

from pathlib import Path
from typing import Any

import pytest

from tests.plugins.mnemosyne.caller import INSTANT, Caller
from tests.plugins.mnemosyne.handwriting import BREAKS, FORMS, Form, spelt
from tests.plugins.mnemosyne.tree import (
    canonical,
    files,
    legacy,
    memory_id,
    place,
    put,
    reference,
    write,
)

RECORD = canonical(
    1, collection="decisions", title="Café au lait", content="Tea.", tags=["green leaf", "ß"]
)
DRAFT = {name: RECORD[name] for name in ("scope", "namespace", "collection", "kind")} | {
    "language": None,
    "title": None,
    "content": "Something new.",
    "tags": [],
    "origin": "explicit_user_statement",
}
REVISED = {
    "namespace_label": None,
    "collection_label": None,
    "title": None,
    "content": "Coffee.",
    "tags": [],
}


def exact(record: dict[str, Any], revision: int) -> dict[str, Any]:
    return {"reference": reference(record), "expected_revision": revision}


def live_through(caller: Caller, record: dict[str, Any]) -> None:
    """Let `record`, which says tea at revision 1, go through all eight tools."""
    recalled = caller.ok("memory_recall", query="tea", scope="project")
    assert [memory["content"] for memory in recalled["memories"]] == ["Tea."]
    listed = caller.ok("memory_list", scope="project")
    assert [memory["reference"] for memory in listed["memories"]] == [reference(record)]
    inspected = caller.ok("memory_inspect", reference=reference(record))["memory"]
    assert inspected == {"reference": reference(record), **record}
    again = DRAFT | {"title": record["title"], "content": "Tea.", "tags": record["tags"]}
    assert caller.code("memory_remember", **again) == "already_exists"
    assert caller.code("memory_remember", **DRAFT) == "remembered"
    assert caller.code("memory_revise", **exact(record, 1), **REVISED) == "revised"
    assert caller.code("memory_archive", **exact(record, 2)) == "archived"
    assert caller.code("memory_restore", **exact(record, 3)) == "restored"
    assert caller.code("memory_archive", **exact(record, 4)) == "archived"
    assert caller.code("memory_forget", **exact(record, 5)) == "forgotten"


@pytest.mark.parametrize("form", FORMS)
def test_a_record_in_any_valid_form_is_served_by_every_tool(
    caller: Caller, root: Path, form: Form
) -> None:
    write(place(root, RECORD), spelt(RECORD, form))
    live_through(caller, RECORD)


@pytest.mark.parametrize("how", BREAKS)
def test_a_broken_neighbour_disturbs_no_tool_and_is_left_alone(
    caller: Caller, root: Path, how: str
) -> None:
    put(root, RECORD)
    broken = BREAKS[how](spelt(canonical(2, collection="decisions"), "indented"))
    neighbour = write(place(root, canonical(2, collection="decisions")), broken)
    live_through(caller, RECORD)
    assert neighbour.read_bytes() == broken
    assert caller.ok("memory_list", scope="project")["page"]["skipped_count"] == 1
    about_it = exact(canonical(2, collection="decisions"), 1)
    assert caller.code("memory_archive", **about_it) == "memory_source_unavailable"
    assert caller.code("memory_inspect", reference=about_it["reference"]) == (
        "memory_source_unavailable"
    )


def test_open_modes_are_served_and_a_change_makes_the_file_private(
    caller: Caller, root: Path
) -> None:
    path = put(root, RECORD)
    path.chmod(0o666)
    path.parent.chmod(0o777)
    assert caller.code("memory_recall", query="tea", scope="project") == "ok"
    assert caller.code("memory_archive", **exact(RECORD, 1)) == "archived"
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o777)


def test_kinds_that_share_a_namespace_id_are_served_side_by_side(
    caller: Caller, root: Path
) -> None:
    person = canonical(1, scope="relationship", namespace="sam", content="tea")
    group = canonical(2, scope="relationship", namespace="sam", content="tea")
    group["namespace"] = group["namespace"] | {"kind": "group", "label": "The Sams"}
    for record in (person, group):
        put(root, record)
    found = caller.ok("memory_list", scope="relationship", namespace_id="sam")
    assert [memory["reference"]["id"] for memory in found["memories"]] == [
        memory_id(1),
        memory_id(2),
    ]
    for record in (person, group):
        memory = caller.ok("memory_inspect", reference=reference(record))["memory"]
        assert memory["namespace"] == record["namespace"]


def test_a_record_that_the_content_policy_would_refuse_is_served_and_can_be_mended(
    caller: Caller, root: Path
) -> None:
    secret = "DB_PASSWORD=" + "hunter" + 4 * "2"
    put(root, RECORD | {"content": f"Tea. {secret}"})
    recalled = caller.ok("memory_recall", query="tea", scope="project")
    assert secret in recalled["memories"][0]["content"]
    kept = REVISED | {"content": f"Coffee. {secret}"}
    assert caller.code("memory_revise", **exact(RECORD, 1), **kept) == "disallowed_content"
    assert caller.code("memory_revise", **exact(RECORD, 1), **REVISED) == "revised"
    assert all(secret.encode() not in data for data in files(root).values())


@pytest.mark.parametrize("year", ["0001", "0999"])
def test_a_record_of_the_first_centuries_is_shown_padded_and_can_be_changed(
    caller: Caller, root: Path, year: str
) -> None:
    created = f"{year}-01-01T00:00:00Z"
    put(root, RECORD | {"created_at": created, "updated_at": created})
    memory = caller.ok("memory_inspect", reference=reference(RECORD))["memory"]
    assert (memory["created_at"], memory["updated_at"]) == (created, created)
    assert caller.code("memory_archive", **exact(RECORD, 1)) == "archived"
    memory = caller.ok("memory_inspect", reference=reference(RECORD))["memory"]
    assert memory["created_at"] == created
    assert memory["updated_at"] == INSTANT.strftime("%Y-%m-%dT%H:%M:%SZ")


def test_a_version_1_record_is_never_rewritten(caller: Caller, root: Path) -> None:
    path = write(root / "project" / "atlas" / "note.json", legacy(content="Tea."))
    before = path.read_bytes()
    assert caller.code("memory_recall", query="tea", scope="project") == "ok"
    assert caller.code("memory_remember", **DRAFT | {"content": "Tea."}) == "remembered"
    for tool in ("memory_archive", "memory_restore", "memory_forget"):
        about_it = {"reference": reference(RECORD), "expected_revision": 1}
        assert caller.code(tool, **about_it) == "not_found"
    assert path.read_bytes() == before

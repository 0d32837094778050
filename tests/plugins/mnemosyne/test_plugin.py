import json
from pathlib import Path

import pytest

from mymcp.plugins.mnemosyne.plugin import contribute
from mymcp.plugins.mnemosyne.settings import GATE_VARIABLES, SettingsError
from tests.plugins.mnemosyne.tree import files

READERS = ["memory_recall", "memory_list", "memory_inspect"]


def offered(tmp_path: Path, **environment: str) -> list[str]:
    contribution = contribute(environment, tmp_path)
    return [tool.capability.name for tool in contribution.tools]


def test_reading_is_always_offered(tmp_path: Path) -> None:
    assert offered(tmp_path) == READERS
    assert offered(tmp_path, **dict.fromkeys(GATE_VARIABLES.values(), "false")) == READERS


@pytest.mark.parametrize(
    ("gate", "tools"),
    [
        ("REMEMBER", ["memory_remember"]),
        ("ARCHIVE_RESTORE", ["memory_archive", "memory_restore"]),
        ("REVISE", ["memory_revise"]),
        ("FORGET", ["memory_forget"]),
    ],
)
def test_a_gate_opens_its_own_tools_only(tmp_path: Path, gate: str, tools: list[str]) -> None:
    assert offered(tmp_path, **{f"MNEMOSYNE_MEMORY_{gate}_ENABLED": "true"}) == [*READERS, *tools]


def test_all_gates_open_all_tools_in_the_order_of_the_manifest(tmp_path: Path) -> None:
    assert offered(tmp_path, **dict.fromkeys(GATE_VARIABLES.values(), "true")) == [
        *READERS,
        "memory_archive",
        "memory_restore",
        "memory_remember",
        "memory_revise",
        "memory_forget",
    ]


def test_identity_and_version_are_those_of_the_manifest(tmp_path: Path) -> None:
    contribution = contribute({}, tmp_path)
    assert (contribution.plugin_id, contribution.version) == ("mnemosyne", "0.7.0")


def test_a_gate_that_the_settings_file_opens_is_open(tmp_path: Path) -> None:
    path = tmp_path / ".mnemosyne" / "config.toml"
    path.parent.mkdir(mode=0o700)
    path.write_text("[memory]\nremember_enabled = true\n")
    path.chmod(0o600)
    assert offered(tmp_path) == [*READERS, "memory_remember"]
    assert offered(tmp_path, MNEMOSYNE_MEMORY_REMEMBER_ENABLED="false") == READERS


@pytest.mark.parametrize(("limit", "code"), [("1001", "ok"), ("1000", "candidate_limit_exceeded")])
def test_a_scope_holds_as_many_files_as_the_operator_says(
    tmp_path: Path, limit: str, code: str
) -> None:
    scope = tmp_path / ".mnemosyne" / "memory" / "self"
    scope.mkdir(parents=True)
    for number in range(1_001):
        (scope / f"{number}.json").touch()
    environment = {"MNEMOSYNE_MEMORY_CANDIDATE_LIMIT": limit}
    tools = {tool.capability.name: tool for tool in contribute(environment, tmp_path).tools}
    answer = json.loads(tools["memory_list"].call({"scope": "self"}).text)
    assert answer.get("code", answer["status"]) == code


def test_an_operators_mistake_stops_the_start(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="invalid_root"):
        contribute({"MNEMOSYNE_MEMORY_ROOT": "mem"}, tmp_path)


def test_the_default_root_is_made_by_the_first_memory_only(tmp_path: Path) -> None:
    contribution = contribute({"MNEMOSYNE_MEMORY_REMEMBER_ENABLED": "true"}, tmp_path)
    tools = {tool.capability.name: tool for tool in contribution.tools}
    tools["memory_recall"].call({"query": "tea", "scope": "self"})
    tools["memory_remember"].call({"scope": "self"})
    assert list(tmp_path.iterdir()) == []
    outcome = tools["memory_remember"].call(
        {
            "scope": "self",
            "namespace": {"kind": "aspect", "id": "habits", "label": None},
            "collection": None,
            "kind": "attribute",
            "language": None,
            "title": None,
            "content": "Drinks tea.",
            "tags": [],
            "origin": "explicit_user_statement",
        }
    )
    identifier = json.loads(outcome.text)["reference"]["id"]
    assert list(files(tmp_path)) == [f".mnemosyne/memory/self/habits/{identifier}.json"]


def test_two_servers_make_different_ids_and_do_not_know_each_others_cursors(
    tmp_path: Path,
) -> None:
    environment = {"MNEMOSYNE_MEMORY_REMEMBER_ENABLED": "true"}
    one, other = (
        {tool.capability.name: tool for tool in contribute(environment, tmp_path).tools}
        for _ in range(2)
    )
    draft = {
        "scope": "self",
        "namespace": {"kind": "aspect", "id": "habits", "label": None},
        "collection": None,
        "kind": "attribute",
        "language": None,
        "title": None,
        "tags": [],
        "origin": "explicit_user_statement",
    }
    for server, content in ((one, "Drinks tea."), (other, "Likes rain.")):
        outcome = server["memory_remember"].call(draft | {"content": content})
        assert not outcome.is_error, outcome.text
    page = json.loads(one["memory_list"].call({"scope": "self", "page_size": 1}).text)["page"]
    continued = {"scope": "self", "cursor": page["next_cursor"]}
    assert not one["memory_list"].call(continued).is_error
    assert json.loads(other["memory_list"].call(continued).text)["code"] == "stale_cursor"

"""Manifests are read safely, all of them, before any code runs."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from shutil import copytree

import pytest

from mymcp.host.external.failure import ExternalPluginLoadError
from mymcp.host.external.preflight import CAPABILITIES_MAX, PLUGINS_MAX, preflight
from mymcp.host.external.reference import PluginReference
from tests.host.external.packages import written
from tests.plugin.manifests import capability, manifest


def code_of(*references: PluginReference) -> tuple[str, str | None]:
    with pytest.raises(ExternalPluginLoadError) as caught:
        preflight(references)
    return caught.value.code.removeprefix("external_"), caught.value.inner


def linked_folder(path: Path) -> None:
    moved = path.parent.with_name("elsewhere")
    path.parent.rename(moved)
    path.parent.symlink_to(moved)


def linked_file(path: Path) -> None:
    path.rename(path.with_name("real.json"))
    path.symlink_to("real.json")


def dangling(path: Path) -> None:
    path.unlink()
    path.symlink_to("nowhere")


def folder_is_a_file(path: Path) -> None:
    copytree(path.parent, path.parent.with_name("kept"))
    for one in path.parent.iterdir():
        one.unlink()
    path.parent.rmdir()
    path.parent.write_text("x")


def pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path, 0o644)


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (linked_folder, "manifest_unsafe_path"),
        (linked_file, "manifest_unsafe_path"),
        (dangling, "manifest_unsafe_path"),
        (folder_is_a_file, "manifest_unsafe_path"),
        (lambda path: path.chmod(0o664), "manifest_unsafe_permissions"),
        (lambda path: path.chmod(0o646), "manifest_unsafe_permissions"),
        (lambda path: path.parent.chmod(0o775), "manifest_unsafe_permissions"),
        (lambda path: path.parent.chmod(0o757), "manifest_unsafe_permissions"),
        (pipe, "manifest_not_regular"),
        (folder, "manifest_not_regular"),
        (lambda path: path.write_bytes(b" " * 65_537), "manifest_too_large"),
        (Path.unlink, "manifest_unreadable"),
    ],
)
def test_manifest_that_cannot_be_trusted_is_not_read(
    spoil: Callable[[Path], None], code: str, site: Path
) -> None:
    reference = written(site)
    spoil(reference.manifest_path)
    assert code_of(reference)[0] == code


def test_manifest_that_changes_while_it_is_read_is_refused(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reference = written(site)
    path, read = reference.manifest_path, os.pread

    def changing(descriptor: int, length: int, place: int) -> bytes:
        path.write_bytes(path.read_bytes().replace(b"Demo", b"Evil"))
        return read(descriptor, length, place)

    monkeypatch.setattr(os, "pread", changing)
    assert code_of(reference)[0] == "manifest_source_changed"


@pytest.mark.parametrize("mode", [0o644, 0o600, 0o400, 0o755])
def test_manifest_that_nobody_else_may_write_is_read(mode: int, site: Path) -> None:
    reference = written(site)
    reference.manifest_path.chmod(mode)
    (found,) = preflight([reference])
    assert (found.reference, found.manifest.id) == (reference, "demo")


def many(site: Path, count: int, capabilities: int = 1) -> list[PluginReference]:
    declared = [capability(f"c{n}") for n in range(capabilities)]
    return [
        written(
            site,
            plugin_id=f"p{position}",
            position=position,
            content=manifest(id=f"p{position}", capabilities=declared),
        )
        for position in range(1, count + 1)
    ]


def test_32_plugins_with_256_capabilities_are_the_most(site: Path) -> None:
    most = many(site, PLUGINS_MAX, CAPABILITIES_MAX // PLUGINS_MAX)
    assert len(preflight(most)) == PLUGINS_MAX
    assert code_of(*many(site, PLUGINS_MAX + 1)) == ("plugin_limit_exceeded", None)


def test_plugin_that_exceeds_the_capabilities_of_all_is_named(site: Path) -> None:
    references = many(site, 5, 64)
    with pytest.raises(ExternalPluginLoadError) as caught:
        preflight(references)
    assert caught.value.code == "external_plugin_limit_exceeded"
    assert caught.value.reference == references[4]


def test_too_many_plugins_are_refused_before_any_file_is_looked_at(tmp_path: Path) -> None:
    gone = PluginReference(1, "p", tmp_path / "none" / "manifest.json", "none")
    plugins = [replace(gone, plugin_id=f"p{n}", module=f"m{n}") for n in range(33)]
    assert code_of(*plugins)[0] == "plugin_limit_exceeded"


def test_two_plugins_of_one_module_are_refused_before_any_file_is_looked_at(
    tmp_path: Path,
) -> None:
    gone = PluginReference(1, "p", tmp_path / "none" / "manifest.json", "same")
    twin = replace(gone, plugin_id="q", position=2)
    assert code_of(gone, twin) == ("plugin_composition_invalid", "duplicate_module")


@pytest.mark.parametrize(
    "changes",
    [
        {"position": 0},
        {"plugin_id": "A"},
        {"manifest_path": Path("relative.json")},
        {"module": ""},
        {"module": "a..b"},
        {"module": "a.class"},
        {"module": "ä"},
        {"module": "a" * 256},
    ],
)
def test_reference_that_no_configuration_could_hold_is_refused(changes: dict[str, object]) -> None:
    good = PluginReference(1, "p", Path("/manifest.json"), "module.inner")
    with pytest.raises(ValueError, match="must be"):
        replace(good, **changes)  # type: ignore[arg-type]  # wrong on purpose

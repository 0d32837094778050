"""`mymcp plugin`: a plugin made, checked, and broken in ways that its author should understand."""

import os
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from mymcp.cli import serve
from mymcp.cli.plugin import main
from mymcp.plugin import parse_manifest_bytes


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Work in an empty folder, and leave nothing imported that lay in it."""
    monkeypatch.chdir(tmp_path)
    path, modules = list(sys.path), set(sys.modules)
    yield
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        if getattr(sys.modules[name], "__file__", None) is None or "_plugin" in name:
            del sys.modules[name]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(arguments)
    written = capsys.readouterr()
    return code, written.out, written.err


def test_new_plugin_passes_its_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "new", "my-demo")
    assert (code, err) == (0, "")
    shown = tomllib.loads(
        "\n".join(line for line in out.splitlines() if " = " in line or "[[" in line)
    )
    assert shown["plugins"] == [
        {
            "id": "my-demo",
            "enabled": True,
            "manifest_path": str(tmp_path / "my-demo" / "my_demo_plugin" / "manifest.json"),
            "module": "my_demo_plugin",
        }
    ]
    assert run(capsys, "check", "my-demo") == (
        0,
        "my-demo 0.1.0\n"
        "  my-demo__greet 0.1.0: reads only, asks nobody\n"
        "ok: 1 tool would be offered\n",
        "",
    )


@pytest.mark.parametrize("path", ["one", "one/one_plugin", "one/one_plugin/manifest.json"])
def test_plugin_is_found_by_project_package_and_manifest(
    path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "new", "one")
    assert run(capsys, "check", path)[0] == 0


def test_package_below_src_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "new", "inner")
    (tmp_path / "inner" / "src").mkdir(mode=0o755)
    (tmp_path / "inner" / "inner_plugin").rename(tmp_path / "inner" / "src" / "inner_plugin")
    assert run(capsys, "check", "inner")[0] == 0


def test_new_plugin_is_readable_by_the_host_whatever_the_umask(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = os.umask(0)
    try:
        run(capsys, "new", "loose")
    finally:
        os.umask(before)
    assert [path for path in tmp_path.rglob("*") if path.stat().st_mode & 0o022] == []


def test_new_plugin_has_tests_that_pass_and_types_that_hold(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "new", "typed")
    checkout = str(Path(__file__).parents[2])
    for command in (
        ["pytest", "-q", "-p", "no:cacheprovider"],
        ["mypy", "--strict", "typed_plugin"],
    ):
        done = subprocess.run(
            [sys.executable, "-m", *command],
            cwd=tmp_path / "typed",
            env={**os.environ, "PYTHONPATH": checkout, "MYPYPATH": checkout},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr


def test_manifest_of_a_new_plugin_names_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "new", "sea-weather")
    path = tmp_path / "sea-weather" / "sea_weather_plugin" / "manifest.json"
    found = parse_manifest_bytes(path.read_bytes())
    assert (found.id, found.title) == ("sea-weather", "Sea weather")


@pytest.mark.parametrize(
    "plugin_id", ["Demo", "a_b", "../x", "", "mnemosyne", "memini", "mymcp", "a" * 60]
)
def test_id_that_cannot_be_used_makes_nothing(
    plugin_id: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, "new", plugin_id)
    assert (code, out) == (1, "")
    assert err.startswith("mymcp plugin new: ")
    assert list(tmp_path.iterdir()) == []


def test_what_is_there_is_never_written_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "taken").mkdir()
    assert run(capsys, "new", "taken")[0] == 1
    assert list((tmp_path / "taken").iterdir()) == []


def break_module(tmp_path: Path, name: str, more: str) -> None:
    module = tmp_path / name / f"{name}_plugin" / "__init__.py"
    module.write_text(module.read_text() + more)


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (
            "raise ValueError('the port \\n is taken')",
            "external_plugin_import_failed: plugin 1 (bad): ValueError at bad_plugin:",
        ),
        (
            "del mymcp_plugin_v1",
            "external_plugin_entrypoint_invalid: plugin 1 (bad): not_callable:",
        ),
        (
            "TOOL['inputSchema']['type'] = 'array'",
            "external_plugin_composition_invalid: plugin 1 (bad): tool_schema_root at"
            " bad__greet.inputSchema:",
        ),
        ("raise SystemExit", "external_plugin_import_failed: plugin 1 (bad): SystemExit at "),
    ],
)
def test_broken_plugin_is_one_line_and_ends_with_78(
    more: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "new", "bad")
    break_module(tmp_path, "bad", more)
    code, out, err = run(capsys, "check", "bad")
    assert (code, out, err.count("\n")) == (78, "", 1)
    assert err.startswith(f"mymcp plugin check: {told}")


def test_author_is_told_what_the_plugin_said_with_its_controls_escaped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "new", "bad")
    break_module(tmp_path, "bad", "raise ValueError('no \\x1b[31m \\u202e port')")
    assert "(no \\u001b[31m \\u202e port)" in run(capsys, "check", "bad")[2]


def test_broken_manifest_names_field_and_remedy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "new", "bad")
    path = tmp_path / "bad" / "bad_plugin" / "manifest.json"
    path.write_text(path.read_text().replace('"title"', '"titel"'))
    code, _out, err = run(capsys, "check", "bad")
    assert code == 78
    assert err == (
        "mymcp plugin check: external_manifest_invalid: plugin 1 (bad):"
        " manifest_unknown_field at titel: Mend the manifest."
        " (Remove the field that manifests of version 1 do not have.)\n"
    )


def test_what_is_not_published_is_told_and_can_be_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "new", "odd")
    break_module(
        tmp_path,
        "odd",
        "TOOL['inputSchema']['properties']['name']['format'] = 'email'\ndel TOOL['description']",
    )
    code, out, _err = run(capsys, "check", "odd")
    assert code == 0
    assert "    not published: format at /properties/name\n" in out
    assert "    warning: no description; models choose a tool by it\n" in out
    for name in [name for name in sys.modules if name.startswith("odd_plugin")]:
        del sys.modules[name]
    assert run(capsys, "check", "odd", "--unsafe-schemas", "refuse")[0] == 78


@pytest.mark.parametrize("path", ["nowhere", "."])
def test_place_without_a_plugin_is_one_line(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "check", path)
    assert (code, out, err.count("\n")) == (1, "", 1)


def test_several_packages_are_not_guessed_among(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "new", "two")
    other = tmp_path / "two" / "other"
    other.mkdir()
    (other / "manifest.json").write_text("{}")
    assert "name one of them" in run(capsys, "check", "two")[2]


def test_module_elsewhere_can_be_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run(capsys, "new", "apart")
    (tmp_path / "apart" / "apart_plugin" / "manifest.json").rename(tmp_path / "manifest.json")
    assert "--module" in run(capsys, "check", "manifest.json")[2]
    monkeypatch.syspath_prepend(tmp_path / "apart")
    code, _out, err = run(capsys, "check", "manifest.json", "--module", "apart_plugin")
    assert (code, "FileNotFoundError" in err) == (78, True)


def test_interrupt_during_an_import_ends_the_command_without_a_word(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "new", "slow")
    break_module(tmp_path, "slow", "open('begun', 'w').close()\nimport time\ntime.sleep(30)")
    process = subprocess.Popen(
        [sys.executable, "-m", "mymcp", "plugin", "check", "slow"],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    while not (tmp_path / "begun").exists() and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=20)
    assert (process.returncode, out) == (-signal.SIGINT, b"")


def test_wrong_usage_ends_with_2(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in ([], ["make"], ["new"], ["check", ".", "--unsafe-schemas", "no"]):
        with pytest.raises(SystemExit) as ended:
            serve.main(["plugin", *arguments])
        assert ended.value.code == 2
        assert capsys.readouterr().err.startswith("usage: mymcp plugin")


@pytest.mark.parametrize("module", ["", "a b", "class", "é", ".", "a" * 256])
def test_name_that_no_module_has_is_one_line(
    module: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "new", "demo")
    code, out, err = run(capsys, "check", "demo", "--module", module)
    message = "--module must be the dotted ASCII name of a module"
    assert (code, out, err) == (1, "", f"mymcp plugin check: {message}\n")


@pytest.mark.parametrize("name", ["é_plugin", "class"])
def test_package_whose_name_no_configuration_can_hold_is_no_package(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "new", "demo")
    (tmp_path / "demo" / "demo_plugin").rename(tmp_path / "demo" / name)
    code, _out, err = run(capsys, "check", "demo")
    assert code == 1
    assert "name the module with --module" in err


def test_path_that_no_system_has_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    code, _out, err = run(capsys, "check", "a" * 5_000)
    assert (code, err.count("\n")) == (1, 1)


def test_folder_that_is_gone_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    for words in (["new", "demo"], ["check", "demo"]):
        code, _out, err = run(capsys, *words)
        assert (code, err.count("\n")) == (1, 1)


def test_output_that_has_no_such_letters_is_escaped(tmp_path: Path) -> None:
    folder = tmp_path / "ü"
    folder.mkdir(mode=0o755)
    done = subprocess.run(
        [sys.executable, "-m", "mymcp", "plugin", "new", "demo"],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONIOENCODING": "ascii",
            "PYTHONPATH": str(Path(__file__).parents[2]),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    (line,) = (line for line in done.stdout.splitlines() if "manifest_path" in line)
    assert "/\\xfc/demo/" in line

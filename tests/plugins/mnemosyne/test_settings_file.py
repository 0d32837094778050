"""`~/.mnemosyne/config.toml`: every row of the tables on what it may be and what then counts.

All of it as somebody for whom permissions count; root would hide half of the refusals.
"""

import itertools
import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from mymcp.plugins.mnemosyne.settings import (
    FILE_MAX_BYTES,
    GATE_VARIABLES,
    Settings,
    SettingsError,
    resolve,
)

KEYS = {gate: f"{gate}_enabled" for gate in GATE_VARIABLES}
SHOWN = "~/.mnemosyne/config.toml"
Make = Callable[[Path], object]


@pytest.fixture
def home(unprivileged_root: Path) -> Path:
    return unprivileged_root.parent


@pytest.fixture
def path(home: Path) -> Path:
    """The settings file, which opens every gate."""
    return written(home / ".mnemosyne" / "config.toml", table(**dict.fromkeys(KEYS, "true")))


def written(path: Path, data: str | bytes) -> Path:
    path.parent.mkdir(mode=0o700, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    path.chmod(0o600)
    return path


def table(**values: str) -> str:
    lines = (f"{KEYS.get(name, name)} = {value}" for name, value in values.items())
    return "[memory]\n" + "".join(f"{line}\n" for line in lines)


def refusal(home: Path, environment: dict[str, str] | None = None) -> SettingsError:
    with pytest.raises(SettingsError) as caught:
        resolve(environment or {}, home)
    message = str(caught.value)
    assert message.startswith(f"{caught.value.code}: ")
    assert SHOWN in message
    assert str(home) not in message
    assert "\n" not in message
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__
    return caught.value


def code_of(home: Path) -> str:
    return refusal(home).code


@pytest.mark.parametrize("gate", GATE_VARIABLES)
@pytest.mark.parametrize("in_file", [None, "true", "false"])
@pytest.mark.parametrize("in_environment", [None, "true", "false"])
def test_a_variable_wins_over_its_own_key_and_what_nobody_says_is_off(
    home: Path, gate: str, in_file: str | None, in_environment: str | None
) -> None:
    # Every other gate says the opposite in the file, so a mix-up of gates would show.
    expected = (in_environment or in_file or "false") == "true"
    others = dict.fromkeys(set(GATE_VARIABLES) - {gate}, "false" if expected else "true")
    mine = {} if in_file is None else {gate: in_file}
    written(home / ".mnemosyne" / "config.toml", table(**others, **mine))
    environment = {} if in_environment is None else {GATE_VARIABLES[gate]: in_environment}
    assert resolve(environment, home).open_gates == ({gate} if expected else set(others))


@pytest.mark.parametrize(
    "said", list(itertools.product([None, "true", "false"], repeat=4)), ids=str
)
def test_only_what_no_variable_says_comes_from_the_file(
    home: Path, path: Path, said: tuple[str | None, ...]
) -> None:
    gates = dict(zip(GATE_VARIABLES, said, strict=True))
    environment = {GATE_VARIABLES[gate]: value for gate, value in gates.items() if value}
    opened = {gate for gate, value in gates.items() if value != "false"}
    assert resolve(environment, home).open_gates == opened


def test_the_file_is_not_touched_when_every_variable_is_set(
    home: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.write_text("broken")
    path.parent.chmod(0o777)

    def touched(*_arguments: object, **_options: object) -> None:
        raise AssertionError("the disk was touched")

    for call in ("lstat", "stat", "open"):
        monkeypatch.setattr(os, call, touched)
    environment = dict.fromkeys(GATE_VARIABLES.values(), "false")
    settings = resolve(environment | {GATE_VARIABLES["forget"]: "true"}, home)
    monkeypatch.undo()
    assert settings.open_gates == {"forget"}


def test_the_file_is_read_once_for_all_that_is_left(
    home: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[object] = []
    real = os.open

    def counted(name: Path, *arguments: int, **options: int | None) -> int:
        opened.append(Path(name).name)
        return real(name, *arguments, **options)

    monkeypatch.setattr(os, "open", counted)
    resolve({GATE_VARIABLES["revise"]: "true"}, home)
    assert opened == [".mnemosyne", "config.toml"]


@pytest.mark.parametrize("variable", GATE_VARIABLES.values())
def test_a_bad_variable_is_told_before_a_bad_file(home: Path, path: Path, variable: str) -> None:
    path.write_text("broken")
    with pytest.raises(SettingsError, match=f"^invalid_gate: {variable} "):
        resolve({variable: "maybe"}, home)
    with pytest.raises(SettingsError, match=r"^invalid_root: "):
        resolve({"MNEMOSYNE_MEMORY_ROOT": "relative"}, home)


def test_another_root_does_not_move_the_file(home: Path, path: Path) -> None:
    elsewhere = str(home / "elsewhere")
    settings = resolve({"MNEMOSYNE_MEMORY_ROOT": elsewhere}, home)
    assert settings == Settings(Path(elsewhere), frozenset(GATE_VARIABLES))


def test_a_home_that_is_no_absolute_path_has_no_settings_file() -> None:
    environment = {"MNEMOSYNE_MEMORY_ROOT": "/m"}
    assert refusal(Path("home"), environment).code == "unsafe_path"


@pytest.mark.parametrize(
    "text",
    ["", "\n", "# nothing\n", "[memory]\n", "memory = {}\n", "[memory]\r\n# nothing\r\n"],
)
def test_a_file_that_says_nothing_leaves_everything_off(home: Path, path: Path, text: str) -> None:
    written(path, text)
    assert resolve({}, home).open_gates == frozenset()


def test_no_file_leaves_everything_off_and_none_is_made(home: Path) -> None:
    assert resolve({}, home).open_gates == frozenset()
    assert list(home.iterdir()) == []
    (home / ".mnemosyne").mkdir(mode=0o700)
    assert resolve({}, home).open_gates == frozenset()
    assert list((home / ".mnemosyne").iterdir()) == []


def test_a_home_that_is_missing_leaves_everything_off(home: Path) -> None:
    assert resolve({}, home / "missing").open_gates == frozenset()


@pytest.mark.parametrize(
    "text",
    [
        "memory.forget_enabled = true",
        "memory = {forget_enabled = true}",
        '[memory]\n"forget_enabled" = true',
        "[memory]\nforget_enabled = true\nrevise_enabled = false",
        "[memory]\nforget_enabled=true#ä",
    ],
)
def test_every_way_to_write_a_switch_in_toml_counts(home: Path, path: Path, text: str) -> None:
    written(path, text)
    assert resolve({}, home).open_gates == {"forget"}


@pytest.mark.parametrize("mode", [0o755, 0o700, 0o711, 0o500])
def test_a_folder_that_nobody_else_may_write_is_accepted(home: Path, path: Path, mode: int) -> None:
    path.parent.chmod(mode)
    assert resolve({}, home).open_gates == frozenset(GATE_VARIABLES)


@pytest.mark.parametrize("mode", [0o644, 0o600, 0o400, 0o640])
def test_a_file_that_nobody_else_may_write_is_accepted(home: Path, path: Path, mode: int) -> None:
    path.chmod(mode)
    assert resolve({}, home).open_gates == frozenset(GATE_VARIABLES)


@pytest.mark.parametrize("mode", [0o775, 0o757, 0o777])
def test_a_folder_that_others_may_write_is_refused(home: Path, path: Path, mode: int) -> None:
    path.parent.chmod(mode)
    assert code_of(home) == "unsafe_permissions"


@pytest.mark.parametrize("mode", [0o664, 0o602, 0o646])
def test_a_file_that_others_may_write_is_refused(home: Path, path: Path, mode: int) -> None:
    path.chmod(mode)
    assert code_of(home) == "unsafe_permissions"


def test_a_file_of_somebody_else_is_refused(
    home: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    me = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: me + 1)
    assert code_of(home) == "unsafe_permissions"


def link_folder(path: Path) -> None:
    path.parent.symlink_to(path.parent.rename(path.parent.with_name("real")))


def link_file(path: Path) -> None:
    path.symlink_to(path.rename(path.with_name("real.toml")))


def dangle(path: Path) -> None:
    path.unlink()
    path.symlink_to("nowhere")


def loop(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.name)


def file_for_folder(path: Path) -> None:
    path.unlink()
    path.parent.rmdir()
    path.parent.touch(mode=0o600)


def pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path, 0o600)


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir(mode=0o700)


def listener(path: Path) -> None:
    path.unlink()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
    path.chmod(0o600)


def unreadable(path: Path) -> None:
    path.chmod(0o200)


def unsearchable(path: Path) -> None:
    path.parent.chmod(0o600)


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (link_folder, "unsafe_path"),
        (link_file, "unsafe_path"),
        (dangle, "unsafe_path"),
        (loop, "unsafe_path"),
        (file_for_folder, "unsafe_path"),
        (pipe, "not_regular"),
        (folder, "not_regular"),
        (listener, "not_regular"),
        (unreadable, "unreadable"),
        (unsearchable, "unreadable"),
    ],
)
def test_what_is_no_plain_file_in_a_plain_folder_is_refused(
    home: Path, path: Path, make: Make, code: str
) -> None:
    make(path)
    assert code_of(home) == code


def test_a_symlink_above_the_folder_is_accepted(home: Path, path: Path) -> None:
    (home / "link").symlink_to(home)
    assert resolve({}, home / "link").open_gates == frozenset(GATE_VARIABLES)


def test_a_home_that_is_a_file_or_a_loop_is_refused(home: Path, path: Path) -> None:
    (home / "loop").symlink_to("loop")
    assert refusal(path).code == refusal(home / "loop").code == "unsafe_path"


def test_a_file_as_long_as_the_bound_is_read_and_one_byte_more_is_not(
    home: Path, path: Path
) -> None:
    text = table(forget="true")
    written(path, text + "#" * (FILE_MAX_BYTES - len(text)))
    assert path.stat().st_size == 16_384
    assert resolve({}, home).open_gates == {"forget"}
    written(path, text + "#" * (FILE_MAX_BYTES - len(text) + 1))
    assert code_of(home) == "too_large"


@pytest.mark.parametrize("call", ["open", "pread"])
def test_a_file_that_is_replaced_while_it_is_read_is_refused(
    home: Path, path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    real = getattr(os, call)

    def replaced_first(*arguments: object, **options: object) -> object:
        monkeypatch.setattr(os, call, real)
        written(path.with_name("new"), path.read_bytes()).replace(path)
        return real(*arguments, **options)

    monkeypatch.setattr(os, call, replaced_first)
    assert code_of(home) == "unsafe_path"


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf[memory]\n",
        b"[memory]\nremember_enabled = \xff\n",
        "[memory]\n".encode("utf-16"),
        "[memory",
        "remember_enabled",
        "[memory]\nremember_enabled = True",
        "[memory]\nremember_enabled = true\nremember_enabled = true",
        "[memory]\n[memory]",
        "\0",
        "memory = " + "[" * 16_000,
        "memory = " + "9" * 16_000,
        "memory." * 2_000 + "forget_enabled = true",
    ],
)
def test_what_is_no_toml_is_refused(home: Path, path: Path, data: str | bytes) -> None:
    written(path, data)
    assert code_of(home) == "invalid_toml"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("secret = true", None),
        ("remember_enabled = true", None),
        ("[secret]\n", None),
        ("[memory]\n[server]\nport = 1", None),
        ("[Memory]\n", None),
        ("[[memory]]\nremember_enabled = true", "memory"),
        ("memory = true", "memory"),
        ("memory = 'secret'", "memory"),
        ("memory = 2026-11-30", "memory"),
        ("[memory]\nsecret = true", None),
        ("[memory]\nremember = true", None),
        ("[memory]\ncandidate_limit = 2000", None),
        ("[memory.remember_enabled]\n", "memory.remember_enabled"),
        ("[memory]\nremember_enabled = 'true'", "memory.remember_enabled"),
        ("[memory]\nremember_enabled = 'secret'", "memory.remember_enabled"),
        ("[memory]\narchive_restore_enabled = 1", "memory.archive_restore_enabled"),
        ("[memory]\nforget_enabled = 1.0", "memory.forget_enabled"),
        ("[memory]\nforget_enabled = []", "memory.forget_enabled"),
        ("[memory]\nrevise_enabled = nan", "memory.revise_enabled"),
        ("[memory]\nrevise_enabled = 2026-11-30", "memory.revise_enabled"),
        (f"[memory]\nrevise_enabled = {'9' * 900}", "memory.revise_enabled"),
    ],
)
def test_another_shape_is_refused_and_only_our_own_keys_are_named(
    home: Path, path: Path, text: str, place: str | None
) -> None:
    written(path, text)
    found = refusal(home)
    assert found.code == "invalid_schema"
    assert found.subject == (SHOWN if place is None else f"{place} in {SHOWN}")
    for content in ("secret", "server", "2026", "999"):
        assert content not in str(found)


def test_a_file_that_counts_for_one_gate_must_be_right_as_a_whole(home: Path, path: Path) -> None:
    written(path, table(remember="1", forget="true"))
    environment = {GATE_VARIABLES["remember"]: "true"}
    assert refusal(home, environment).code == "invalid_schema"


def test_the_file_is_never_changed(home: Path, path: Path) -> None:
    before, data = path.stat(), path.read_bytes()
    resolve({}, home)
    after = path.stat()
    assert (after.st_mtime_ns, after.st_ctime_ns) == (before.st_mtime_ns, before.st_ctime_ns)
    assert path.read_bytes() == data

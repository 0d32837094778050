"""The host configuration as a file: every row of the table of checks, and the event of each start.

All of it as somebody for whom permissions count; root would hide half of the refusals.
"""

import logging
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest

from mymcp.configuration import loading
from mymcp.configuration.loading import FILE_MAX_BYTES, load
from mymcp.configuration.refusal import SUBJECT, ConfigurationCode, HostConfigurationError
from mymcp.configuration.settings import HostSettings
from tests.configuration import refused
from tests.configuration.texts import SERVER, adapter, anonymous, expected, plugin, text

Change = Callable[[Path], object]

BUNDLED = frozenset({"mnemosyne", "memini"})
TEXT = text(1, SERVER)
SETTINGS = expected(1, address="127.0.0.9", port=8123)


@pytest.fixture
def base(unprivileged: Path) -> Path:
    return unprivileged


@pytest.fixture
def path(base: Path) -> Path:
    return written(base / "mymcp" / "config.toml", TEXT)


def written(path: Path, data: str | bytes) -> Path:
    path.parent.mkdir(mode=0o700, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    path.chmod(0o600)
    return path


def loaded(base: Path, chosen: Path | None = None) -> HostSettings:
    return load({"XDG_CONFIG_HOME": str(base)}, None, bundled=BUNDLED, chosen=chosen)


def refusal(base: Path, chosen: Path | None = None) -> HostConfigurationError:
    with pytest.raises(HostConfigurationError) as caught:
        loaded(base, chosen)
    message = str(caught.value)
    assert message.startswith(f"{caught.value.code}: ")
    assert SUBJECT in message
    assert str(base) not in message
    assert message.isprintable()
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    return caught.value


def code_of(base: Path) -> str:
    return refusal(base).code


def test_a_file_is_read_and_left_as_it_is(base: Path, path: Path) -> None:
    before, data = path.stat(), path.read_bytes()
    assert loaded(base) == SETTINGS
    after = path.stat()
    assert (after.st_mtime_ns, after.st_ctime_ns) == (before.st_mtime_ns, before.st_ctime_ns)
    assert path.read_bytes() == data


def test_the_home_folder_counts_without_a_variable(base: Path) -> None:
    (base / ".config").mkdir()
    written(base / ".config" / "mymcp" / "config.toml", TEXT)
    assert load({}, base, bundled=BUNDLED) == SETTINGS
    elsewhere = {"XDG_CONFIG_HOME": str(base / "elsewhere")}
    assert load(elsewhere, base, bundled=BUNDLED) == HostSettings()


def test_without_file_or_folder_the_defaults_hold_and_nothing_is_made(base: Path) -> None:
    assert loaded(base) == HostSettings()
    assert loaded(base / "missing") == HostSettings()
    assert list(base.iterdir()) == []
    (base / "mymcp").mkdir(mode=0o700)
    assert loaded(base) == HostSettings()
    assert list((base / "mymcp").iterdir()) == []


def test_an_empty_file_is_there_and_says_too_little(base: Path, path: Path) -> None:
    written(path, "")
    error = refusal(base)
    assert (error.code, error.key) == ("invalid_schema", "schema_version")


@pytest.mark.parametrize("mode", [0o755, 0o700, 0o711, 0o500, 0o2755])
def test_a_folder_that_nobody_else_may_write_is_accepted(base: Path, path: Path, mode: int) -> None:
    path.parent.chmod(mode)
    assert loaded(base) == SETTINGS


@pytest.mark.parametrize("mode", [0o644, 0o600, 0o400, 0o640, 0o444])
def test_a_file_that_nobody_else_may_write_is_accepted(base: Path, path: Path, mode: int) -> None:
    path.chmod(mode)
    assert loaded(base) == SETTINGS


@pytest.mark.parametrize("mode", [0o775, 0o757, 0o777, 0o720, 0o1777])
def test_a_folder_that_others_may_write_is_refused(base: Path, path: Path, mode: int) -> None:
    path.parent.chmod(mode)
    assert code_of(base) == "unsafe_permissions"


@pytest.mark.parametrize("mode", [0o664, 0o602, 0o646, 0o622, 0o666])
def test_a_file_that_others_may_write_is_refused(base: Path, path: Path, mode: int) -> None:
    path.chmod(mode)
    assert code_of(base) == "unsafe_permissions"


def test_a_file_of_somebody_else_is_refused(
    base: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    me = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: me + 1)
    assert code_of(base) == "unsafe_permissions"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
@pytest.mark.parametrize("whose", ["folder", "file"])
def test_files_of_root_are_accepted_and_those_of_a_stranger_are_not(
    base: Path, path: Path, whose: str
) -> None:
    places = {"folder": path.parent, "file": path}
    me = os.geteuid()
    os.seteuid(0)
    for place, mode in ((path.parent, 0o755), (path, 0o644)):
        os.chown(place, 0, 0)
        place.chmod(mode)
    os.seteuid(me)
    assert loaded(base) == SETTINGS
    os.seteuid(0)
    os.chown(places[whose], me - 1, me)
    os.seteuid(me)
    assert code_of(base) == "unsafe_permissions"


def link_folder(path: Path) -> None:
    path.parent.symlink_to(path.parent.rename(path.parent.with_name("real")))


def link_file(path: Path) -> None:
    path.symlink_to(path.rename(path.with_name("real.toml")))


def dangle(path: Path) -> None:
    path.unlink()
    path.symlink_to("nowhere")


def dangle_folder(path: Path) -> None:
    path.unlink()
    path.parent.rmdir()
    path.parent.symlink_to("nowhere")


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


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (link_folder, "unsafe_path"),
        (link_file, "unsafe_path"),
        (dangle, "unsafe_path"),
        (dangle_folder, "unsafe_path"),
        (loop, "unsafe_path"),
        (file_for_folder, "unsafe_path"),
        (pipe, "not_regular"),
        (folder, "not_regular"),
        (listener, "not_regular"),
        (lambda path: path.chmod(0o200), "unreadable"),
        (lambda path: path.parent.chmod(0o600), "unreadable"),
        (lambda path: path.parent.chmod(0o000), "unreadable"),
    ],
)
def test_what_is_no_plain_file_in_a_plain_folder_is_refused(
    base: Path, path: Path, make: Change, code: str
) -> None:
    make(path)
    assert code_of(base) == code


@pytest.mark.parametrize(
    ("faults", "code"),
    [
        ([lambda path: path.parent.chmod(0o777), link_file], "unsafe_permissions"),
        ([pipe, lambda path: path.chmod(0o666)], "not_regular"),
        ([lambda path: path.write_bytes(b"#" * 70_000), lambda path: path.chmod(0o666)],
         "unsafe_permissions"),
        ([lambda path: path.write_bytes(b"\xff" * 70_000)], "too_large"),
        ([lambda path: path.write_bytes(b"\xff = [")], "invalid_utf8"),
        ([lambda path: path.write_bytes(b"secret = [")], "invalid_toml"),
    ],
)  # fmt: skip
def test_the_first_check_that_fails_names_the_code(
    base: Path, path: Path, faults: list[Change], code: str
) -> None:
    for fault in faults:
        fault(path)
    assert code_of(base) == code


def test_links_further_up_and_hard_links_are_accepted(base: Path, path: Path) -> None:
    (base / "link").symlink_to(base)
    os.link(path, path.with_name("another"))
    assert loaded(base / "link") == SETTINGS


def test_a_base_that_is_a_file_a_loop_or_too_long_is_refused(base: Path, path: Path) -> None:
    (base / "loop").symlink_to("loop")
    assert code_of(path) == code_of(base / "loop") == "unsafe_path"
    assert code_of(base / ("x" * 300)) == "unreadable"


def test_a_file_as_long_as_the_bound_is_read_and_one_byte_more_is_not(
    base: Path, path: Path
) -> None:
    assert FILE_MAX_BYTES == 65_536
    written(path, TEXT + "#" * (FILE_MAX_BYTES - len(TEXT)))
    assert loaded(base) == SETTINGS
    written(path, TEXT + "#" * (FILE_MAX_BYTES - len(TEXT) + 1))
    assert code_of(base) == "too_large"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\xff", "invalid_utf8"),
        (b"a = '\xed\xa0\x80'", "invalid_utf8"),
        (TEXT.encode("utf-16"), "invalid_utf8"),
        (b"\xef\xbb\xbf" + TEXT.encode(), "invalid_toml"),
        (b"\0", "invalid_toml"),
        ("schema_version = 1\nschema_version = 1\n", "invalid_toml"),
        ("[server]\n[server]\n", "invalid_toml"),
        ("day = 2026-13-01", "invalid_toml"),
        ("schema_version", "invalid_toml"),
        ("a = " + "[" * 30_000, "invalid_toml"),
        ("a = " + "[" * 30_000 + "]" * 30_000, "invalid_toml"),
        ("a = " + "{a = " * 10_000, "invalid_toml"),
        ("a." * 30_000 + "a = 1", "invalid_toml"),
        ("schema_version = " + "9" * 60_000, "invalid_toml"),
        ("schema_version = 0x" + "f" * 60_000, "invalid_toml"),
        ("schema_version = " + "9" * 900, "unsupported_schema_version"),
        (text(1, f"[server]\nport = {'9' * 900}\n"), "invalid_schema"),
        (text(1, "plugins = " + "[" * 60 + "]" * 60 + "\n"), "invalid_schema"),
    ],
    ids=lambda value: repr(value[:24]),
)
def test_what_cannot_be_read_is_a_coded_failure_however_hostile(
    base: Path, path: Path, data: str | bytes, code: str
) -> None:
    written(path, data)
    assert code_of(base) == code


def replaced(path: Path) -> None:
    written(path.with_name("new"), path.read_bytes()).replace(path)


def rewritten_with_the_old_time(path: Path) -> None:
    before = path.stat()
    path.write_bytes(path.read_bytes().replace(b"8123", b"8124"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def appended(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"# more\n")


def removed(path: Path) -> None:
    path.unlink()


def folder_replaced(path: Path) -> None:
    path.parent.rename(path.parent.with_name("old"))
    written(path, TEXT)


@pytest.mark.parametrize(
    "change", [replaced, rewritten_with_the_old_time, appended, removed, folder_replaced, folder]
)
@pytest.mark.parametrize(("call", "number"), [("open", 1), ("open", 2), ("pread", 1), ("pread", 3)])
def test_a_swap_while_it_is_read_is_seen(
    base: Path, path: Path, monkeypatch: pytest.MonkeyPatch, call: str, number: int, change: Change
) -> None:
    real, count = getattr(os, call), 0

    def interrupted(*arguments: object, **options: object) -> object:
        nonlocal count
        count += 1
        if count == number:
            monkeypatch.setattr(os, call, real)
            change(path)
        return real(*arguments, **options)

    monkeypatch.setattr(os, call, interrupted)
    assert code_of(base) == "source_changed"


@pytest.mark.parametrize("change", [link_file, link_folder])
def test_a_swap_for_a_link_is_seen(
    base: Path, path: Path, monkeypatch: pytest.MonkeyPatch, change: Change
) -> None:
    real = os.open

    def interrupted(*arguments, **options) -> int:  # type: ignore[no-untyped-def]
        monkeypatch.setattr(os, "open", real)
        change(path)
        return real(*arguments, **options)

    monkeypatch.setattr(os, "open", interrupted)
    assert code_of(base) == "unsafe_path"


def test_a_chosen_file_counts_alone_and_must_be_there(base: Path, path: Path) -> None:
    chosen = written(base / "other" / "host.toml", text(2))
    assert loaded(base, chosen) == expected(2)
    path.write_text("broken")
    assert loaded(base, chosen) == expected(2)
    chosen.unlink()
    error = refusal(base, chosen)
    assert error.code == "unreadable"
    assert "--config" in str(error)
    assert "other" not in str(error)


def test_declarations_of_plugins_are_checked_at_the_end(base: Path, path: Path) -> None:
    written(path, text(2, plugin(2, id='"memini"')))
    error = refusal(base)
    assert (error.code, error.key) == ("bundled_plugin_conflict", "plugins#1.id")
    written(path, text(1, plugin(1, enabled="true")))
    assert code_of(base) == "enabled_plugin_unsupported"


def events(caplog: pytest.LogCaptureFixture) -> list[tuple[str, int, str]]:
    found = list(caplog.record_tuples)
    caplog.clear()
    return found


def test_one_event_tells_of_each_start(
    base: Path, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    name, start = "mymcp.host.configuration", "host_configuration outcome="
    parts = '[server]\naddress = "0:0::1"\n' + plugin(2) + plugin(2, id='"b"', enabled="true")
    written(path, text(2, parts))
    loaded(base)
    told = "loaded schema_version=2 address=0:0::1 port=8000 declarations=2 enabled=1"
    assert events(caplog) == [(name, logging.INFO, start + told)]
    loaded(base / "missing")
    told = "absent_defaults schema_version=1 address=127.0.0.1 port=8000 declarations=0 enabled=0"
    assert events(caplog) == [(name, logging.INFO, start + told)]
    for data, code in (("secret", "invalid_toml"), (text(1, "secret = 1\n"), "invalid_schema")):
        written(path, data)
        refusal(base)
        assert events(caplog) == [(name, logging.ERROR, f"{start}error code={code}")]
    written(path, text(2, plugin(2, id='"mnemosyne"')))
    refusal(base)
    told = "error code=bundled_plugin_conflict"
    assert events(caplog) == [(name, logging.ERROR, start + told)]


def test_only_the_models_of_the_format_in_use_are_imported(tmp_path: Path) -> None:
    written(tmp_path / "mymcp" / "config.toml", text(4, authentication=anonymous() + adapter()))
    ask = (
        "import sys; from mymcp.configuration.loading import load;"
        f"load({{'XDG_CONFIG_HOME': {str(tmp_path)!r}}}, None, bundled=());"
        "print(*sorted(n for n in sys.modules if '.models.config.host' in n))"
    )
    done = subprocess.run(
        [sys.executable, "-c", ask],
        cwd=Path(__file__).parents[2],
        env={"PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "mymcp._generated.models.config.host_v4\n"


def test_every_code_has_a_row_somewhere() -> None:
    tested = {row[2] for row in refused.rows()} | {code for code, _ in loading._SOURCES.values()}
    later = {"invalid_location", "bundled_plugin_conflict", "enabled_plugin_unsupported"}
    assert tested | later == set(get_args(ConfigurationCode))

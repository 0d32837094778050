"""Where the host configuration is looked for: one place, or none."""

from pathlib import Path

import pytest

from mymcp.configuration import location as module
from mymcp.configuration.location import VARIABLE, home_folder, location
from mymcp.configuration.refusal import HostConfigurationError

HOME = Path("/home/me")
OF_HOME = Path("/home/me/.config/mymcp/config.toml")


@pytest.mark.parametrize(
    ("said", "path"),
    [
        ("/etc/xdg", Path("/etc/xdg/mymcp/config.toml")),
        ("/", Path("/mymcp/config.toml")),
        ("/a/../b", Path("/a/../b/mymcp/config.toml")),
        ("/~/$HOME/%x", Path("/~/$HOME/%x/mymcp/config.toml")),
        ("/ä b", Path("/ä b/mymcp/config.toml")),
        ("", OF_HOME),
        ("relative", OF_HOME),
        ("./here", OF_HOME),
        ("~/xdg", OF_HOME),
        ("$HOME/xdg", OF_HOME),
        (" /etc/xdg", OF_HOME),
        (None, OF_HOME),
    ],
)
def test_an_absolute_variable_wins_as_it_stands_and_everything_else_means_home(
    said: str | None, path: Path
) -> None:
    assert location({} if said is None else {VARIABLE: said}, HOME) == path


def test_an_absolute_variable_needs_no_home() -> None:
    assert location({VARIABLE: "/etc/xdg"}, None) == Path("/etc/xdg/mymcp/config.toml")


@pytest.mark.parametrize(
    ("said", "home"),
    [
        ("/a\0b", HOME),
        ("a\0b", HOME),
        ("/\ud800", HOME),
        ("", None),
        ("relative", None),
        ("", Path("relative")),
        ("", Path()),
        ("", Path("/home/\udcff")),
    ],
)
def test_what_leads_nowhere_is_refused(said: str, home: Path | None) -> None:
    with pytest.raises(HostConfigurationError, match=VARIABLE) as caught:
        location({VARIABLE: said}, home)
    assert (caught.value.code, caught.value.key) == ("invalid_location", None)
    assert str(caught.value).isascii()


def test_a_home_that_nobody_can_tell_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    assert home_folder() == HOME

    def unknown() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(module.Path, "home", unknown)
    assert home_folder() is None

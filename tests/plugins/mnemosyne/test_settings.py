from pathlib import Path

import pytest

from mymcp.plugins.mnemosyne.settings import GATE_VARIABLES, Settings, SettingsError, resolve

HOME = Path("/home/somebody")
ROOT = "MNEMOSYNE_MEMORY_ROOT"


@pytest.mark.parametrize(
    ("value", "root"),
    [
        (None, "/home/somebody/.mnemosyne/memory"),
        ("", "/home/somebody/.mnemosyne/memory"),
        ("/srv/memory", "/srv/memory"),
        ("/srv/memory/", "/srv/memory"),
        ("/ ", "/ "),
        ("~", "/home/somebody"),
        ("~/notes", "/home/somebody/notes"),
        ("~root/notes", str(Path("~root").expanduser() / "notes")),
    ],
)
def test_the_root_is_absolute_and_stands_in_for_home(value: str | None, root: str) -> None:
    environment = {} if value is None else {ROOT: value}
    assert resolve(environment, HOME).root == Path(root)


@pytest.mark.parametrize(
    "value", ["memory", "./mem", " ", ".", "~no-such-user/x", "/a\0b", "$HOME/x"]
)
def test_a_root_that_is_not_absolute_is_refused_without_showing_it(value: str) -> None:
    with pytest.raises(
        SettingsError, match=r"^invalid_root: MNEMOSYNE_MEMORY_ROOT must "
    ) as caught:
        resolve({ROOT: value}, HOME)
    assert caught.value.code == "invalid_root"
    assert value.strip() in {"", "."} or value not in str(caught.value)


def test_a_relative_home_is_refused() -> None:
    with pytest.raises(SettingsError, match="invalid_root"):
        resolve({}, Path("home"))


def test_nothing_is_made_by_resolving(tmp_path: Path) -> None:
    resolve({}, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_every_gate_is_shut_until_it_is_opened() -> None:
    assert resolve({}, HOME).open_gates == frozenset()
    shut = dict.fromkeys(GATE_VARIABLES.values(), "false")
    assert resolve(shut, HOME).open_gates == frozenset()


@pytest.mark.parametrize("gate", GATE_VARIABLES)
def test_each_gate_opens_alone(gate: str) -> None:
    settings = resolve({GATE_VARIABLES[gate]: "true", ROOT: "/m"}, HOME)
    assert settings == Settings(Path("/m"), frozenset({gate}))


@pytest.mark.parametrize("gate", GATE_VARIABLES)
@pytest.mark.parametrize("value", ["", "TRUE", "True", " true", "true ", "1", "yes", "on", "0"])
def test_another_value_of_a_gate_is_refused_by_name(gate: str, value: str) -> None:
    variable = GATE_VARIABLES[gate]
    with pytest.raises(SettingsError, match=f"^invalid_gate: {variable} must be exactly") as caught:
        resolve({variable: value}, HOME)
    assert (caught.value.code, caught.value.variable) == ("invalid_gate", variable)


def test_the_first_bad_gate_is_named_before_a_bad_root() -> None:
    environment = dict.fromkeys(GATE_VARIABLES.values(), "maybe") | {ROOT: "relative"}
    with pytest.raises(SettingsError, match="MNEMOSYNE_MEMORY_REMEMBER_ENABLED"):
        resolve(environment, HOME)

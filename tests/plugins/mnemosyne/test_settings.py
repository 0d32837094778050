from pathlib import Path

import pytest

from mymcp.plugins.mnemosyne.settings import GATE_VARIABLES, Settings, SettingsError, resolve

HOME = Path("/home/somebody")
ROOT = "MNEMOSYNE_MEMORY_ROOT"
LIMIT = "MNEMOSYNE_MEMORY_CANDIDATE_LIMIT"


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
    assert (caught.value.code, caught.value.subject) == ("invalid_gate", variable)


@pytest.mark.parametrize(
    ("value", "limit"),
    [(None, 1_000), ("1000", 1_000), ("1001", 1_001), ("65536", 65_536), ("1000000", 1_000_000)],
)
def test_the_candidate_limit_is_a_thousand_or_what_the_operator_says(
    value: str | None, limit: int
) -> None:
    environment = {} if value is None else {LIMIT: value}
    assert resolve(environment, HOME).candidate_limit == limit


@pytest.mark.parametrize(
    "value",
    [
        "", "0", "999", "1000001", "10000000", "-1000", "+1000", "01000", " 1000", "1000 ",
        "1000\n", "1_000", "1,000", "1e3", "1000.0", "0x3e8", "many", "\u0661000", "9" * 5_000,
    ],
)  # fmt: skip
def test_another_candidate_limit_is_refused_by_name(value: str) -> None:
    with pytest.raises(SettingsError) as caught:
        resolve({LIMIT: value}, HOME)
    assert str(caught.value) == (
        f"invalid_candidate_limit: {LIMIT} must be a whole number from 1000 to 1000000"
    )
    assert (caught.value.code, caught.value.subject) == ("invalid_candidate_limit", LIMIT)


def test_mistakes_are_told_in_order_the_first_one_only() -> None:
    environment = dict.fromkeys(reversed(GATE_VARIABLES.values()), "maybe")
    environment |= {LIMIT: "many", ROOT: "relative"}
    for variable in (*GATE_VARIABLES.values(), ROOT, LIMIT):
        with pytest.raises(SettingsError, match=rf": {variable} must"):
            resolve(environment, HOME)
        del environment[variable]
    assert resolve(environment, HOME).open_gates == frozenset()

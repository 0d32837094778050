"""The table of documents: what each says, or the code and key of what is wrong with it."""

from random import Random

import pytest

from mymcp.configuration.document import checked, settings_in
from mymcp.configuration.refusal import SUBJECT, HostConfigurationError
from mymcp.configuration.settings import DeclaredPlugin, HostSettings
from mymcp.sources import document
from tests.configuration import accepted, refused
from tests.configuration.texts import VERSIONS, expected, plugin, text
from tests.contracts.mutation import instances
from tests.contracts.readers import reader_of

ACCEPTED, REFUSED = list(accepted.rows()), list(refused.rows())
BUNDLED = frozenset({"mnemosyne", "memini"})


def read(written: str) -> HostSettings:
    return settings_in(document.toml(written.encode()))


def refusal(written: str) -> HostConfigurationError:
    with pytest.raises(HostConfigurationError) as caught:
        read(written)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    return caught.value


@pytest.mark.parametrize(
    ("what", "written", "settings"), ACCEPTED, ids=[row[0] for row in ACCEPTED]
)
def test_a_right_document_gives_exactly_these_settings(
    what: str, written: str, settings: HostSettings
) -> None:
    assert read(written) == settings


@pytest.mark.parametrize(
    ("what", "written", "code", "key"), REFUSED, ids=[row[0] for row in REFUSED]
)
def test_a_wrong_document_is_refused_with_code_and_key(
    what: str, written: str, code: str, key: str | None
) -> None:
    error = refusal(written)
    assert (error.code, error.key) == (code, key)
    where = SUBJECT if key is None else f"{key} in {SUBJECT}"
    message = str(error)
    assert message.startswith(f"{code}: {where} ")
    assert message.isprintable()
    assert message.isascii()
    assert len(message) < 400
    for content in ("secret", "999", "2026", "alpha", "issuer.invalid", "/etc", "/opt"):
        assert content not in message


def test_the_table_is_large_and_says_nothing_twice() -> None:
    documents = [row[1] for row in ACCEPTED] + [row[1] for row in REFUSED]
    assert len(set(documents)) >= 250
    for version in VERSIONS:
        mine = {one for one in documents if one.startswith(f"schema_version = {version}\n")}
        assert len(mine) >= 30


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", sorted(BUNDLED))
@pytest.mark.parametrize("enabled", ["true", "false"])
def test_a_plugin_with_the_id_of_a_bundled_one_is_refused(
    version: int, name: str, enabled: str
) -> None:
    others = plugin(version, enabled="true")
    settings = read(text(version, others, plugin(version, id=f'"{name}"', enabled=enabled)))
    with pytest.raises(HostConfigurationError) as caught:
        checked(settings, BUNDLED)
    assert (caught.value.code, caught.value.key) == ("bundled_plugin_conflict", "plugins#2.id")


def test_a_plugin_that_format_1_enables_is_refused_and_later_ones_enable_it() -> None:
    settings = read(text(1, plugin(1), plugin(1, id='"beta"', enabled="true")))
    with pytest.raises(HostConfigurationError) as caught:
        checked(settings, BUNDLED)
    error = caught.value
    assert (error.code, error.key) == ("enabled_plugin_unsupported", "plugins#2.enabled")
    for version in VERSIONS[1:]:
        settings = read(text(version, plugin(version, enabled="true")))
        assert checked(settings, BUNDLED) is settings
        assert [one.id for one in settings.enabled_plugins] == ["alpha"]


def test_defaults_are_those_of_the_first_format() -> None:
    assert HostSettings() == read("schema_version = 1\n")
    assert HostSettings().usual_address == "127.0.0.1"
    session = (
        HostSettings().session_inactivity_timeout_seconds,
        HostSettings().session_absolute_lifetime_seconds,
    )
    assert session == (1_800, 28_800)
    assert HostSettings().anonymous_enabled
    assert HostSettings().strict_protocol_version


def test_an_address_or_port_for_one_run_wins() -> None:
    settings = expected(1, address="127.0.0.9", port=9)
    assert settings.at(None, None) == settings
    assert settings.at("::1", None) == expected(1, address="::1", port=9)
    assert settings.at(None, 10) == expected(1, address="127.0.0.9", port=10)
    assert expected(1, address="0:0::1").usual_address == "::1"


def test_settings_never_change_and_show_no_places() -> None:
    written = next(row[1] for row in ACCEPTED if row[0] == "v5: an issuer")
    settings = read(written)
    with pytest.raises(AttributeError):
        settings.port = 1  # type: ignore[misc]
    shown = repr(settings) + repr(read(text(2, plugin(2))))
    assert "issuer.invalid" not in shown
    assert "manifest.json" not in shown
    assert isinstance(hash(settings), int)
    assert settings.plugins == ()
    assert DeclaredPlugin("a", True) == DeclaredPlugin("a", True)


@pytest.mark.parametrize("version", VERSIONS)
def test_any_tables_are_settings_or_a_coded_refusal(version: int) -> None:
    read_by_model = reader_of(f"config/host-v{version}")
    bases = [document.toml(row[1].encode()) for row in ACCEPTED if row[2].schema_version == version]
    for tables in instances(bases, Random(version), 2_000):
        if isinstance(tables, dict):
            settings = outcome(tables)
            if isinstance(settings, HostSettings) and tables["schema_version"] == version:
                read_by_model.read(tables)


def outcome(tables: dict[str, object]) -> HostSettings | str:
    try:
        return settings_in(tables)
    except HostConfigurationError as error:
        return error.code

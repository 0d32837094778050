"""Manifests: what is accepted, and which of several faults is reported."""

from collections.abc import Mapping
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mymcp.contract.capability import Effects
from mymcp.plugin import (
    Authority,
    ConfigurationSchema,
    PluginContractError,
    PluginDefinition,
    parse_manifest_bytes,
    parse_manifest_mapping,
)
from mymcp.plugin.manifest import MANIFEST_MAX_BYTES
from tests.plugin.manifests import (
    Manifest,
    as_bytes,
    at,
    capability,
    changed,
    closed,
    configured,
    manifest,
    without,
)

UNKNOWN, MISSING, INVALID = (f"manifest_{kind}_field" for kind in ("unknown", "missing", "invalid"))
CONFIGURATION = "manifest_configuration_schema_invalid"
AUTHORITY = "manifest_authority_invalid"
KIND = "manifest_capability_kind_unsupported"
VERSION = "manifest_version_unsupported"


def code_of(value: object) -> tuple[str, str | None]:
    with pytest.raises(PluginContractError) as caught:
        parse_manifest_mapping(value)
    return caught.value.code, caught.value.field


def outcome_of(value: object) -> PluginDefinition | PluginContractError:
    try:
        return parse_manifest_mapping(value)
    except PluginContractError as error:
        return error


def nested(levels: int) -> Manifest:
    schema: Manifest = {"type": "string"}
    for _ in range(levels - 1):
        schema = closed(inner=schema)
    return schema


@pytest.mark.parametrize("name", ["mnemosyne.json"])
def test_bundled_manifest_is_read(name: str) -> None:
    data = files("mymcp._generated.data").joinpath("manifests", name).read_bytes()
    found = parse_manifest_bytes(data)
    assert (found.id, found.title) == ("mnemosyne", "Mnemosyne")
    assert found.capabilities[-1].effects == Effects(False, True, True, False)
    assert found.authority == Authority(("data_read", "data_write"))


@pytest.mark.parametrize(
    "good",
    [
        manifest(),
        {"$schema": None, **manifest()},
        {"$schema": "x" * 2048, **manifest()},
        manifest(version="1.0.0-alpha.1+build.5"),
        manifest(requires={"host_api": {"min": 1, "max": 255}}),
        manifest(capabilities=[capability(f"c{n}") for n in range(64)]),
        manifest(secret_references=[f"s{n}" for n in range(32)]),
        manifest(id="a1-b2", title="Ä" * 128, description="x" * 4096),
        manifest(authority={"filesystem": ["cache_write", "data_read"], "network": True}),
        configured(nested(4)),
        configured({**closed(a={"type": "array", "items": {"type": "null"}}), "required": ["a"]}),
        configured(closed(**{f"p{n}": {"type": "number"} for n in range(32)})),
    ],
)
def test_good_manifest_is_read_from_bytes_and_from_a_mapping(good: Manifest) -> None:
    assert parse_manifest_bytes(as_bytes(good)) == parse_manifest_mapping(good)


def test_definition_mirrors_the_manifest() -> None:
    whole = configured({**closed(n={"type": "integer"}), "required": ["n"]})
    found = parse_manifest_mapping({**whole, "secret_references": ["api_key"]})
    assert found.configuration.schema == ConfigurationSchema(
        "object", (("n", ConfigurationSchema("integer")),), ("n",)
    )
    assert found.secret_references == ("api_key",)
    assert [one.id for one in found.capabilities] == ["one", "two"]


def test_schema_of_the_file_is_no_part_of_the_definition() -> None:
    assert parse_manifest_mapping({"$schema": "x", **manifest()}) == parse_manifest_mapping(
        manifest()
    )


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ("{}", "manifest_resource_invalid"),
        (None, "manifest_resource_invalid"),
        (b" " * (MANIFEST_MAX_BYTES + 1), "manifest_resource_too_large"),
        (b"\xff{}", "manifest_resource_invalid_utf8"),
        (b'{"a":"\xed\xa0\x80"}', "manifest_resource_invalid_utf8"),
        (b"\xef\xbb\xbf{}", "manifest_resource_invalid_json"),
        (b"", "manifest_resource_invalid_json"),
        (b"{", "manifest_resource_invalid_json"),
        (b'{"a":NaN}', "manifest_resource_invalid_json"),
        (b'{"a":Infinity}', "manifest_resource_invalid_json"),
        (b'{"a":1e999}', "manifest_resource_invalid_json"),
        (b'{"a":' + b"9" * 5_000 + b"}", "manifest_resource_invalid_json"),
        (b"[" * 30_000 + b"]" * 30_000, "manifest_resource_invalid_json"),
        (b'{"a":' * 5_000 + b"1" + b"}" * 5_000, "manifest_resource_invalid_json"),
        (b'{"id":"a","id":"b"}', "manifest_resource_duplicate_key"),
        (b'{"a":{"b":1,"b":1}}', "manifest_resource_duplicate_key"),
        (b"[]", "manifest_root_invalid"),
        (b"null", "manifest_root_invalid"),
        (b'"text"', "manifest_root_invalid"),
    ],
)
def test_bytes_that_are_no_manifest_have_a_code(data: object, code: str) -> None:
    with pytest.raises(PluginContractError) as caught:
        parse_manifest_bytes(data)
    assert caught.value.code == code


def test_largest_manifest_is_read() -> None:
    data = as_bytes(manifest())
    parse_manifest_bytes(data + b" " * (MANIFEST_MAX_BYTES - len(data)))


# One fault each.
@pytest.mark.parametrize(
    ("broken", "code"),
    [
        (manifest(extra=1), UNKNOWN),
        (changed(without("title")), MISSING),
        (manifest(**{"$schema": ""}), INVALID),
        (manifest(**{"$schema": "x" * 2049}), INVALID),
        (manifest(**{"$schema": "a\nb"}), INVALID),
        (manifest(**{"$schema": 1}), INVALID),
        (manifest(manifest_version=2), VERSION),
        (manifest(manifest_version=True), VERSION),
        (manifest(manifest_version=1.0), VERSION),
        (manifest(manifest_version="1"), VERSION),
        (manifest(requires=[]), INVALID),
        (manifest(requires={}), MISSING),
        (manifest(requires={"host_api": {"min": 1, "max": 1}, "python": 3}), UNKNOWN),
        (manifest(requires={"host_api": 1}), INVALID),
        (manifest(requires={"host_api": {"min": 1}}), MISSING),
        (manifest(requires={"host_api": {"min": 1, "max": 1, "x": 1}}), UNKNOWN),
        (manifest(requires={"host_api": {"min": 0, "max": 1}}), INVALID),
        (manifest(requires={"host_api": {"min": 1, "max": 256}}), INVALID),
        (manifest(requires={"host_api": {"min": 2, "max": 1}}), INVALID),
        (manifest(requires={"host_api": {"min": True, "max": 1}}), INVALID),
        (manifest(requires={"host_api": {"min": 1.0, "max": 1}}), INVALID),
        (manifest(capabilities={}), INVALID),
        (manifest(capabilities=[]), INVALID),
        (manifest(capabilities=[capability(f"c{n}") for n in range(65)]), INVALID),
        (manifest(capabilities=["one"]), INVALID),
        (manifest(capabilities=[capability("one", extra=1)]), UNKNOWN),
        (changed(without("capabilities.1.consent")), MISSING),
        (manifest(capabilities=[capability("one", kind="prompt")]), KIND),
        (manifest(capabilities=[capability("one", kind=1)]), KIND),
        (manifest(capabilities=[capability("One")]), INVALID),
        (manifest(capabilities=[capability("a__b")]), INVALID),
        (manifest(capabilities=[capability("a-b")]), INVALID),
        (manifest(capabilities=[capability("a" * 65)]), INVALID),
        (manifest(capabilities=[capability("one", version="1.0")]), INVALID),
        (manifest(capabilities=[capability("one", version="01.0.0")]), INVALID),
        (manifest(capabilities=[capability("one", version="1.0.0\n")]), INVALID),
        (manifest(capabilities=[capability("one", read_only=1)]), INVALID),
        (manifest(capabilities=[capability("one", consent="ask")]), INVALID),
        (manifest(capabilities=[capability("one", destructive=True, consent="per_call")]), INVALID),
        (manifest(capabilities=[capability("one", destructive=True, read_only=False)]), INVALID),
        (manifest(capabilities=[capability("one")] * 2), "manifest_duplicate_capability"),
        (manifest(secret_references={}), INVALID),
        (manifest(secret_references=["A"]), INVALID),
        (manifest(secret_references=[1]), INVALID),
        (manifest(secret_references=["a", "a"]), "manifest_duplicate_secret_reference"),
        (manifest(secret_references=[f"s{n}" for n in range(33)]), INVALID),
        (manifest(id="Demo"), INVALID),
        (manifest(id="a--b"), INVALID),
        (manifest(id="a_b"), INVALID),
        (manifest(id="a" * 65), INVALID),
        (manifest(id=1), INVALID),
        (manifest(title=""), INVALID),
        (manifest(title=" "), INVALID),
        (manifest(title="x" * 129), INVALID),
        (manifest(title="a\x7fb"), INVALID),
        (manifest(title="a\x85b"), INVALID),
        (manifest(title="a\u202eb"), INVALID),
        (manifest(title="a\ud800b"), INVALID),
        (manifest(description="a\nb"), INVALID),
        (manifest(description="a\u2028b"), INVALID),
        (manifest(description="x" * 4097), INVALID),
        (manifest(version="v1.0.0"), INVALID),
        (manifest(configuration=[]), CONFIGURATION),
        (manifest(configuration={"schema_version": 1}), MISSING),
        (manifest(configuration={"schema_version": 1, "schema": closed(), "x": 1}), UNKNOWN),
        (manifest(configuration={"schema_version": 2, "schema": closed()}), CONFIGURATION),
        (manifest(configuration={"schema_version": True, "schema": closed()}), CONFIGURATION),
        (configured([]), CONFIGURATION),
        (configured({"type": "string"}), CONFIGURATION),
        (configured({}), MISSING),
        (configured({"type": "file"}), CONFIGURATION),
        (configured({"type": ["object"]}), CONFIGURATION),
        (configured({"type": "object", "properties": {}}), CONFIGURATION),
        (configured({"type": "object", "additionalProperties": False}), CONFIGURATION),
        (configured({**closed(), "additionalProperties": 0}), CONFIGURATION),
        (configured({**closed(), "description": "x"}), UNKNOWN),
        (configured({**closed(), "required": ["a"]}), CONFIGURATION),
        (configured({**closed(a={"type": "null"}), "required": ["a", "a"]}), CONFIGURATION),
        (configured({**closed(a={"type": "null"}), "required": "a"}), CONFIGURATION),
        (configured(closed(**{"": {"type": "null"}})), CONFIGURATION),
        (configured(closed(a={"type": "string", "minLength": 1})), UNKNOWN),
        (configured(closed(a={"type": "string", "items": {"type": "null"}})), UNKNOWN),
        (configured(closed(a={"type": "array"})), CONFIGURATION),
        (configured(closed(a={})), MISSING),
        (configured(closed(a=True)), CONFIGURATION),
        (configured(nested(5)), CONFIGURATION),
        (configured(nested(50)), CONFIGURATION),
        (
            configured(closed(**{f"p{n}": {"type": "number"} for n in range(33)})),
            CONFIGURATION,
        ),
        (manifest(data_schema_version=0), INVALID),
        (manifest(data_schema_version=256), INVALID),
        (manifest(data_schema_version=True), INVALID),
        (manifest(authority=[]), AUTHORITY),
        (manifest(authority={"filesystem": []}), MISSING),
        (manifest(authority={"filesystem": [], "network": False, "x": 1}), UNKNOWN),
        (manifest(authority={"filesystem": {}, "network": False}), AUTHORITY),
        (manifest(authority={"filesystem": ["root"], "network": False}), AUTHORITY),
        (manifest(authority={"filesystem": ["data_read"] * 2, "network": False}), AUTHORITY),
        (manifest(authority={"filesystem": [], "network": 0}), AUTHORITY),
    ],
)
def test_broken_manifest_has_its_code(broken: Manifest, code: str) -> None:
    assert code_of(broken)[0] == code


def test_every_code_of_a_manifest_explains_itself() -> None:
    with pytest.raises(PluginContractError) as caught:
        parse_manifest_mapping(changed(at("capabilities.1.kind", "prompt")))
    assert caught.value.field == "capabilities.1.kind"
    assert str(caught.value) == (
        f"{KIND} at capabilities.1.kind: Only capabilities of kind tool exist."
    )


@pytest.mark.parametrize("name", ["a b", "x\n", "é", "k" * 65])
def test_strange_names_are_not_repeated(name: str) -> None:
    assert code_of(manifest(**{name: 1})) == (UNKNOWN, "?")


# Whoever stands earlier in the list is reported, although all of them are broken at once.
ORDER = [
    (at("unknown", 1), UNKNOWN),
    (without("title"), MISSING),
    (at("$schema", 1), INVALID),
    (at("manifest_version", 2), VERSION),
    (at("requires", {"host_api": {"min": 0, "max": 1}, "x": 1}), UNKNOWN),
    (at("capabilities.0.kind", "prompt"), KIND),
    (at("capabilities.1.id", "one"), "manifest_duplicate_capability"),
    (at("secret_references", ["a", "a"]), "manifest_duplicate_secret_reference"),
    (at("description", ""), INVALID),
    (at("configuration", {"schema_version": 1, "schema": {}, "x": 1}), UNKNOWN),
    (at("authority", {"filesystem": ["root"], "network": False}), AUTHORITY),
]


@pytest.mark.parametrize("first", range(len(ORDER)))
def test_first_fault_of_the_fixed_order_is_reported(first: int) -> None:
    assert code_of(changed(*(change for change, _code in ORDER[first:])))[0] == ORDER[first][1]


def test_bounds_of_the_host_api_come_after_secrets_and_before_the_configuration() -> None:
    bounds = at("requires.host_api.min", 0)
    secrets, schema = at("secret_references", ["a", "a"]), at("configuration.schema", {})
    assert code_of(changed(bounds, secrets))[0] == "manifest_duplicate_secret_reference"
    assert code_of(changed(bounds, schema)) == (INVALID, "requires.host_api.min")


def test_too_many_capabilities_are_the_last_thing_to_be_reported() -> None:
    many = at("capabilities", [capability(f"c{n}") for n in range(64)] + [{"kind": "prompt"}])
    assert code_of(changed(many)) == (INVALID, "capabilities")
    assert code_of(changed(many, at("authority.network", 0)))[0] == AUTHORITY


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)
PLACES = [
    *manifest(), "requires.host_api", "requires.host_api.min", "capabilities.0",
    "capabilities.1.id",
    "capabilities.0.read_only", "configuration.schema", "configuration.schema.properties",
    "authority.filesystem", "authority.network", "extra",
]  # fmt: skip


@given(st.dictionaries(st.sampled_from(PLACES), json_values, min_size=1, max_size=3))
def test_any_manifest_is_read_or_refused_with_a_code(changes: Mapping[str, object]) -> None:
    nearly = manifest()
    for path, value in sorted(changes.items(), key=lambda pair: -pair[0].count(".")):
        at(path, value)(nearly)
    outcome = outcome_of(nearly)
    assert isinstance(outcome, PluginDefinition) or outcome.code.startswith("manifest_")


@pytest.mark.parametrize("key", [1, None, ("a",)])
def test_key_that_is_no_text_is_refused(key: object) -> None:
    assert code_of({**manifest(), key: 1})[0].startswith("manifest_")
    assert code_of(configured(closed(**{"a": {key: 1}})))[0].startswith("manifest_")

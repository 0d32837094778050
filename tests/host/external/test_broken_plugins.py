"""Plugins that must not start: each with its code, the code behind it, and no traceback."""

import logging
from collections.abc import Mapping
from pathlib import Path

import pytest

from mymcp.host.external.failure import ExternalPluginLoadError
from mymcp.host.external.reference import PluginReference
from mymcp.host.production import build_production_runtime
from tests.host.external.packages import written
from tests.plugin.manifests import Manifest, at, capability, changed, manifest

SECRET = "swordfish"
IMPORT, ENTRY = "external_plugin_import_failed", "external_plugin_entrypoint_invalid"
CONTRACT, TOGETHER = "external_plugin_contract_invalid", "external_plugin_composition_invalid"
MANIFEST = "external_manifest_invalid"

# What is wrong in the module: code, inner code, and what is appended to a module that works.
NAMED = (
    "class M(type):\n @property\n def __name__(cls): {}\nclass E(Exception, metaclass=M): pass\n"
)
MODULES = [
    (IMPORT, "RuntimeError", f"raise RuntimeError('{SECRET}')"),
    (IMPORT, "SyntaxError", "def"),
    (IMPORT, "ModuleNotFoundError", "import no_such_module_anywhere"),
    (IMPORT, "SystemExit", "raise SystemExit(0)"),
    (IMPORT, "SystemExit", "import sys; sys.exit('swordfish')"),
    (IMPORT, "KeyboardInterrupt", "raise KeyboardInterrupt"),
    (IMPORT, "GeneratorExit", "raise GeneratorExit"),
    (IMPORT, "RecursionError", "def f(): f()\nf()"),
    (IMPORT, "MemoryError", "raise MemoryError"),
    (IMPORT, "Odd", "class Odd(BaseException):\n def __str__(self): raise SystemExit\nraise Odd"),
    (IMPORT, "?", "raise type('a b\\n', (Exception,), {})()"),
    (IMPORT, "PluginContractError", "parse_manifest_bytes(b'')"),
    (ENTRY, "not_callable", "del mymcp_plugin_v1"),
    (ENTRY, "not_callable", "mymcp_plugin_v1 = None"),
    (ENTRY, "not_callable", "mymcp_plugin_v1 = PluginAdapter(DEFINITION, contribution())"),
    (ENTRY, "ValueError", "def __getattr__(name): raise ValueError(name)\ndel mymcp_plugin_v1"),
    (ENTRY, "TypeError", "def mymcp_plugin_v1(host): return None"),
    (ENTRY, "RuntimeError", f"def mymcp_plugin_v1(): raise RuntimeError('{SECRET}')"),
    (ENTRY, "SystemExit", "def mymcp_plugin_v1(): raise SystemExit"),
    (ENTRY, "KeyboardInterrupt", "def mymcp_plugin_v1(): raise KeyboardInterrupt"),
    (ENTRY, "ValueError", "def tools(): return [1]"),
    (ENTRY, "ValueError", "def contribution(): return 1"),
    (ENTRY, "ValueError", "def contribution(): return PluginContribution('demo', '1', [])"),
    (ENTRY, "ValueError", "handler = 1"),
    (ENTRY, "ValueError", "TOOL = None"),
    (ENTRY, "TypeError", "import threading\nTOOL = {'inputSchema': threading.Lock()}"),
    (CONTRACT, None, "def mymcp_plugin_v1(): return None"),
    (CONTRACT, None, "def mymcp_plugin_v1(): return PluginAdapter"),
    (CONTRACT, None, "def mymcp_plugin_v1(): return {'definition': DEFINITION}"),
    (CONTRACT, None, "async def mymcp_plugin_v1(): pass"),
    (CONTRACT, None, "def mymcp_plugin_v1():\n yield 1"),
    (CONTRACT, None, "class Odd:\n __class__ = property(lambda s: 1 / 0)\nmymcp_plugin_v1 = Odd"),
    (
        TOGETHER,
        "definition_manifest_mismatch",
        "from dataclasses import replace\nDEFINITION = replace(DEFINITION, title='Other')",
    ),
    (
        TOGETHER,
        "definition_manifest_mismatch",
        "from dataclasses import replace\nDEFINITION = replace(DEFINITION, id='other')",
    ),
    (
        TOGETHER,
        "contribution_plugin_mismatch",
        "def contribution(): return PluginContribution('other', '1.2.3', [])",
    ),
    (
        TOGETHER,
        "contribution_version_mismatch",
        "def contribution(): return PluginContribution('demo', '9.0.0', [])",
    ),
    (TOGETHER, "duplicate_selected_capability", "good = tools\ndef tools(): return good()[:1] * 2"),
    (TOGETHER, "capability_order_mismatch", "good = tools\ndef tools(): return good()[::-1]"),
    (
        TOGETHER,
        "undeclared_capability",
        "def tools(): return [ActivatedTool(CapabilityId('demo', 'three'), TOOL, handler,"
        " DEFINITION.capabilities[0].effects, 'none')]",
    ),
    (
        TOGETHER,
        "undeclared_capability",
        "def tools(): return [ActivatedTool(CapabilityId('other', 'one'), TOOL, handler,"
        " DEFINITION.capabilities[0].effects, 'none')]",
    ),
    (
        TOGETHER,
        "capability_metadata_mismatch",
        "def tools(): return [ActivatedTool(CapabilityId('demo', 'one'), TOOL, handler,"
        " DEFINITION.capabilities[0].effects, 'per_call')]",
    ),
    (TOGETHER, "handler_invalid", "async def handler(arguments): return text_result('ok')"),
    (
        TOGETHER,
        "handler_invalid",
        "class H:\n async def __call__(self, arguments): pass\nhandler = H()",
    ),
    (IMPORT, "E", NAMED.format("raise SystemExit") + "raise E"),
    (IMPORT, "E", NAMED.format("return 5") + "raise E"),
    (IMPORT, "ValueError", "__name__ = 'a code=none'\nraise ValueError"),
    (
        IMPORT,
        "ValueError",
        "class N:\n def __format__(self, how): raise SystemExit\n__name__ = N()\nraise ValueError",
    ),
    (TOGETHER, "AttributeError", "def mymcp_plugin_v1(): return object.__new__(PluginAdapter)"),
    (
        TOGETHER,
        "TypeError",
        "good = contribution\ndef contribution():\n found = good()\n"
        " object.__setattr__(found, 'tools', 5)\n return found",
    ),
    (TOGETHER, "SystemExit", "class H:\n def __getattribute__(self, name): raise SystemExit\n"
        " def __call__(self, arguments): pass\nhandler = H()"),
    (TOGETHER, "tool_not_serialisable", "TOOL['_meta'] = {'a': {1, 2}}"),
    (TOGETHER, "tool_not_serialisable", "TOOL['_meta'] = {'a': object()}"),
    (TOGETHER, "tool_not_serialisable", "TOOL['_meta'] = {'a': float('nan')}"),
    (TOGETHER, "tool_not_serialisable", "TOOL['_meta'] = {'a': b'bytes'}"),
    (TOGETHER, "tool_not_serialisable", "TOOL['_meta'] = {1: 2}"),
    (TOGETHER, "tool_not_serialisable", "TOOL['_meta'] = {'a': TOOL}"),
    (TOGETHER, "tool_not_serialisable", "TOOL['description'] = '\\ud800'"),
    (
        TOGETHER,
        "tool_not_serialisable",
        "for _ in range(100): TOOL['_meta'] = {'a': TOOL.get('_meta')}",
    ),
    (TOGETHER, "tool_too_large", "TOOL['description'] = 'x' * 70_000"),
    (TOGETHER, "tool_member_invalid", "del TOOL['inputSchema']"),
    (TOGETHER, "tool_member_invalid", "TOOL['inputSchema'] = None"),
    (TOGETHER, "tool_member_invalid", "TOOL['inputSchema'] = True"),
    (TOGETHER, "tool_member_invalid", "TOOL['handler'] = 'x'"),
    (TOGETHER, "tool_member_invalid", "TOOL['description'] = 5"),
    (TOGETHER, "tool_member_invalid", "TOOL['annotations'] = {'title': 5}"),
    (TOGETHER, "tool_member_invalid", "TOOL['icons'] = [{'src': 'file:///etc/hosts'}]"),
    (TOGETHER, "tool_member_invalid", "TOOL['_meta'] = {'io.modelcontextprotocol/x': 1}"),
    (TOGETHER, "tool_schema_root", "TOOL['inputSchema'] = {}"),
    (TOGETHER, "tool_schema_root", "TOOL['inputSchema']['type'] = 'array'"),
    (TOGETHER, "tool_schema_root", "TOOL['inputSchema']['type'] = ['object']"),
    (TOGETHER, "tool_schema_root", "TOOL['outputSchema'] = {'type': 'array'}"),
    (TOGETHER, "tool_schema_invalid", "TOOL['inputSchema']['properties'] = []"),
    (TOGETHER, "tool_schema_invalid", "TOOL['inputSchema']['required'] = 'a'"),
    (TOGETHER, "tool_schema_invalid", "TOOL['inputSchema']['properties']['a'] = {'type': 'int'}"),
    (TOGETHER, "tool_schema_invalid", "TOOL['inputSchema']['properties']['a'] = {'pattern': '('}"),
    (TOGETHER, "tool_schema_invalid", "TOOL['inputSchema']['properties']['a'] = {'anyOf': []}"),
    (
        TOGETHER,
        "tool_schema_invalid",
        "TOOL['inputSchema']['$schema'] = 'http://json-schema.org/draft-07/schema#'",
    ),
    (TOGETHER, "tool_schema_invalid", "TOOL['outputSchema'] = {'type': 'object', 'not': 1}"),
    (
        TOGETHER,
        "tool_schema_reference",
        "TOOL['inputSchema']['properties']['a'] = {'$ref': 'https://127.0.0.1:9/schema'}",
    ),
    (
        TOGETHER,
        "tool_schema_reference",
        "TOOL['inputSchema']['properties']['a'] = {'$ref': 'file:///etc/hosts'}",
    ),
    (
        TOGETHER,
        "tool_schema_reference",
        "TOOL['inputSchema']['properties']['a'] = {'$ref': '#/$defs/none'}",
    ),
    (
        TOGETHER,
        "tool_header_invalid",
        "TOOL['inputSchema']['properties']['a'] = {'type': 'number', 'x-mcp-header': 'A'}",
    ),
    (TOGETHER, "unsafe_schema", "TOOL['inputSchema']['properties']['a b'] = {'type': 'string'}"),
    (
        TOGETHER,
        "unsafe_schema",
        "TOOL['inputSchema']['properties'] = {f'p{n}': {'type': 'string'} for n in range(51)}",
    ),
]  # fmt: skip

# What is wrong in the manifest: code, inner code, content.
MANIFESTS: list[tuple[str, str | None, Manifest | bytes]] = [
    (MANIFEST, "manifest_resource_invalid_utf8", b"\xff"),
    (MANIFEST, "manifest_resource_invalid_json", b"{"),
    (MANIFEST, "manifest_resource_invalid_json", b""),
    (MANIFEST, "manifest_resource_invalid_json", b"\xef\xbb\xbf{}"),
    (MANIFEST, "manifest_resource_invalid_json", b"[" * 60_000),
    (MANIFEST, "manifest_resource_duplicate_key", b'{"id":"a","id":"a"}'),
    (MANIFEST, "manifest_root_invalid", b"[]"),
    (MANIFEST, "manifest_unknown_field", manifest(module="x")),
    (MANIFEST, "manifest_missing_field", {}),
    (MANIFEST, "manifest_invalid_field", manifest(title="a\nb")),
    (MANIFEST, "manifest_version_unsupported", manifest(manifest_version=2)),
    (MANIFEST, "manifest_capability_kind_unsupported", changed(at("capabilities.0.kind", "x"))),
    (MANIFEST, "manifest_duplicate_capability", changed(at("capabilities.1.id", "one"))),
    (MANIFEST, "manifest_duplicate_secret_reference", manifest(secret_references=["a", "a"])),
    (MANIFEST, "manifest_configuration_schema_invalid", changed(at("configuration.schema", []))),
    (MANIFEST, "manifest_authority_invalid", changed(at("authority.network", 1))),
    (MANIFEST, "manifest_invalid_field", changed(at("capabilities.0.destructive", True))),
    ("external_manifest_too_large", None, b" " * 65_537),
    ("external_manifest_identity_mismatch", None, manifest(id="other")),
    (
        "external_manifest_host_api_incompatible",
        "host_api_incompatible",
        changed(at("requires.host_api", {"min": 2, "max": 9})),
    ),
]  # fmt: skip


def failure_of(
    references: list[PluginReference], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> ExternalPluginLoadError:
    """Return how a start with these plugins fails; what it logs and says is checked on the way."""
    caplog.set_level(logging.INFO)
    with pytest.raises(ExternalPluginLoadError) as caught:
        build_production_runtime({}, tmp_path, references)
    error = caught.value
    lines = [one.getMessage() for one in caplog.records if one.name == "mymcp.host.bootstrap"]
    assert lines == [f"runtime_composition outcome=error {error.fields()}"]
    assert all(record.exc_info is None for record in caplog.records)
    for text in (*lines, str(error)):
        assert SECRET not in text
        assert str(tmp_path) not in text
        assert "\n" not in text
    assert error.__cause__ is None
    assert error.__suppress_context__ or error.__context__ is None
    return error


@pytest.mark.parametrize(("code", "inner", "more"), MODULES)
def test_plugin_that_is_broken_has_its_code(
    code: str,
    inner: str | None,
    more: str,
    site: Path,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    error = failure_of([written(site, more, position=3)], tmp_path, caplog)
    assert (error.code, error.inner) == (code, inner)
    assert f"code={code} position=3 plugin=demo" in caplog.text


@pytest.mark.parametrize(("code", "inner", "content"), MANIFESTS)
def test_manifest_that_is_broken_has_its_code_and_no_module_is_imported(
    code: str,
    inner: str | None,
    content: Mapping[str, object] | bytes,
    site: Path,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    mark = tmp_path / "imported"
    marking = f"open({str(mark)!r}, 'w').close()\n"
    good = written(site, marking, plugin_id="good", content=manifest(id="good"))
    broken = written(site, marking, content=content, position=2)
    error = failure_of([good, broken], tmp_path, caplog)
    assert (error.code, error.inner) == (code, inner)
    assert error.reference == broken
    assert not mark.exists()


def test_there_are_at_least_sixty_broken_plugins() -> None:
    assert len(MODULES) + len(MANIFESTS) >= 60


@pytest.mark.parametrize("module", ["json", "os.path", "__main__", "mymcp.plugin", "mymcp"])
def test_module_that_is_no_plugin_is_not_imported(
    module: str, site: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    error = failure_of([written(site, module=module)], tmp_path, caplog)
    assert (error.code, error.inner) == (IMPORT, "reserved_module")


@pytest.mark.parametrize("plugin_id", ["mnemosyne", "memini"])
def test_id_of_a_bundled_plugin_is_a_conflict(
    plugin_id: str, site: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    reference = written(site, plugin_id=plugin_id)
    assert failure_of([reference], tmp_path, caplog).code == "bundled_plugin_conflict"


def test_plugin_called_like_the_host_cannot_name_its_tools(
    site: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    error = failure_of([written(site, plugin_id="mymcp")], tmp_path, caplog)
    assert (error.code, error.inner) == (TOGETHER, "reserved_tool_name")


def test_name_of_more_than_64_characters_is_refused_not_shortened(
    site: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    long = manifest(id="a" * 40, capabilities=[capability("b" * 23)])
    error = failure_of([written(site, plugin_id="a" * 40, content=long)], tmp_path, caplog)
    assert (error.code, error.inner) == (TOGETHER, "invalid_tool_name")


def test_second_plugin_of_the_same_id_is_the_one_at_fault(
    site: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    twins = [written(site), written(site, position=2)]
    error = failure_of(twins, tmp_path, caplog)
    assert (error.code, error.inner, error.reference) == (TOGETHER, "duplicate_plugin", twins[1])


def test_all_plugins_are_imported_before_any_is_compared(
    site: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    other = "def contribution(): return PluginContribution('other', '1.2.3', [])"
    broken = written(site, "raise ValueError", plugin_id="b", position=2)
    assert failure_of([written(site, other), broken], tmp_path, caplog).code == IMPORT


FICKLE = """
class Fickle(PluginAdapter):
    asked = 0
    @property
    def contribution(self):
        Fickle.asked += 1
        if Fickle.asked > 1:
            {}
        return contribution()

def mymcp_plugin_v1():
    adapter = object.__new__(Fickle)
    return adapter

Fickle.definition = DEFINITION
"""
OTHERS = (
    "return PluginContribution('other', '1.2.3', [ActivatedTool(CapabilityId('other', 'one'),"
    " TOOL, handler, DEFINITION.capabilities[0].effects, DEFINITION.capabilities[0].consent)])"
)


@pytest.mark.parametrize("then", ["raise SystemExit", OTHERS, "return None"])
def test_plugin_is_asked_once_what_it_contributes(then: str, site: Path, tmp_path: Path) -> None:
    runtime = build_production_runtime({}, tmp_path, [written(site, FICKLE.format(then))])
    assert [name for name in runtime.tools if "__" in name] == ["demo__one", "demo__two"]


def test_tools_that_tire_of_being_counted_are_copied_first(site: Path, tmp_path: Path) -> None:
    tiring = """
class Tiring(tuple):
    asked = 0
    def __iter__(self):
        Tiring.asked += 1
        if Tiring.asked > 1:
            raise KeyboardInterrupt
        return tuple.__iter__(self)

good = contribution
def contribution():
    found = good()
    object.__setattr__(found, "tools", Tiring(found.tools))
    return found
"""
    runtime = build_production_runtime({}, tmp_path, [written(site, tiring)])
    assert "demo__one" in runtime.tools

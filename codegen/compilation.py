"""The catalog as the emitters want it: resolved, ordered, with what derives from it.

Works on a catalog that the linter let pass; a catalog that it would refuse gives errors of no
particular kind.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, cast

from codegen.catalog import Catalog, Document
from codegen.digest import digest
from codegen.policies import Policy, compile_policy
from mymcp.schema.publication import Loss, publish, publish_answer
from mymcp.schema.resolution import resolve

Members = Mapping[str, object]

FormatKind = Literal["record", "manifest", "config", "credential"]
"""What a format describes; also the member of its contract that holds the schema."""

_HOST = "host"
_EFFECTS = ("read_only", "destructive", "idempotent", "open_world")


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool.

    `contract` is its envelope with every reference resolved, `published` what clients are shown,
    `losses` what that leaves out of the arguments, `digest` names the contract without its version.
    """

    source: str
    plugin: str
    name: str
    version: str
    contract: Members
    published: Members
    losses: tuple[Loss, ...]
    digest: str

    @property
    def input(self) -> Members:
        """The resolved schema of the arguments."""
        return members(self.contract["input"])

    @property
    def result(self) -> Members:
        """The resolved schema of the result."""
        return members(self.contract["result"])

    @property
    def effects(self) -> Members:
        """The four effects, by name."""
        return members(self.contract["effects"])

    @property
    def gate(self) -> str | None:
        """The operator's switch that this tool stands behind, if there is one."""
        gate = self.contract["gate"]
        return None if gate is None else str(gate)


@dataclass(frozen=True, slots=True)
class Format:
    """One format of records, manifests or settings files; `schema` is resolved.

    `version` is none where values of the format do not say one, so that there is no second.
    """

    source: str
    kind: FormatKind
    name: str
    version: int | None
    contract: Members
    digest: str

    @property
    def schema(self) -> Members:
        """The resolved schema of one value."""
        return members(self.contract[self.kind])

    @property
    def id(self) -> str:
        """The name with its version, `memory-v2`, or the name alone."""
        return self.name if self.version is None else f"{self.name}-v{self.version}"

    @property
    def capability(self) -> str:
        """The name in the ledger and of the page: `record-memory-v2`."""
        return f"{self.kind}-{self.id}"

    @property
    def model(self) -> str:
        """The name of the generated class."""
        return str(self.schema["title"])


@dataclass(frozen=True, slots=True)
class Plugin:
    """One plugin and its tools in public order. The host has no manifest of its own."""

    source: str
    id: str
    title: str
    description: str
    tools: tuple[Tool, ...]
    manifest: Members | None
    digest: str


@dataclass(frozen=True, slots=True)
class Compilation:
    """Everything that is emitted, in public order: the host first, then plugins by id."""

    plugins: tuple[Plugin, ...]
    formats: tuple[Format, ...]
    profiles: tuple[Document, ...]
    policies: tuple[Policy, ...] = ()

    @property
    def tools(self) -> tuple[Tool, ...]:
        """All tools in public order."""
        return tuple(tool for plugin in self.plugins for tool in plugin.tools)

    def formats_of(self, kind: FormatKind) -> tuple[Format, ...]:
        """Return the formats of one kind, by name and version."""
        return tuple(item for item in self.formats if item.kind == kind)


def compile_catalog(catalog: Catalog) -> Compilation:
    """Return what the emitters need of a linted `catalog`."""
    tools = {tool.name: tool for tool in (_tool(d, catalog) for d in catalog.of("tool"))}
    plugins = (_plugin(document, tools) for document in catalog.of("plugin"))
    formats = (
        *(_format(document, "record", catalog) for document in catalog.of("record")),
        *(_format(document, "manifest", catalog) for document in catalog.of("manifest_schema")),
        *(_format(document, "config", catalog) for document in catalog.of("config")),
        *(_format(document, "credential", catalog) for document in catalog.of("credential")),
    )
    return Compilation(
        tuple(sorted(plugins, key=lambda plugin: (plugin.id != _HOST, plugin.id))),
        tuple(sorted(formats, key=lambda item: (item.kind, item.name, item.version or 0))),
        catalog.of("profile"),
        tuple(compile_policy(document) for document in catalog.of("policy")),
    )


def members(value: object) -> Members:
    """Return `value` as the JSON object that a linted contract has there."""
    if not isinstance(value, Mapping):
        raise TypeError("a JSON object was expected")
    return cast(Members, value)


def _tool(document: Document, catalog: Catalog) -> Tool:
    contract = dict(_resolved(document, ("input", "result"), catalog))
    contract["errors"] = [
        _error(members(entry), document, position, catalog)
        for position, entry in enumerate(cast(list[object], contract["errors"]))
    ]
    return Tool(
        source=document.path,
        plugin=str(contract["plugin"]),
        name=str(contract["name"]),
        version=str(contract["version"]),
        contract=contract,
        published=_published(contract),
        losses=publish(members(contract["input"])).losses,
        digest=_digest(contract),
    )


def _error(entry: Members, document: Document, position: int, catalog: Catalog) -> Members:
    details = entry.get("details")
    if details is None:
        return entry
    place = f"/errors/{position}/details"
    resolved = {
        name: resolve(members(schema), document.path, catalog.values, pointer=f"{place}/{name}")
        for name, schema in members(details).items()
    }
    return {**entry, "details": resolved}


def _published(contract: Members) -> Members:
    """Return the definition that `tools/list` shows; annotations derive from the effects."""
    effects = members(contract["effects"])
    return {
        "name": contract["name"],
        "title": contract["title"],
        "description": contract["description"],
        "inputSchema": publish(members(contract["input"])).schema,
        "outputSchema": publish_answer(members(contract["result"])).schema,
        "annotations": {
            "title": contract["title"],
            "readOnlyHint": effects["read_only"],
            "destructiveHint": effects["destructive"],
            "idempotentHint": effects["idempotent"],
            "openWorldHint": effects["open_world"],
        },
    }


def _format(document: Document, kind: FormatKind, catalog: Catalog) -> Format:
    contract = _resolved(document, (kind,), catalog)
    return Format(
        source=document.path,
        kind=kind,
        name=str(contract["name"]),
        version=cast(int | None, contract.get("version")),
        contract=contract,
        digest=_digest(contract),
    )


def _plugin(document: Document, tools: Mapping[str, Tool]) -> Plugin:
    declared = document.members
    offered = tuple(tools[str(name)] for name in cast(list[object], declared["tools"]))
    manifest = _manifest(declared, offered) if "version" in declared else None
    return Plugin(
        source=document.path,
        id=str(declared["id"]),
        title=str(declared["title"]),
        description=str(declared["description"]),
        tools=offered,
        manifest=manifest,
        digest=_digest(manifest) if manifest else "",
    )


def _manifest(declared: Members, tools: tuple[Tool, ...]) -> Members:
    """Return the complete manifest: what the plugin says, and capabilities from the envelopes."""
    return {
        "manifest_version": 1,
        "id": declared["id"],
        "title": declared["title"],
        "description": declared["description"],
        "version": declared["version"],
        "requires": declared["requires"],
        "capabilities": [_declared_capability(tool) for tool in tools],
        "configuration": declared["configuration"],
        "secret_references": declared["secret_references"],
        "data_schema_version": declared["data_schema_version"],
        "authority": declared["authority"],
    }


def _declared_capability(tool: Tool) -> Members:
    return {
        "kind": "tool",
        "id": tool.name,
        "version": tool.version,
        **{effect: tool.effects[effect] for effect in _EFFECTS},
        "consent": tool.contract["consent"],
    }


def _resolved(document: Document, roots: tuple[str, ...], catalog: Catalog) -> Members:
    """Return the envelope without references: its roots stand alone, `$defs` is gone."""
    return dict(_resolved_members(document, roots, catalog))


def _resolved_members(
    document: Document, roots: tuple[str, ...], catalog: Catalog
) -> Iterator[tuple[str, object]]:
    for name, value in document.members.items():
        if name in roots:
            schema = members(value)
            yield name, resolve(schema, document.path, catalog.values, pointer=f"/{name}")
        elif name not in {"$schema", "$defs"}:
            yield name, value


def _digest(contract: Members) -> str:
    return digest({name: value for name, value in contract.items() if name != "version"})

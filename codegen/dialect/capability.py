"""D18 and D19: what a contract is, who it belongs to, and what it may do."""

import re
from collections.abc import Iterator

from codegen.catalog import Document
from codegen.dialect.finding import Finding
from codegen.dialect.names import SCHEMAS, class_prefix, names_are_free
from codegen.dialect.sites import as_list, as_object
from codegen.dialect.subject import Subject

SEMVER = re.compile(
    r"(?:0|[1-9][0-9]*)(?:\.(?:0|[1-9][0-9]*)){2}"
    r"(?:-(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
    r"(?:\.(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*))*)?"
    r"(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?"
)

NUMBERED = re.compile(r"-v[0-9]+\Z")
"""The end of a file name that says the number of a format."""


def effects_agree(subject: Subject) -> Iterator[Finding]:
    """D18: consent and gate agree with the effects."""
    document = subject.document
    if document.kind != "tool":
        return
    effects, place = as_object(document.members.get("effects")), subject.place
    if effects.get("read_only") is True:
        if effects.get("destructive") is True:
            remedy = "decide: what destroys does not only read"
            yield place.below("effects", "destructive").breaks("D18", "it only reads", remedy)
        if document.members.get("consent") != "none":
            remedy = "write consent none; a read needs none"
            yield place.below("consent").breaks("D18", "it only reads", remedy)
        if document.members.get("gate") is not None:
            remedy = "write gate null; a read needs none"
            yield place.below("gate").breaks("D18", "it only reads", remedy)
    elif effects.get("read_only") is False:
        if document.members.get("consent") != "per_call":
            remedy = "write consent per_call; each change needs approval"
            yield place.below("consent").breaks("D18", "it changes something", remedy)
        if not isinstance(document.members.get("gate"), str):
            remedy = "name a gate; the operator must be able to switch it off"
            yield place.below("gate").breaks("D18", "it changes something", remedy)


def names_agree(subject: Subject) -> Iterator[Finding]:
    """D19: files, names, titles, versions and manifests agree."""
    match subject.document.kind:
        case "stray":
            remedy = "move it into a folder of contracts/, two levels deep for tools"
            yield subject.place.breaks("D19", "no place for a contract", remedy)
        case "tool":
            yield from _tool(subject)
        case "plugin":
            yield from _plugin(subject)
        case "record" | "manifest_schema" | "config" | "credential" | "policy" | "profile":
            yield from _format(subject)
    yield from names_are_free(subject)


def _tool(subject: Subject) -> Iterator[Finding]:
    document, place = subject.document, subject.place
    name, plugin = document.members.get("name"), document.members.get("plugin")
    if isinstance(name, str) and name != document.stem:
        remedy = f"write {document.stem}, or rename the file"
        yield place.below("name").breaks("D19", "not the name of the file", remedy)
    if isinstance(plugin, str) and plugin != document.folder:
        remedy = f"write {document.folder}, or move the file"
        yield place.below("plugin").breaks("D19", "not the name of the folder", remedy)
    for role, ending in (("input", "Request"), ("result", "Result")):
        wanted = f"{class_prefix(document.stem)}{ending}"
        if as_object(document.members.get(role)).get("title", wanted) != wanted:
            message, remedy = "not named after the tool", f"write {wanted}"
            yield place.below(role, "title").breaks("D19", message, remedy)
    yield from _version(subject)
    manifest = subject.context.catalog.at(f"contracts/manifests/{document.folder}.json")
    if manifest is None:
        remedy = f"write contracts/manifests/{document.folder}.json"
        yield place.below("plugin").breaks("D19", "the plugin has no manifest", remedy)
    elif manifest.members and as_list(manifest.members.get("tools")).count(document.stem) != 1:
        remedy = f"list it once in {manifest.path}; the order there is the public order"
        yield place.below("name").breaks("D19", "not once in the manifest", remedy)
    for other in subject.context.catalog.of("tool"):
        if other.stem == document.stem and other.path < document.path:
            message = f"{other.path} has this name"
            yield place.below("name").breaks("D19", message, "choose another name")


def _plugin(subject: Subject) -> Iterator[Finding]:
    document, place = subject.document, subject.place
    if document.members.get("id", document.stem) != document.stem:
        remedy = f"write {document.stem}, or rename the file"
        yield place.below("id").breaks("D19", "not the name of the file", remedy)
    if "version" in document.members:
        yield from _version(subject)
    tools = {
        tool.stem for tool in subject.context.catalog.of("tool") if tool.folder == document.stem
    }
    for position, name in enumerate(as_list(document.members.get("tools"))):
        if not isinstance(name, str) or name not in tools:
            remedy = f"remove it, or write contracts/tools/{document.stem}/{name}.json"
            yield place.below("tools", position).breaks("D19", "no tool of this plugin", remedy)


def _format(subject: Subject) -> Iterator[Finding]:
    document, place = subject.document, subject.place
    name, version = document.members.get("name"), document.members.get("version")
    if not _is_numbered(document):
        if document.stem != name:
            remedy = "name the file <name>.json, or give the format a version"
            yield place.below("name").breaks("D19", "not the name of the file", remedy)
        return
    if f"{name}-v{version}" != document.stem:
        remedy = "name the file <name>-v<version>.json"
        yield place.breaks("D19", "name and version are not those of the file", remedy)
    role = SCHEMAS.get(document.kind)
    if role is not None and version is not None:
        title = as_object(document.members.get(role)).get("title")
        if isinstance(title, str) and not title.endswith(f"V{version}"):
            message, remedy = "the version is not in the class name", f"end it with V{version}"
            yield place.below(role, "title").breaks("D19", message, remedy)


def _is_numbered(document: Document) -> bool:
    """Tell whether the format has a number; a settings file that says none has but one format."""
    if document.kind != "config" or "version" in document.members:
        return True
    return NUMBERED.search(document.stem) is not None


def _version(subject: Subject) -> Iterator[Finding]:
    version = subject.document.members.get("version")
    if isinstance(version, str) and not SEMVER.fullmatch(version):
        remedy = "write MAJOR.MINOR.PATCH (Semantic Versioning 2.0.0)"
        yield subject.place.below("version").breaks("D19", "no semantic version", remedy)

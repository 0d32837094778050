"""The data that ships beside the generated code: JSON in authored order."""

import json
from collections.abc import Mapping
from pathlib import PurePosixPath

from codegen.compilation import Compilation


def emit(compilation: Compilation, ledgers: Mapping[str, bytes]) -> dict[PurePosixPath, bytes]:
    """Return every data file, by path below `data`; `ledgers` maps capabilities to their file."""
    files: dict[str, bytes] = {}
    for tool in compilation.tools:
        files[f"published/{tool.name}.json"] = as_json(tool.published)
        files[f"contracts/tools/{tool.plugin}/{tool.name}.json"] = as_json(tool.contract)
    for item in compilation.formats:
        files[item.source] = as_json(item.contract)
    for plugin in compilation.plugins:
        if plugin.manifest is not None:
            files[f"manifests/{plugin.id}.json"] = as_json(plugin.manifest)
    for profile in compilation.profiles:
        files[f"profiles/{profile.stem}.json"] = as_json(profile.members)
    for policy in compilation.policies:
        name = f"contracts/policy/{policy.name}-v{policy.version}.json"
        files[name] = as_json(policy.contract)
    for capability, content in ledgers.items():
        files[f"ledger/{capability}.json"] = content
    return {PurePosixPath(path): content for path, content in files.items()}


def as_json(value: object) -> bytes:
    """Return `value` as a JSON file: members as they come, two blanks, literal Unicode."""
    return f"{json.dumps(value, ensure_ascii=False, indent=2)}\n".encode()

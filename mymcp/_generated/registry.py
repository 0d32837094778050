"""Generated from contracts/tools by nox -s codegen; do not edit."""

from mymcp.contract.capability import Capability, Effects

LIST_TOOLS = Capability(
    plugin="host",
    name="list_tools",
    version="1.0.0",
    title="List the tools",
    effects=Effects(read_only=True, destructive=False, idempotent=True, open_world=False),
    consent="none",
    gate=None,
    digest="sha256:323aed3fb6a016e39a42b8a89e1564127d16106cee34e427bf95fff2a60b9348",
)
MEMORY_RECALL = Capability(
    plugin="mnemosyne",
    name="memory_recall",
    version="1.4.0",
    title="Recall memories",
    effects=Effects(read_only=True, destructive=False, idempotent=True, open_world=False),
    consent="none",
    gate=None,
    digest="sha256:62eb115d4b98f4c330f7587e3d1457bb4cf870d2871ce8f32dea9c15bca5ca06",
)
MEMORY_LIST = Capability(
    plugin="mnemosyne",
    name="memory_list",
    version="1.4.0",
    title="List memories",
    effects=Effects(read_only=True, destructive=False, idempotent=True, open_world=False),
    consent="none",
    gate=None,
    digest="sha256:fa13891776de49e341b81544a63af3ef56f5e2570d4da9173a603463d34170c0",
)
MEMORY_INSPECT = Capability(
    plugin="mnemosyne",
    name="memory_inspect",
    version="1.2.1",
    title="Inspect one memory",
    effects=Effects(read_only=True, destructive=False, idempotent=True, open_world=False),
    consent="none",
    gate=None,
    digest="sha256:9ef4ac9d02c569435d136865dcccea58f3150bc79de841ed2e306d89b263d68c",
)
MEMORY_ARCHIVE = Capability(
    plugin="mnemosyne",
    name="memory_archive",
    version="1.2.1",
    title="Archive a memory",
    effects=Effects(read_only=False, destructive=False, idempotent=True, open_world=False),
    consent="per_call",
    gate="archive_restore",
    digest="sha256:3779a1fa835f81130dc4abc5a900aacea4a049f8dfa2f76802e6103e9e661c13",
)
MEMORY_RESTORE = Capability(
    plugin="mnemosyne",
    name="memory_restore",
    version="1.2.1",
    title="Restore an archived memory",
    effects=Effects(read_only=False, destructive=False, idempotent=True, open_world=False),
    consent="per_call",
    gate="archive_restore",
    digest="sha256:766a5a1a05c89377f18e671c6d3e75ae4e0238bfbc9f5bc2da9c46ea5f16b01e",
)
MEMORY_REMEMBER = Capability(
    plugin="mnemosyne",
    name="memory_remember",
    version="1.3.0",
    title="Remember something",
    effects=Effects(read_only=False, destructive=False, idempotent=True, open_world=False),
    consent="per_call",
    gate="remember",
    digest="sha256:a1e5078b6a194a001bd7ef4f00b1cf9b9c7e8911de727f82f0775cab1c275d92",
)
MEMORY_REVISE = Capability(
    plugin="mnemosyne",
    name="memory_revise",
    version="1.3.1",
    title="Revise a memory",
    effects=Effects(read_only=False, destructive=True, idempotent=True, open_world=False),
    consent="per_call",
    gate="revise",
    digest="sha256:cd2e85ab3d1af3ba29e907bda27cc5f9f031b8d322718c3d25daf18417c75855",
)
MEMORY_FORGET = Capability(
    plugin="mnemosyne",
    name="memory_forget",
    version="1.2.1",
    title="Forget a memory for good",
    effects=Effects(read_only=False, destructive=True, idempotent=True, open_world=False),
    consent="per_call",
    gate="forget",
    digest="sha256:c8117d28018528e2e7d5b16c90fbf9248c81d21212c257074368d1423eb7dde3",
)

CAPABILITIES = (
    LIST_TOOLS,
    MEMORY_RECALL,
    MEMORY_LIST,
    MEMORY_INSPECT,
    MEMORY_ARCHIVE,
    MEMORY_RESTORE,
    MEMORY_REMEMBER,
    MEMORY_REVISE,
    MEMORY_FORGET,
)
"""Every tool in public order."""

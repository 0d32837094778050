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
    version="1.2.0",
    title="Archive a memory",
    effects=Effects(read_only=False, destructive=False, idempotent=True, open_world=False),
    consent="per_call",
    gate="archive_restore",
    digest="sha256:a7f45a89408e63ae5f21af72c198d65782a32baed2b18b4f19d32f95fb5ec6e9",
)
MEMORY_RESTORE = Capability(
    plugin="mnemosyne",
    name="memory_restore",
    version="1.2.0",
    title="Restore an archived memory",
    effects=Effects(read_only=False, destructive=False, idempotent=True, open_world=False),
    consent="per_call",
    gate="archive_restore",
    digest="sha256:2c4733085c43062b394911c1b54df92f38c22aac2e4230ac02cc2f1ac3569140",
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
    version="1.3.0",
    title="Revise a memory",
    effects=Effects(read_only=False, destructive=True, idempotent=True, open_world=False),
    consent="per_call",
    gate="revise",
    digest="sha256:5f75f5cf44115e54459eaa13f21c0cb84a4dcbe77db9cf9491feba7fb0858bbb",
)
MEMORY_FORGET = Capability(
    plugin="mnemosyne",
    name="memory_forget",
    version="1.2.0",
    title="Forget a memory for good",
    effects=Effects(read_only=False, destructive=True, idempotent=True, open_world=False),
    consent="per_call",
    gate="forget",
    digest="sha256:e028629b35c166daef4686add792d21e0e10dd8d505cc35d921250e4bbbf5433",
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

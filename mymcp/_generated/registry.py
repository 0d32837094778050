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
    version="1.3.0",
    title="Recall memories",
    effects=Effects(read_only=True, destructive=False, idempotent=True, open_world=False),
    consent="none",
    gate=None,
    digest="sha256:2e0656cbd9d680c656cee7576dd9a5e89c7bb6a649ee3ab899f10cb98b41f679",
)
MEMORY_LIST = Capability(
    plugin="mnemosyne",
    name="memory_list",
    version="1.3.0",
    title="List memories",
    effects=Effects(read_only=True, destructive=False, idempotent=True, open_world=False),
    consent="none",
    gate=None,
    digest="sha256:b28c8d43584c71725ff146c09b811bac90463da2681c353dd18a5107c652ae6b",
)
MEMORY_INSPECT = Capability(
    plugin="mnemosyne",
    name="memory_inspect",
    version="1.2.0",
    title="Inspect one memory",
    effects=Effects(read_only=True, destructive=False, idempotent=True, open_world=False),
    consent="none",
    gate=None,
    digest="sha256:6ff73fe4c2c8f59033768a1ff638f052e91f9d5fcac78a1f619ddf29f689cd87",
)
MEMORY_ARCHIVE = Capability(
    plugin="mnemosyne",
    name="memory_archive",
    version="1.2.0",
    title="Archive a memory",
    effects=Effects(read_only=False, destructive=False, idempotent=True, open_world=False),
    consent="per_call",
    gate="archive_restore",
    digest="sha256:208687f031cbb4b192dda9aded84d4fdbddc38d7d127e5561c646fa6535dd209",
)
MEMORY_RESTORE = Capability(
    plugin="mnemosyne",
    name="memory_restore",
    version="1.2.0",
    title="Restore an archived memory",
    effects=Effects(read_only=False, destructive=False, idempotent=True, open_world=False),
    consent="per_call",
    gate="archive_restore",
    digest="sha256:bdc2fa7b6475cf733f05a16262e3edb78025df7feb9141e83c231b0f6f43e7e7",
)
MEMORY_REMEMBER = Capability(
    plugin="mnemosyne",
    name="memory_remember",
    version="1.3.0",
    title="Remember something",
    effects=Effects(read_only=False, destructive=False, idempotent=True, open_world=False),
    consent="per_call",
    gate="remember",
    digest="sha256:fbb0adcf4c3ad801c028e119c8973106889a442316bd9ef25f954def3ae7b267",
)
MEMORY_REVISE = Capability(
    plugin="mnemosyne",
    name="memory_revise",
    version="1.3.0",
    title="Revise a memory",
    effects=Effects(read_only=False, destructive=True, idempotent=True, open_world=False),
    consent="per_call",
    gate="revise",
    digest="sha256:f1fa080cc683fd23138cd1b632ea2b9fa8c802ab8003f397b3a1faf321f6c828",
)
MEMORY_FORGET = Capability(
    plugin="mnemosyne",
    name="memory_forget",
    version="1.2.0",
    title="Forget a memory for good",
    effects=Effects(read_only=False, destructive=True, idempotent=True, open_world=False),
    consent="per_call",
    gate="forget",
    digest="sha256:069a33b7e06af0237bb1443b05dd3641da4468c79495293bf3d648ef114b6203",
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

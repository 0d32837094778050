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
    version="1.4.1",
    title="Recall memories",
    effects=Effects(read_only=True, destructive=False, idempotent=True, open_world=False),
    consent="none",
    gate=None,
    digest="sha256:8f89c091fb420ccac9be5203b113beef822ac03a07da648ecbbd69921fc5b2e5",
)
MEMORY_LIST = Capability(
    plugin="mnemosyne",
    name="memory_list",
    version="1.4.1",
    title="List memories",
    effects=Effects(read_only=True, destructive=False, idempotent=True, open_world=False),
    consent="none",
    gate=None,
    digest="sha256:3da468eb6ea7c357bc53ade2a2df013238088f8297d5269c612815e7412f75c6",
)
MEMORY_INSPECT = Capability(
    plugin="mnemosyne",
    name="memory_inspect",
    version="1.2.2",
    title="Inspect one memory",
    effects=Effects(read_only=True, destructive=False, idempotent=True, open_world=False),
    consent="none",
    gate=None,
    digest="sha256:37e1c51aeb7b806f797df96f190e0ab88e4057bce437b81871921fc20ac131f4",
)
MEMORY_ARCHIVE = Capability(
    plugin="mnemosyne",
    name="memory_archive",
    version="1.2.2",
    title="Archive a memory",
    effects=Effects(read_only=False, destructive=False, idempotent=True, open_world=False),
    consent="per_call",
    gate="archive_restore",
    digest="sha256:b3842c6f759f03bde4b3121458c9396e50df0fe85ac4d1ef47b1827f49909fd7",
)
MEMORY_RESTORE = Capability(
    plugin="mnemosyne",
    name="memory_restore",
    version="1.2.2",
    title="Restore an archived memory",
    effects=Effects(read_only=False, destructive=False, idempotent=True, open_world=False),
    consent="per_call",
    gate="archive_restore",
    digest="sha256:342f8e57ea48016092d63e3025d2ae42f4554acb1038f1b2236e13c6dbe9f810",
)
MEMORY_REMEMBER = Capability(
    plugin="mnemosyne",
    name="memory_remember",
    version="1.3.1",
    title="Remember something",
    effects=Effects(read_only=False, destructive=False, idempotent=True, open_world=False),
    consent="per_call",
    gate="remember",
    digest="sha256:ce8630f1692a604592d4df9a55c26bcd8c1af169891339e9de77bb4228f817e7",
)
MEMORY_REVISE = Capability(
    plugin="mnemosyne",
    name="memory_revise",
    version="1.3.2",
    title="Revise a memory",
    effects=Effects(read_only=False, destructive=True, idempotent=True, open_world=False),
    consent="per_call",
    gate="revise",
    digest="sha256:881985171340b432175cd2db343cd9df56128d8225e2d3484f157af7b18927cc",
)
MEMORY_FORGET = Capability(
    plugin="mnemosyne",
    name="memory_forget",
    version="1.2.2",
    title="Forget a memory for good",
    effects=Effects(read_only=False, destructive=True, idempotent=True, open_world=False),
    consent="per_call",
    gate="forget",
    digest="sha256:1dd45048b1032cba89905d3b4a0138e03729a34fc5f3a751428f3f0bd1165fae",
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

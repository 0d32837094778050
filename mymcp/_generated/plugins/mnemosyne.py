"""Generated from contracts/manifests/mnemosyne.json by nox -s codegen; do not edit."""

from dataclasses import dataclass

from mymcp.contract.tool import BoundTool, bind

from ..tools.memory_archive import MEMORY_ARCHIVE, MemoryArchiveHandler
from ..tools.memory_forget import MEMORY_FORGET, MemoryForgetHandler
from ..tools.memory_inspect import MEMORY_INSPECT, MemoryInspectHandler
from ..tools.memory_list import MEMORY_LIST, MemoryListHandler
from ..tools.memory_recall import MEMORY_RECALL, MemoryRecallHandler
from ..tools.memory_remember import MEMORY_REMEMBER, MemoryRememberHandler
from ..tools.memory_restore import MEMORY_RESTORE, MemoryRestoreHandler
from ..tools.memory_revise import MEMORY_REVISE, MemoryReviseHandler


@dataclass(frozen=True, slots=True, kw_only=True)
class MnemosyneHandlers:
    """One handler for each tool of `mnemosyne`; none where its gate is shut."""

    memory_recall: MemoryRecallHandler
    memory_list: MemoryListHandler
    memory_inspect: MemoryInspectHandler
    memory_archive: MemoryArchiveHandler | None
    memory_restore: MemoryRestoreHandler | None
    memory_remember: MemoryRememberHandler | None
    memory_revise: MemoryReviseHandler | None
    memory_forget: MemoryForgetHandler | None


def bind_mnemosyne(handlers: MnemosyneHandlers) -> tuple[BoundTool, ...]:
    """Bind every handler that is there, in the order of the manifest."""
    tools: list[BoundTool] = []
    tools.append(bind(MEMORY_RECALL, handlers.memory_recall))
    tools.append(bind(MEMORY_LIST, handlers.memory_list))
    tools.append(bind(MEMORY_INSPECT, handlers.memory_inspect))
    if handlers.memory_archive is not None:
        tools.append(bind(MEMORY_ARCHIVE, handlers.memory_archive))
    if handlers.memory_restore is not None:
        tools.append(bind(MEMORY_RESTORE, handlers.memory_restore))
    if handlers.memory_remember is not None:
        tools.append(bind(MEMORY_REMEMBER, handlers.memory_remember))
    if handlers.memory_revise is not None:
        tools.append(bind(MEMORY_REVISE, handlers.memory_revise))
    if handlers.memory_forget is not None:
        tools.append(bind(MEMORY_FORGET, handlers.memory_forget))
    return tuple(tools)

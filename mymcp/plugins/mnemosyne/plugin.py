"""Mnemosyne as the host sees it: settings, store and handlers put together once."""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_bytes

from mymcp._generated import data
from mymcp._generated.manifests import MANIFESTS
from mymcp._generated.plugins.mnemosyne import MnemosyneHandlers, bind_mnemosyne
from mymcp._generated.tools.memory_remember import MemoryRememberHandler
from mymcp._generated.tools.memory_revise import MemoryReviseHandler
from mymcp.contract.bundle import BundledContribution
from mymcp.plugins.mnemosyne.memory.cursor import KEY_BYTES, MARKER_BYTES, CursorSeal
from mymcp.plugins.mnemosyne.memory.editing import Editing
from mymcp.plugins.mnemosyne.memory.files import FileStorage
from mymcp.plugins.mnemosyne.memory.forgetting import Forgetting
from mymcp.plugins.mnemosyne.memory.remembering import Remembering
from mymcp.plugins.mnemosyne.memory.storage import Storage
from mymcp.plugins.mnemosyne.memory.store import MemoryStore
from mymcp.plugins.mnemosyne.settings import Settings, resolve
from mymcp.plugins.mnemosyne.tools.archive import Archive
from mymcp.plugins.mnemosyne.tools.forget import Forget
from mymcp.plugins.mnemosyne.tools.inspect import Inspect
from mymcp.plugins.mnemosyne.tools.list import List
from mymcp.plugins.mnemosyne.tools.recall import Recall
from mymcp.plugins.mnemosyne.tools.restore import Restore

PLUGIN_ID = "mnemosyne"


def contribute(environment: Mapping[str, str], home: Path) -> BundledContribution:
    """Return the tools whose gates are open, over the memory that `environment` names.

    Reads settings once and touches no file of the memory. Raises `SettingsError` on an operator's
    mistake.
    """
    settings = resolve(environment, home)
    return compose(settings, clock=lambda: datetime.now(UTC), randomness=token_bytes)


def compose(
    settings: Settings,
    *,
    clock: Callable[[], datetime],
    randomness: Callable[[int], bytes],
) -> BundledContribution:
    """Return the contribution for `settings`, with the clock and the randomness given."""
    storage = FileStorage(
        settings.root, key=randomness(KEY_BYTES), candidate_limit=settings.candidate_limit
    )
    return compose_over(storage, settings, clock=clock, randomness=randomness)


def compose_over(
    storage: Storage,
    settings: Settings,
    *,
    clock: Callable[[], datetime],
    randomness: Callable[[int], bytes],
) -> BundledContribution:
    """Return the contribution for `settings` over the memories in `storage`."""
    store = MemoryStore(storage, candidate_limit=settings.candidate_limit)
    seal = CursorSeal.made_of(randomness(KEY_BYTES + MARKER_BYTES))
    gates = settings.open_gates
    editing = Editing(store, clock, randomness)
    handlers = MnemosyneHandlers(
        memory_recall=Recall(store),
        memory_list=List(store, seal),
        memory_inspect=Inspect(store),
        memory_archive=Archive(editing, enabled=True) if "archive_restore" in gates else None,
        memory_restore=Restore(editing, enabled=True) if "archive_restore" in gates else None,
        memory_remember=_remember(Remembering(store, clock, randomness))
        if "remember" in gates
        else None,
        memory_revise=_revise(editing) if "revise" in gates else None,
        memory_forget=Forget(Forgetting(store), enabled=True) if "forget" in gates else None,
    )
    return BundledContribution(PLUGIN_ID, _version(), bind_mnemosyne(handlers))


# The content policy takes a tenth of the start; a server that stores no text need not load it.


def _remember(remembering: Remembering) -> MemoryRememberHandler:
    from mymcp.plugins.mnemosyne.tools.remember import Remember  # noqa: PLC0415

    return Remember(remembering, enabled=True)


def _revise(editing: Editing) -> MemoryReviseHandler:
    from mymcp.plugins.mnemosyne.tools.revise import Revise  # noqa: PLC0415

    return Revise(editing, enabled=True)


def _version() -> str:
    manifest = json.loads(data.read(f"manifests/{MANIFESTS[PLUGIN_ID]}"))
    return str(manifest["version"])

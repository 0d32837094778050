"""Going down to what a call names: only through real folders, none of which may be a link."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial

from mymcp.plugins.mnemosyne.memory.faults import SourceUnavailable
from mymcp.plugins.mnemosyne.memory.folder import Folder


@contextmanager
def opened_below(folder: Folder, names: tuple[str, ...]) -> Iterator[Folder | None]:
    """Open the folder that `names` leads to from `folder`; none if one of them is missing.

    Raises `SourceUnavailable` if one is no real folder.
    """
    with ExitStack() as opened:
        found: Folder | None = folder
        for name in names:
            found = if_there(partial(folder.child, name))
            if found is None:
                break
            folder = opened.enter_context(found)
        yield found


def if_there(open_folder: Callable[[], Folder]) -> Folder | None:
    """Return the folder that `open_folder` opens; none if it is missing.

    Raises `SourceUnavailable` if something else is in its place.
    """
    try:
        return open_folder()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SourceUnavailable from error

"""Cases that need namespaces of their own: they mount file systems and lower a user's limits.

`unshare --user --map-root-user --mount python -m <this module> CASE FOLDER` prints what it found.
"""

import json
import logging
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from mymcp.plugins.mnemosyne.memory.watching.mounts import mount_type
from tests.plugins.mnemosyne.sight import Sight, contents_below
from tests.plugins.mnemosyne.tree import legacy, write

CHECKOUT = Path(__file__).parents[5]
_UNSHARE = ["unshare", "--user", "--map-root-user", "--mount"]


def is_possible() -> bool:
    """Tell whether this system lets this user have namespaces, and mount in them."""
    try:
        made = subprocess.run(
            [*_UNSHARE, "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True, check=False
        )
    except OSError:
        return False
    return made.returncode == 0


def found_in(case: Callable[[Path], object], folder: Path) -> object:
    """Return what `case` finds in namespaces of its own; `folder` is for it to use."""
    arguments = [*_UNSHARE, sys.executable, "-m", __name__, case.__name__, str(folder)]
    done = subprocess.run(arguments, cwd=CHECKOUT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def mount(kind: str, at: Path, *options: str) -> None:
    at.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", "-t", kind, *options, "none", str(at)], check=True)


def layers(folder: Path) -> Path:
    """Mount an overlay whose lower layer is `folder/lower`; return where."""
    mount("tmpfs", folder)
    for name in ("lower", "upper", "work"):
        (folder / name).mkdir()
    options = ",".join(f"{name}dir={folder / name}" for name in ("lower", "upper", "work"))
    mount("overlay", folder / "merged", "-o", options)
    return folder / "merged"


def type_at(folder: Path) -> str | None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        return mount_type(descriptor)
    finally:
        os.close(descriptor)


def is_watched(sight: Sight) -> bool:
    return sight.freshness._lookout._watch is not None


def types(folder: Path) -> object:
    """Find the types of what is mounted."""
    merged = layers(folder)
    return [type_at(folder), type_at(merged), type_at(Path("/proc"))]


def mounted_over(folder: Path) -> object:
    """Find whether a file system mounted over a namespace is seen, and its going away."""
    mount("tmpfs", folder)
    write(folder / "project/a/one.json", legacy(content="below"))
    sight = Sight(folder)
    seen = [sight.look(), is_watched(sight)]
    mount("tmpfs", folder / "project/a")
    write(folder / "project/a/two.json", legacy(content="above"))
    seen += [sight.look(), is_watched(sight)]
    write(folder / "project/a/two.json", legacy(content="edited"))
    seen += [sight.look()]
    subprocess.run(["umount", str(folder / "project/a")], check=True)
    return [*seen, sight.look()]


def in_two_places(folder: Path) -> object:
    """Find whether one folder that is mounted in two places is seen to change in both."""
    mount("tmpfs", folder)
    write(folder / "project/a/one.json", legacy(content="one"))
    (folder / "project/b").mkdir()
    subprocess.run(["mount", "--bind", folder / "project/a", folder / "project/b"], check=True)
    sight = Sight(folder)
    found = [sorted(sight.look().values())]
    for name in "ab":
        write(folder / "project" / name / "one.json", legacy(content=f"through {name}"))
        found += [sorted(sight.look().values())]
    return found


def lower_layer(folder: Path) -> object:
    """Find whether a write below an overlay is seen."""
    merged = layers(folder)
    write(folder / "lower/project/one.json", legacy(content="before"))
    sight = Sight(merged)
    seen = [sight.look(), is_watched(sight)]
    write(folder / "lower/project/one.json", legacy(content="after!"))
    return [*seen, sight.look()]


def few_watches(folder: Path) -> object:
    """Find whether a tree with more folders than watches is seen to change."""
    return _limited(folder, "max_inotify_watches", 3)


def no_instances(folder: Path) -> object:
    """Find whether a tree is seen to change where nothing can be watched."""
    return _limited(folder, "max_inotify_instances", 0)


def _limited(folder: Path, limit: str, count: int) -> object:
    logging.basicConfig(format="%(name)s %(message)s")
    messages: list[str] = []
    logging.getLogger().handlers[0].emit = lambda record: messages.append(record.getMessage())  # type: ignore[method-assign]
    mount("tmpfs", folder)
    for number in range(6):
        write(folder / f"project/{number}/one.json", legacy(content="one"))
    Path("/proc/sys/user", limit).write_text(str(count))
    sight = Sight(folder)
    seen = []
    for content in ("two", "three", "four"):
        write(folder / "project/5/one.json", legacy(content=content))
        seen.append(sight.look() == contents_below(folder / "project"))
    Path("/proc/sys/user", limit).write_text("100")
    sight.freshness._lookout._clock = lambda: float("inf")
    seen.append(sight.look() == contents_below(folder / "project"))
    return [seen, is_watched(sight), messages]


if __name__ == "__main__":
    case = globals()[sys.argv[1]]
    print(json.dumps(case(Path(sys.argv[2]))))  # noqa: T201  its parent reads this

"""Calls while another process makes, edits, moves and removes trees as fast as it can."""

import json
import random
import shutil
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

import pytest

from mymcp.plugins.mnemosyne.memory.faults import MemoryFault
from tests.plugins.mnemosyne.sight import Sight, contents_below
from tests.plugins.mnemosyne.tree import legacy, write

CHECKOUT = Path(__file__).parents[4]
SECONDS = 1.0
NAMES = "abc"


def disturb(scope: Path, seed: int, seconds: float) -> None:
    """Change the tree at random until the time is up."""
    chance = random.Random(seed)
    end = monotonic() + seconds
    step = 0
    while monotonic() < end:
        step += 1
        with suppress(OSError):
            disturb_once(scope, chance, step)


def disturb_once(scope: Path, chance: random.Random, step: int) -> None:
    folder = scope.joinpath(*chance.choices(NAMES, k=chance.randint(0, 3)))
    other = scope.joinpath(*chance.choices(NAMES, k=chance.randint(1, 3)))
    file = folder / f"{chance.choice(NAMES)}.json"
    kind = chance.randrange(10)
    if kind <= 2:
        write(file, legacy(content=str(step)))
    elif kind == 3:
        temporary = folder / ".temporary"
        write(temporary, legacy(content=str(step)))
        temporary.rename(file)
    elif kind == 4:
        file.unlink()
    elif kind == 5:
        file.rename(other / f"{chance.choice(NAMES)}.json")
    elif kind == 6 and folder != scope:
        folder.rename(other)
    elif kind == 7 and folder != scope:
        shutil.rmtree(folder)
    elif kind == 8:
        other.mkdir(parents=True)
    else:
        with file.open("r+b") as opened:
            opened.write(json.dumps(legacy(content=f"{step:06}")).encode())


def disturber(scope: Path, seed: int) -> subprocess.Popen[bytes]:
    program = "import sys; from pathlib import Path; from tests.plugins.mnemosyne.memory.test_races"
    program += " import disturb; disturb(Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]))"
    arguments = [sys.executable, "-c", program, str(scope), str(seed), str(SECONDS)]
    return subprocess.Popen(arguments, cwd=CHECKOUT)


@pytest.mark.parametrize("seed", [1, 2])
def test_what_is_left_after_a_storm_is_what_the_next_call_sees(
    way: str, root: Path, seed: int
) -> None:
    scope = root / "project"
    scope.mkdir(parents=True)
    sight = Sight(root)
    calls = 0
    with disturber(scope, seed) as process:
        while process.poll() is None:
            with suppress(MemoryFault):  # a folder may be swapped just while it is opened
                sight.look()
                calls += 1
    assert process.returncode == 0
    assert calls > 10
    assert sight.look() == valid_below(scope)
    fresh = Sight(root)
    fresh.look()
    assert sight.folders() == fresh.folders()
    assert sight.shelf.candidate_count == fresh.shelf.candidate_count
    for path in scope.rglob("*.json"):
        write(path, legacy(content="after the storm"))
    assert sight.look() == contents_below(scope)


def valid_below(scope: Path) -> dict[str, str]:
    """Return the contents of what can be read: a storm may end in the middle of a write."""
    for path in scope.rglob("*.json"):
        try:
            json.loads(path.read_bytes())
        except ValueError:
            path.unlink()
    return contents_below(scope)


def test_calls_for_several_scopes_go_on_at_once_while_their_trees_move(
    way: str, root: Path
) -> None:
    scopes = ("project", "self", "knowledge")
    sights = {"project": Sight(root)}
    for scope in scopes:
        (root / scope).mkdir(parents=True)
        sights[scope] = Sight(root, freshness=sights["project"].freshness, scope=scope)
    processes = [disturber(root / scope, seed) for seed, scope in enumerate(scopes)]
    failures: list[BaseException] = []

    def call(sight: Sight) -> None:
        try:
            while any(process.poll() is None for process in processes):
                with suppress(MemoryFault):
                    sight.look(sight.container)
        except BaseException as error:  # noqa: BLE001  the thread's end would hide it
            failures.append(error)

    threads = [threading.Thread(target=call, args=(sight,)) for sight in sights.values()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert [process.wait() for process in processes] == [0, 0, 0]
    for scope, sight in sights.items():
        expected = valid_below(root / scope)
        assert sight.look(sight.container) == expected


def test_a_count_that_only_grows_is_never_seen_to_shrink_or_lag(way: str, root: Path) -> None:
    """Each answer is a state between the start of its call and its end."""
    path = write(root / "project/a/count.json", legacy(content="0"))
    sight = Sight(root)
    program = """
import json, os, sys
path, data = sys.argv[1], json.loads(sys.argv[2])
for number in range(1, 1001):
    data["content"] = str(number)
    with open(path + ".tmp", "w") as file:
        file.write(json.dumps(data))
    os.rename(path + ".tmp", path)
"""
    arguments = [sys.executable, "-c", program, str(path), json.dumps(legacy())]
    with subprocess.Popen(arguments) as process:
        while process.poll() is None:
            before = json.loads(path.read_bytes())["content"]
            seen = sight.look()["project/a/count.json"]
            after = json.loads(path.read_bytes())["content"]
            assert int(before) <= int(seen) <= int(after)
    assert sight.look() == {"project/a/count.json": "1000"}
    assert not Path(f"{path}.tmp").exists()


def test_files_that_are_replaced_one_after_another_are_all_in_every_answer(way: str) -> None:
    """In memory the kernel passes over files of a large folder that are replaced meanwhile."""
    count = 2_000
    program = """
import os, sys
folder, count, data = sys.argv[1], int(sys.argv[2]), sys.argv[3]
print(flush=True)
while True:
    for number in range(count):
        with open(folder + "/.new", "w") as file:
            file.write(data)
        os.rename(folder + "/.new", f"{folder}/{number}.json")
"""
    memory = Path("/dev/shm")
    with TemporaryDirectory(dir=memory if memory.is_dir() else None) as root:
        folder = Path(root, "project/a")
        for number in range(count):
            write(folder / f"{number}.json", legacy())
        arguments = [sys.executable, "-c", program, str(folder), str(count), json.dumps(legacy())]
        with subprocess.Popen(arguments, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.readline()
            try:
                seen = [len(Sight(Path(root), limit=2 * count).look()) for _ in range(4)]
            finally:
                process.kill()
    assert seen == [count] * 4

import gc
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from mymcp.plugins.mnemosyne.memory import readings
from mymcp.plugins.mnemosyne.memory.collector import uncollected
from tests.plugins.mnemosyne.sight import Sight
from tests.plugins.mnemosyne.tree import canonical, put


@pytest.fixture(autouse=True)
def thawed() -> Iterator[None]:
    yield
    gc.unfreeze()
    gc.enable()


def test_nothing_is_collected_while_much_is_loaded_nor_visited_afterwards() -> None:
    with uncollected():
        assert not gc.isenabled()
        loaded = [[number] for number in range(1_000)]
    assert gc.isenabled()
    assert id(loaded[0]) not in {id(each) for each in gc.get_objects()}
    assert gc.get_freeze_count() >= len(loaded)


def test_the_collector_is_back_when_loading_fails() -> None:
    with pytest.raises(ValueError, match="broken"), uncollected():
        raise ValueError("broken")
    assert gc.isenabled()


def test_it_stays_away_until_the_last_of_several_loads_has_ended() -> None:
    began, end = threading.Event(), threading.Event()

    def load() -> None:
        with uncollected():
            began.set()
            end.wait()

    thread = threading.Thread(target=load)
    thread.start()
    began.wait()
    with uncollected():
        pass
    assert not gc.isenabled()
    end.set()
    thread.join()
    assert gc.isenabled()


def test_a_process_that_does_without_a_collector_keeps_doing_so() -> None:
    program = (
        "import gc; gc.disable();"
        "from mymcp.plugins.mnemosyne.memory.collector import uncollected\n"
        "with uncollected(): pass\n"
        "raise SystemExit(gc.isenabled())"
    )
    subprocess.run([sys.executable, "-c", program], cwd=Path(__file__).parents[4], check=True)


@pytest.mark.parametrize(("count", "frozen"), [(9, False), (10, True)])
def test_large_loads_are_uncollected_and_small_ones_are_not(
    root: Path, monkeypatch: pytest.MonkeyPatch, count: int, *, frozen: bool
) -> None:
    monkeypatch.setattr(readings, "LARGE", 10)
    for number in range(count):
        put(root, canonical(number))
    before = gc.get_freeze_count()
    assert len(Sight(root).look()) == count
    assert (gc.get_freeze_count() > before) is frozen

from hypothesis import given
from hypothesis import strategies as st

from mymcp.plugins.mnemosyne.memory.index.recency import Change, Recency

INSTANTS = st.sampled_from(["", "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"])


@given(st.lists(INSTANTS, max_size=20), st.integers(0), st.integers(0, 6))
def test_the_latest_come_first_and_of_one_instant_the_first_paths(
    instants: list[str], among: int, wanted: int
) -> None:
    changes = [
        Change(instant, ("project", f"{-number % 7}", str(number)), number)
        for number, instant in enumerate(instants)
    ]
    recency = Recency()
    for change in changes:
        recency.add(change)
    asked = sorted((c for c in changes if among >> c.number & 1), key=lambda c: c.path)
    asked.sort(key=lambda change: change.instant, reverse=True)
    assert recency.latest(among, wanted) == [change.number for change in asked[:wanted]]

import sys

import pytest

from tests.soak.endurance import END, endurance

SECONDS = 2.0


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_server_keeps_nothing_of_clients_that_vanish_and_ends_among_them() -> None:
    figures = list(endurance(SECONDS))
    assert [figure.row() for figure in figures if not figure.kept and figure.name != END] == []
    counts = {figure.name: figure.value for figure in figures}
    assert counts["clients: answered"] > 0
    assert counts["clients: streams"] > 0
    assert counts["clients: turned away"] > 0

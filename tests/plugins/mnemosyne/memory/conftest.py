import pytest

from mymcp.plugins.mnemosyne.memory.watching import lookout


@pytest.fixture(params=["swept", "watched"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """How freshness knows. Where the tests run, nothing else changes files."""
    monkeypatch.setattr(lookout, "reports_changes", lambda _: request.param == "watched")
    return str(request.param)

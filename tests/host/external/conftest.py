from pathlib import Path

import pytest


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on the search path of modules."""
    folder = tmp_path / "site"
    folder.mkdir(mode=0o755)
    monkeypatch.syspath_prepend(folder)
    return folder

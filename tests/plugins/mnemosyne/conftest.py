import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree

import pytest

from tests.plugins.mnemosyne.caller import Caller

NOBODY = 65_534


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A memory root that does not exist yet."""
    return tmp_path / "memory"


@pytest.fixture
def caller(root: Path) -> Caller:
    return Caller(root)


@pytest.fixture
def unprivileged_root() -> Iterator[Path]:
    """A memory root where permissions count: root may read everything, so be somebody else."""
    folder = Path(tempfile.mkdtemp())
    user = os.geteuid()
    if user == 0:
        os.chown(folder, NOBODY, NOBODY)
        os.seteuid(NOBODY)
    try:
        yield folder / "memory"
    finally:
        os.seteuid(user)
        for path in folder.rglob("*"):
            if not path.is_symlink():
                path.chmod(0o700)
        rmtree(folder)

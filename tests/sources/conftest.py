import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree

import pytest

NOBODY = 65_534


@pytest.fixture
def unprivileged() -> Iterator[Path]:
    """A folder where permissions count: root may read everything, so be somebody else."""
    folder = Path(tempfile.mkdtemp())
    user = os.geteuid()
    if user == 0:
        os.chown(folder, NOBODY, NOBODY)
        os.seteuid(NOBODY)
    try:
        yield folder
    finally:
        os.seteuid(user)
        for path in folder.rglob("*"):
            if not path.is_symlink():
                path.chmod(0o700)
        rmtree(folder)

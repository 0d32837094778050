"""Settings that hold for every test, and what tests of several rooms need."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree

import pytest
from hypothesis import HealthCheck, settings

# A slow or busy machine must not turn a law into a failure: no deadlines, no health check on pace.
settings.register_profile("mymcp", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("mymcp")

# Nobody's own host configuration may count in a test: nothing is at this place.
os.environ["XDG_CONFIG_HOME"] = str(Path(__file__).parent / "no-configuration")

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

"""Settings that hold for every test."""

import os
from pathlib import Path

from hypothesis import HealthCheck, settings

# A slow or busy machine must not turn a law into a failure: no deadlines, no health check on pace.
settings.register_profile("mymcp", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("mymcp")

# Nobody's own host configuration may count in a test: nothing is at this place.
os.environ["XDG_CONFIG_HOME"] = str(Path(__file__).parent / "no-configuration")

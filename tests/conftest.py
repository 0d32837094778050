"""Settings that hold for every test."""

from hypothesis import HealthCheck, settings

# A slow or busy machine must not turn a law into a failure: no deadlines, no health check on pace.
settings.register_profile("mymcp", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("mymcp")

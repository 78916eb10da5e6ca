"""Property tests draw the same examples every time; `--hypothesis-profile=fuzz` draws many others."""

from hypothesis import HealthCheck, settings

settings.register_profile("suite", derandomize=True, deadline=None)
settings.register_profile(
    "fuzz", derandomize=False, deadline=None, max_examples=3_000, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("suite")

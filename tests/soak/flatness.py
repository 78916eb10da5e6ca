"""Flat: a line through what was held at the quietest moments rises by no more than a bound per 1,000 submissions."""

from __future__ import annotations

import numpy as np

from tests.soak.leftovers import QUANTITIES, Sample

BOUNDS = {
    "memory": 60.0,
    "descriptors": 10.0,
    "processes": 2.0,
    "namespaces": 4.0,
    "mounts": 1.0,
    "folders": 2.0,
    "groups": 2.0,
}
"""How much each may rise per 1,000 submissions; memory in MiB."""
WINDOWS = 24
"""The run is cut into so many; the lowest sample of each counts, for sandboxes come and go."""
WARMING = 0.25
"""This part of a run is left out at its start, in which workers load what they need."""


def slopes(samples: list[Sample]) -> dict[str, float]:
    """The rise of each quantity per 1,000 submissions; nan where there are too few samples."""
    return {name: _slope(samples, name) for name in QUANTITIES}


def _slope(samples: list[Sample], name: str) -> float:
    if not samples:
        return float("nan")
    last = max(sample.done for sample in samples)
    lowest: dict[int, tuple[float, int]] = {}
    for sample in samples:
        if sample.done >= WARMING * last:
            window = sample.done * WINDOWS // max(last, 1)
            lowest[window] = min(lowest.get(window, (float("inf"), 0)), (getattr(sample, name), sample.done))
    if len(lowest) < 3:
        return float("nan")
    held, done = zip(*lowest.values(), strict=True)
    return float(np.polyfit(done, held, 1)[0]) * 1000


def rising(found: dict[str, float]) -> list[str]:
    """The quantities that rise by more than their bounds."""
    return [name for name, slope in found.items() if slope > BOUNDS[name]]

"""Flat: what was held at the quietest moments rises by no more than a bound per 1,000 submissions."""

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
"""The grading of an exercise is cut into so many; the lowest sample of each counts, for sandboxes come and go."""
WARMING = 0.25
"""This part of each is left out at its start, in which workers load what they need."""
FEWEST = 10 * WINDOWS
"""With fewer submissions of an exercise a rise is noise: a window without a quiet moment shows sandboxes, not leaks."""


def slopes(samples: list[Sample], each: int) -> dict[str, float]:
    """The rise of each quantity per 1,000 submissions; nan where there are too few submissions or samples.

    The mean of the exercises' own slopes: one needs more memory than another.

    Args:
        samples: of a run that graded one exercise after another.
        each: how many submissions each exercise has.
    """
    return {name: _slope(samples, each, name) for name in QUANTITIES}


def memory_by_exercise(samples: list[Sample], each: int) -> dict[int, float]:
    """The rise of memory while each exercise was graded, by its place in the order; to see where to look."""
    places = sorted({sample.done // each for sample in samples})
    return {place: _slope([s for s in samples if s.done // each == place], each, "memory") for place in places}


def _slope(samples: list[Sample], each: int, name: str) -> float:
    # In each exercise the median of the slopes between any two moments (Theil and Sen): where no sandbox runs at one
    # of them, all that supervisors share with sandboxes looks like their own.
    found = []
    if each < FEWEST:
        return float("nan")
    for exercise in {sample.done // each for sample in samples}:
        done, held = _quiet([sample for sample in samples if sample.done // each == exercise], each, name)
        first, second = np.triu_indices(len(done), k=1)
        if len(done) >= 3:
            found.append(np.median((held[second] - held[first]) / (done[second] - done[first])))
    return float(np.mean(found)) * 1000 if found else float("nan")


def _quiet(samples: list[Sample], each: int, name: str) -> tuple[np.ndarray, np.ndarray]:
    """The lowest sample of each window: how many submissions were done, and what was held."""
    lowest: dict[int, tuple[float, int]] = {}
    for sample in samples:
        done = sample.done % each
        if done >= WARMING * each:
            window = done * WINDOWS // each
            lowest[window] = min(lowest.get(window, (float("inf"), 0)), (getattr(sample, name), done))
    pairs = np.array(list(lowest.values()), dtype=float).reshape(-1, 2)
    return pairs[:, 1], pairs[:, 0]


def rising(found: dict[str, float]) -> list[str]:
    """The quantities that rise by more than their bounds."""
    return [name for name, slope in found.items() if slope > BOUNDS[name]]

"""What counts as flat: a leak is seen through the noise of sandboxes that come and go, and noise is no leak."""

from __future__ import annotations

import dataclasses
import random

import pytest

from tests.soak.flatness import BOUNDS, memory_by_exercise, rising, slopes
from tests.soak.leftovers import QUANTITIES, Sample

EACH = 500


def samples(**leaks: float) -> list[Sample]:
    """Of a run over three exercises with levels of their own, where these quantities rise per 1,000 submissions."""
    source, seen = random.Random(0), []
    for done in range(3 * EACH):
        level, within = 100.0 * (1 + done // EACH), done % EACH
        held = {name: level + 40 * source.random() * (source.random() < 0.7) for name in QUANTITIES}
        held |= {name: held[name] + rate * within / 1000 for name, rate in leaks.items()}
        held |= {name: held[name] + 30 for name in QUANTITIES if within > 50}  # workers have loaded what they need
        seen.append(Sample(done, **held))
    return seen


def test_noise_and_levels_are_flat() -> None:
    assert rising(slopes(samples(), EACH)) == []


@pytest.mark.parametrize("name", QUANTITIES)
def test_a_leak_of_twice_its_bound_is_seen(name: str) -> None:
    found = slopes(samples(**{name: 2 * BOUNDS[name] + 1}), EACH)
    assert rising(found) == [name]


def test_the_exercise_that_leaks_is_named() -> None:
    seen = [
        dataclasses.replace(one, memory=one.memory + (one.done // EACH == 1) * 0.3 * (one.done % EACH))
        for one in samples()
    ]
    rises = memory_by_exercise(seen, EACH)
    assert max(rises, key=rises.get) == 1
    assert rises[1] > 250


def test_a_leak_in_one_exercise_counts() -> None:
    leak = 4 * BOUNDS["memory"] / 1000
    seen = [
        dataclasses.replace(one, memory=one.memory + (one.done // EACH == 1) * leak * (one.done % EACH))
        for one in samples()
    ]
    assert rising(slopes(seen, EACH)) == ["memory"]


@pytest.mark.parametrize("within", range(130, EACH, 60))
def test_a_moment_without_sandboxes_is_no_leak(within: int) -> None:
    """Then what a supervisor shares with them is its own, for as long as it takes to start the next."""
    seen = [
        dataclasses.replace(one, memory=one.memory + 320 * (within <= one.done % EACH < within + 50))
        for one in samples()
    ]
    assert rising(slopes(seen, EACH)) == []


def test_too_few_samples_say_nothing() -> None:
    assert rising(slopes(samples()[:4], EACH)) == []
    assert rising(slopes([], EACH)) == []


def test_too_few_submissions_say_nothing() -> None:
    seen = samples(memory=100 * BOUNDS["memory"])
    assert rising(slopes(seen, EACH)) == ["memory"]
    assert rising(slopes([one for one in seen if one.done % EACH < 30], 30)) == []


def test_every_quantity_has_a_bound() -> None:
    assert set(BOUNDS) == {field.name for field in dataclasses.fields(Sample)} - {"done"}

"""A draw whose guard nothing passes ends in an error; a run that never ended would say nothing."""

from __future__ import annotations

import random

import pytest

from autograder.checks.draws.attempts import MOST, redrawn


def test_a_guard_that_nothing_passes_is_an_error() -> None:
    seen = []
    draw = redrawn(seen.append, lambda program: False)
    with pytest.raises(LookupError, match="guard"):
        draw(random.Random(1))
    assert len(seen) == MOST

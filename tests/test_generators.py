"""What a question draws from NumPy's global generator is drawn once more by its caller."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import pytest

from autograder.probes.known_state import known_state


def _draws() -> list[float]:
    return [numpy.random.standard_normal() for _ in range(3)] + [numpy.random.random()]


def _in_reserve() -> None:
    numpy.random.standard_normal()


def _another() -> None:
    numpy.random.set_state(("MT19937", numpy.arange(624, dtype=numpy.uint32), 100))


@pytest.mark.parametrize("before", [lambda: None, _in_reserve], ids=["nothing in reserve", "a number in reserve"])
@pytest.mark.parametrize("within", [_draws, _in_reserve, _another], ids=lambda function: function.__name__)
def test_the_numbers_after_a_question_are_those_without_it(
    before: Callable[[], Any], within: Callable[[], Any]
) -> None:
    def drawn(*, asked: bool) -> list[float]:
        numpy.random.seed(7)
        before()
        for _ in range(2 * asked):  # the second time finds what the first has read
            with known_state():
                within()
        return _draws()

    assert drawn(asked=True) == drawn(asked=False)

"""A draw whose guard nothing passes ends in an error; a run that never ended would say nothing."""

from __future__ import annotations

import random

import pytest
import torch

from autograder.checks.draws.attempts import MOST, redrawn
from autograder.checks.draws.ends import HUGE, TINY, Span, span, unit, with_ends
from autograder.checks.draws.models import randn
from autograder.checks.draws.numbers import coefficients, moderate, number, positive, tensor_text


def test_a_guard_that_nothing_passes_is_an_error() -> None:
    seen = []
    draw = redrawn(seen.append, lambda program: False)
    with pytest.raises(LookupError, match="guard"):
        draw(random.Random(1))
    assert len(seen) == MOST


def drawn(source: random.Random) -> tuple[float, ...]:
    """All that knows of the ends; then what does not, or not so far."""
    given = eval(tensor_text(source, (2, 3)), {"torch": torch}), eval(randn(2, 3), {"torch": torch})
    ends = [number(source), positive(source, 0.1, 0.3), *(one for tensor in given for one in tensor.flatten().tolist())]
    within = eval(coefficients(source, (3,)), {"torch": torch}).tolist()
    return (*ends, moderate(source), positive(source, 0.1, 0.3, most=100), *within)


@pytest.mark.parametrize(("which", "end"), [(1, TINY), (2, HUGE)])
def test_numbers_at_an_end_are_of_its_size_and_of_either_sign(which: int, end: Span) -> None:
    low, high = end
    for seed in range(20):
        torch.manual_seed(seed)
        numbers = with_ends(drawn)[which](random.Random(seed))
        assert all(low <= abs(one) <= high for one in numbers[:14])
        assert min(numbers[2:14]) < 0 < max(numbers[2:14])
        assert all(0.5 <= abs(one) <= 3 for one in (numbers[14], *numbers[16:]))
        assert numbers[15] < 100
        assert (numbers[15] < 0.01) is (end is TINY)
    assert span() is None


def test_a_draw_is_what_it_was_before_its_ends() -> None:
    plain, *ends = with_ends(drawn, TINY)
    assert len(ends) == 1
    assert plain is drawn
    assert unit() == 1.0
    assert with_ends(lambda source: (unit(),))[1](random.Random(0)) == (1e-6,)
    assert with_ends(lambda source: (unit(),))[2](random.Random(0)) == (1e5,)

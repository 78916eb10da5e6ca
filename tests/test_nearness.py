"""Numbers that are rounded, cut at limits or nearly right are said to be so, and no others."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

from autograder.contrasts import Observation, nearness

Change = Callable[[torch.Tensor], torch.Tensor]


def near(change: Change, dtype: torch.dtype = torch.float64) -> str:
    """What is said of changed random numbers."""
    right = 2 * torch.randn(3, 4, generator=torch.Generator().manual_seed(3), dtype=torch.float64)
    seen = change(right).to(dtype).double()
    return nearness([Observation(row, got, {"`x`": row}) for row, got in zip(right, seen, strict=True)])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            lambda x: (x * 255).round() / 255,
            "multiples of 1/255, and the right numbers are not: they are",
        ),
        (
            lambda x: (x * 1e4).round() / 1e4,
            "multiples of 1e-4, and the right numbers are not: they are",
        ),
        (lambda x: (x * 50).round() / 1e2, ""),  # half of it, on coarse steps: it may be computed from round numbers
        (lambda x: (x * 5e5).round() / 1e6, "multiples of 1e-6, and the right numbers are not: something is rounded"),
        (lambda x: x.round(), "whole numbers, and the right numbers are not: they are the right numbers, rounded"),
        (lambda x: x.sign() * 2, ""),
        (lambda x: x - 1, "every number is 1 too small"),
        (lambda x: x.clamp(0, 1), "none of your numbers is below 0 or above 1"),
        (lambda x: x.clamp(max=1), "none of your numbers is above 1"),
        (lambda x: x.abs(), ""),
        (lambda x: x * (1 + 1e-4 * x), "no number is off by more than 0.1% of the largest"),
        (lambda x: x * (1 + 1e-7), "right to seven digits and no further: something small is added"),
        (lambda x: x.float().double(), "right to seven digits and no further, as if they were computed in float32"),
        (lambda x: x.half().double(), "the few digits of torch.float16"),
        (lambda x: (3 * x).bfloat16().double() / 3, ""),
        (lambda x: x * (1 + 0.1 * x), ""),
        (lambda x: x, ""),
    ],
)
def test_what_numbers_come_near(change: Change, said: str) -> None:
    assert said in near(change)
    assert said or not near(change)


def test_float32_is_no_rounding() -> None:
    assert near(lambda x: 1.5 * x, torch.float32) == ""


def test_nothing_is_said_of_nan() -> None:
    assert near(lambda x: x * torch.nan) == ""


def test_round_numbers_made_from_round_ones_are_not_rounded() -> None:
    given = torch.tensor([0.13, 1.27, 2.41, 0.89], dtype=torch.float64)
    observation = Observation(given / 3, given * given * given, {"`x`": given})
    assert nearness([observation]) == ""
    assert nearness([Observation(observation.right, observation.seen, {"`x`": given.sqrt()})])
    assert nearness([Observation(observation.right, observation.seen, {"`z`": given.sqrt() + 1j})]) == ""

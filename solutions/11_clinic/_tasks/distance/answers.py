"""distance: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from autograder.comparison import agree
from autograder.diagnosis import Mistake
from autograder.diagnosis.functions import NothingArrived
from autograder.diagnosis.hypothesis import CONFIRMED
from autograder.diagnosis.structures import tensor_of
from autograder.tasks.answers import known, mistake, right, wrong

SMALL = (1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-12, 1e-14, 1e-15, 1e-16)
"""Numbers that people add or compare with, so that nothing is 0."""
TINY = (*SMALL, 1e-18, 1e-20, 1e-24, 1e-30)
"""Smaller numbers too, for places where any size shows: the distance of rows that coincide."""


def _squared(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    return ((a - b) ** 2).sum(1)


def _with(root: Callable[[torch.Tensor], torch.Tensor]) -> Callable[[torch.Tensor, torch.Tensor], torch.Tensor]:
    return lambda a, b: root(_squared(a, b))


class NanMistake(Mistake):
    """Recognise answers that are wrong only by nan in a gradient."""

    def predict(self, inputs: tuple, expected: Any, got: Any) -> Any:
        """Confirmed by what was seen."""
        if not isinstance(expected, dict) or not isinstance(got, dict):
            return None
        wrong = [key for key, right in expected.items() if not agree(got.get(key), right)]
        holds = wrong and all(".grad" in key and _right_but_for_nan(got.get(key), expected[key]) for key in wrong)
        return CONFIRMED if holds else None


def _right_but_for_nan(got: Any, right: torch.Tensor | float) -> bool:
    seen = tensor_of(got)
    if seen is not None and isinstance(right, float):
        right = torch.tensor(right, dtype=seen.dtype)
    if seen is None or seen.shape != right.shape:
        return False
    return agree(torch.where(seen.isnan(), right.to(seen.dtype), seen), right)


known(
    NanMistake(
        "as given: nan where rows coincide",
        "The distances are right, but the gradient is nan where two rows coincide. Let `detect_anomaly` name the "
        "operation. See lesson 11, “torch.where: right values, nan in the gradient”.",
    ),
    Mistake(
        "epsilon added or compared",
        "Rows that nearly coincide have a wrong distance or gradient: some small number was added, or used as a "
        "limit. Treat only rows that do coincide as a special case.",
        *(_with(lambda squared, small=small: (squared + small).sqrt()) for small in TINY),
        *(_with(lambda squared, small=small: squared.clamp(min=small).sqrt()) for small in TINY),
        *(_with(lambda squared, small=small: squared.sqrt() + small) for small in SMALL),
    ),
)


@wrong("as given: nan where rows coincide")
def as_given_distance():
    import torch

    def distance(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        squared = ((a - b) ** 2).sum(1)
        return torch.where(squared > 0, squared.sqrt(), 0.0)


@wrong("as given: nan where rows coincide")
def plain_root():
    def distance(a, b):
        return ((a - b) ** 2).sum(1).sqrt()


@wrong("as given: nan where rows coincide")
def nan_to_num_of_the_result():
    import torch

    def distance(a, b):
        return torch.nan_to_num(((a - b) ** 2).sum(dim=1) ** 0.5)


@wrong("as given: nan where rows coincide")
def times_a_mask():
    def distance(a, b):
        squared = ((a - b) ** 2).sum(1)
        return squared.sqrt() * (squared > 0)


@wrong("epsilon added or compared")
def epsilon_under_the_root():
    def distance(a, b):
        return (((a - b) ** 2).sum(1) + 1e-12).sqrt()


@wrong("epsilon added or compared")
def clamped_under_the_root():
    def distance(a, b):
        return ((a - b) ** 2).sum(1).clamp(min=1e-16).sqrt()


@wrong("epsilon added or compared")
def tiny_under_the_root():
    def distance(a, b):
        return (((a - b) ** 2).sum(1) + 1e-30) ** 0.5


@wrong("epsilon added or compared", predicts=True, loses=("rows that nearly coincide",))
def near_enough():
    import torch

    def distance(a, b):
        squared = ((a - b) ** 2).sum(1)
        apart = squared > 5e-17
        return torch.where(apart, torch.where(apart, squared, 1.0).sqrt(), 0.0)


@mistake(
    "epsilon in the difference",
    "Where two rows coincide, neither the distance nor the gradient is 0. Some library functions add a little to "
    "every difference.",
)
def pairwise_distance():
    import torch.nn.functional as F

    def distance(a, b):
        return F.pairwise_distance(a, b)


@mistake(
    "1 where rows coincide",
    "Where two rows coincide, the distance is computed from the ones that keep the root away from 0. It should be 0.",
)
def outer_where_forgotten():
    import torch

    def distance(a, b):
        squared = ((a - b) ** 2).sum(1)
        return torch.where(squared > 0, squared, 1.0).sqrt()


@wrong("1 where rows coincide", predicts=True)
def ones_in_the_difference():
    import torch

    def distance(a, b):
        difference = a - b
        same = (difference == 0).all(1)
        difference = torch.where(same[:, None], torch.ones_like(difference), difference)
        return (difference**2).sum(1).sqrt()


@mistake("square root forgotten", "These are the squares of the distances.")
def squared_distances():
    def distance(a, b):
        return ((a - b) ** 2).sum(1)


@mistake(
    "Manhattan instead of Euclidean distance",
    "These are sums of absolute differences. A diagonal is shorter than the way around the corner.",
)
def around_the_corner():
    def distance(a, b):
        return (a - b).abs().sum(1)


@mistake("mean instead of sum", "Each distance is too small by a factor, the square root of the number of columns.")
def mean_of_squares():
    import torch

    def distance(a, b):
        squared = ((a - b) ** 2).mean(1)
        apart = squared > 0
        return torch.where(apart, torch.where(apart, squared, 1.0).sqrt(), 0.0)


known(
    NothingArrived(
        "a or b detached",
        "At least one of `a` and `b` cannot be reached from the distances. A distance depends on both.",
        raises="RuntimeError: element \\d+ of tensors does not require",
    )
)


@wrong("a or b detached")
def built_from_numbers():
    import torch

    def distance(a, b):
        return torch.tensor([(p - q).norm().item() for p, q in zip(a, b)], dtype=a.dtype)


@wrong("a or b detached")
def the_partner_detached():
    import torch

    def distance(a, b):
        return torch.linalg.vector_norm(a - b.detach(), dim=1)


@mistake(
    "not one number per row",
    "The result is not one number for each row. Over which axis did you sum, does every row "
    "keep its place, and a single row its axis?",
    raises="RuntimeError: (Mismatch in shape: grad_output|grad can be implicitly created only for scalar)",
)
def over_the_columns():
    import torch

    def distance(a, b):
        return torch.linalg.vector_norm(a - b, dim=0)


@wrong("not attempted")
def distance_not_attempted():
    def distance(a, b):
        raise NotImplementedError  # your code here


@right
def vector_norm():
    import torch

    def distance(a, b):
        return torch.linalg.vector_norm(a - b, dim=-1)


@right
def row_by_row():
    import torch

    def distance(a, b):
        return torch.stack([(p - q).norm() for p, q in zip(a, b)])


@right
def only_where_apart():
    import torch

    def distance(a, b):
        squared = (a - b).pow(2).sum(dim=1)
        apart = squared != 0
        result = torch.zeros_like(squared)
        result[apart] = squared[apart].sqrt()
        return result


@right
def chosen_before_the_root_alone():
    import torch

    def distance(a, b):
        squared = ((a - b) ** 2).sum(1)
        return torch.where(squared > 0, squared, 0.0).sqrt()


@right
def one_added_where_it_is_0():
    def distance(a, b):
        squared = ((a - b) ** 2).sum(1)
        same = squared == 0
        return (squared + same).sqrt() * ~same


@right
def a_hook_against_nan():
    import torch

    def distance(a, b):
        difference = a - b
        if difference.requires_grad:
            difference.register_hook(torch.nan_to_num)
        return (difference**2).sum(1).sqrt()


@right
def a_function_of_its_own():
    import torch

    class Root(torch.autograd.Function):
        @staticmethod
        def forward(ctx, squared):
            root = squared.sqrt()
            ctx.save_for_backward(root)
            return root

        @staticmethod
        def backward(ctx, upstream):
            (root,) = ctx.saved_tensors
            return torch.where(root > 0, upstream / (2 * root), 0.0)

    def distance(a, b):
        return Root.apply(((a - b) ** 2).sum(1))

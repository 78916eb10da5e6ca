"""total_and_direct: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, mistake, right, wrong

from ..shared import OUT_OF_BOUNDS


def _derivatives(x: torch.Tensor, i: int) -> tuple[torch.Tensor, torch.Tensor]:
    """What is right: the gradient of the whole tensor, and the derivative by the factor."""
    factor = x[i]
    return torch.autograd.grad(factor * x.sum(), (x, factor))


def _changed(change: Callable[[torch.Tensor, torch.Tensor, torch.Tensor, int], Any]) -> Callable:
    """An implementation that makes `change(gradient, direct, x, i)` of what is right."""
    return lambda x, i: change(*_derivatives(x, i), x.detach(), i)


@mistake(
    "x[i] indexed again",
    "`x[i]` written a second time is another tensor, from which `y` was not computed. The tensor that you ask "
    "about and the factor in `y` must be the same object.",
    raises=r"RuntimeError: (The|One of the) differentiated Tensors?\b.* appears? to not have been used",
    predicts=True,
)
def a_fresh_element_unused():
    import torch

    def total_and_direct(x, i):
        y = x[i] * x.sum()
        total, direct = torch.autograd.grad(y, (x, x[i]), materialize_grads=True)
        return total[i], direct


@wrong("x[i] indexed again")
def a_fresh_element():
    import torch

    def total_and_direct(x, i):
        y = x[i] * x.sum()
        (total,) = torch.autograd.grad(y, x, retain_graph=True)
        (direct,) = torch.autograd.grad(y, x[i])
        return total[i], direct


known(
    Mistake(
        ".grad of a new tensor",
        "The second number is None: `x[i]` written after the pass is a new tensor, so nothing has arrived at it.",
        _changed(lambda gradient, direct, x, i: (gradient[i], None)),
    )
)


@wrong(".grad of a new tensor")
def grad_of_the_element():
    def total_and_direct(x, i):
        (x[i] * x.sum()).backward()
        return x.grad[i], x[i].grad


@mistake("total and direct swapped", "The two numbers are swapped. Which one counts the path through the sum as well?")
def direct_first():
    import torch

    def total_and_direct(x, i):
        xi = x[i]
        total, direct = torch.autograd.grad(xi * x.sum(), (x, xi))
        return direct, total[i]


@wrong(".grad filled", loses=("`x.grad` as it was",))
def by_backward():
    def total_and_direct(x, i):
        xi = x[i]
        xi.retain_grad()
        (xi * x.sum()).backward()
        return x.grad[i], xi.grad


@wrong(".grad cleared", loses=("`x.grad` as it was",))
def zeroed_first():
    def total_and_direct(x, i):
        x.grad = None
        xi = x[i]
        xi.retain_grad()
        (xi * x.sum()).backward()
        total, x.grad = x.grad[i], None
        return total, xi.grad


@mistake(
    "total derivative twice",
    "Both numbers are the total derivative. For the direct one only the factor moves, so give the factor a tensor "
    "of its own and ask about that.",
)
def nothing_held():
    import torch

    def total_and_direct(x, i):
        y = x[i] * x.sum()
        total = torch.autograd.grad(y, x)[0][i]
        return total, total


@mistake(
    "direct derivative twice",
    "The first number leaves out the path through the sum. If the element of `x` itself moves, the sum moves too.",
)
def the_sum_detached():
    import torch

    def total_and_direct(x, i):
        xi = x[i]
        y = xi * x.sum().detach()
        total, direct = torch.autograd.grad(y, (x, xi))
        return total[i], direct


@mistake(
    "indirect instead of direct",
    "The second number is the share that goes through the sum. Return the derivative along the path through the "
    "factor alone.",
)
def the_other_path():
    def total_and_direct(x, i):
        return x.sum() + x[i], x[i]


@mistake(
    "gradient not indexed",
    "You returned the whole gradient, one number for each element of `x`. Return only the number for element `i`.",
)
def not_indexed():
    import torch

    def total_and_direct(x, i):
        xi = x[i]
        return torch.autograd.grad(xi * x.sum(), (x, xi))


@mistake(
    "the lesson's formula",
    "These are the numbers of the lesson's alarm level. Here `y` is the product of `x[i]` and the sum.",
)
def two_times_the_element():
    import torch

    def total_and_direct(x, i):
        xi = x[i]
        total, direct = torch.autograd.grad(2 * xi + x.sum(), (x, xi))
        return total[i], direct


@mistake(
    "path through the factor lost",
    "The total derivative is `x[i]`, the share that goes through the sum. Either the factor was detached from `x`, "
    "or the number was read at another element, which reaches `y` through the sum alone.",
)
def counted_from_one():
    import torch

    def total_and_direct(x, i):
        xi = x[i]
        total, direct = torch.autograd.grad(xi * x.sum(), (x, xi))
        return torch.roll(total, 1)[i], direct


@wrong("path through the factor lost")
def the_factor_cut_off():
    import torch

    def total_and_direct(x, i):
        xi = x[i].detach().requires_grad_()
        total, direct = torch.autograd.grad(xi * x.sum(), (x, xi))
        return total[i], direct


known(OUT_OF_BOUNDS)


@wrong("not attempted")
def total_and_direct_not_attempted():
    def total_and_direct(x, i):
        raise NotImplementedError  # your code here


@wrong("graph already freed")
def two_calls_and_no_graph():
    import torch

    def total_and_direct(x, i):
        xi = x[i]
        y = xi * x.sum()
        total = torch.autograd.grad(y, x)[0][i]
        return total, torch.autograd.grad(y, xi)[0]


@wrong("left in a tuple")
def a_tuple_for_the_factor():
    import torch

    def total_and_direct(x, i):
        xi = x[i]
        y = xi * x.sum()
        total = torch.autograd.grad(y, x, retain_graph=True)[0][i]
        return total, torch.autograd.grad(y, xi)


@right
def in_closed_form():
    def total_and_direct(x, i):
        s = float(x.sum())
        return s + float(x[i]), s


@right
def a_leaf_of_its_own():
    def total_and_direct(x, i):
        leaf = x.detach().clone().requires_grad_()
        factor = leaf[i]
        factor.retain_grad()
        (factor * leaf.sum()).backward()
        return [leaf.grad[i], factor.grad]


@right
def two_questions():
    import torch

    def total_and_direct(x, i):
        xi = x[i]
        y = xi * torch.sum(x)
        direct = torch.autograd.grad(y, xi, retain_graph=True)[0]
        total = torch.autograd.grad(y, x)[0][i]
        return total.item(), direct.item()


@right
def the_sum_held_fixed():
    import torch

    def total_and_direct(x, i):
        total = torch.autograd.functional.jacobian(lambda p: p[i] * p.sum(), x)[i]
        direct = torch.autograd.grad(x[i] * x.sum().detach(), x)[0][i]
        return total, direct

"""vectorised_element: mistakes, other ways to make them, and right answers."""

from __future__ import annotations


import torch

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, mistake, right, wrong

from ..shared import OUT_OF_BOUNDS


def _three_passes_on_the_callers(x: torch.Tensor, w: torch.Tensor, i: int) -> torch.Tensor:
    """The program that circulates: all, the "isolated" element, all again."""
    x.requires_grad_()
    ((x * w).sum() ** 2).backward()
    ((x[i] * w[i]) ** 2).backward()
    ((x * w).sum() ** 2).backward()
    return x.grad[i].clone()


known(
    Mistake(
        "backward passes added up",
        "Several backward passes were added up, that of the element alone among them. Element `i` was right after "
        "the first. See lesson 05, “Repeated backward passes add up in .grad”.",
        _three_passes_on_the_callers,
    )
)


@wrong("backward passes added up", predicts=True)
def the_program_that_circulates():
    import torch

    def vectorised_element(x, w, i):
        x = x.detach().clone().requires_grad_()
        (torch.sum(x * w) ** 2).backward()
        ((x[i] * w[i]) ** 2).backward()
        (torch.sum(x * w) ** 2).backward()
        return x.grad[i]


@wrong("backward passes added up", predicts=True)
def that_program_on_the_callers_tensor():
    import torch

    def vectorised_element(x, w, i):
        x.requires_grad_()
        x.grad = None
        (torch.sum(x * w) ** 2).backward()
        ((x[i] * w[i]) ** 2).backward()
        (torch.sum(x * w) ** 2).backward()
        return x.grad[i].item()


@mistake("gradient of the weight", "This is the derivative with respect to `w[i]`. Which of the two factors moves?")
def with_respect_to_the_weight():
    import torch

    def vectorised_element(x, w, i):
        w = w.clone().requires_grad_()
        (gradient,) = torch.autograd.grad(torch.sum(x * w) ** 2, w)
        return gradient[i]


@mistake(
    "outer square forgotten",
    "This is the derivative of the sum alone. The sum is squared, and the square has its own slope.",
)
def only_the_sum():
    def vectorised_element(x, w, i):
        return w[i]


@mistake("factor 2 of the square lost", "The result is half of what it should be. What is the slope of a square?")
def half():
    def vectorised_element(x, w, i):
        return (x * w).sum() * w[i]


@mistake(
    "inner derivative forgotten",
    "This is the slope of the square at the sum. When `x[i]` moves, by how much does the sum move?",
)
def only_the_square():
    def vectorised_element(x, w, i):
        return 2 * (x * w).sum()


@mistake(
    "one product squared",
    "The product `x[i] * w[i]` was squared by itself. Square the sum, to which all elements contribute.",
)
def the_isolated_contribution():
    import torch

    def vectorised_element(x, w, i):
        xi = x[i].detach().requires_grad_()
        return torch.autograd.grad((xi * w[i]) ** 2, xi)[0]


@wrong("one product squared")
def squares_summed():
    import torch

    def vectorised_element(x, w, i):
        leaf = x.detach().requires_grad_()
        return torch.autograd.grad(((leaf * w) ** 2).sum(), leaf)[0][i]


@mistake(
    "gradient not indexed",
    "You returned the whole gradient, one number for each element of `x`. Return only the number for element `i`.",
)
def every_element():
    import torch

    def vectorised_element(x, w, i):
        leaf = x.detach().requires_grad_()
        return torch.autograd.grad((leaf * w).sum() ** 2, leaf)[0]


@wrong(".grad changed", loses=("`x.grad` filled before, and `x` as it was",))
def backward_on_the_callers_tensor():
    def vectorised_element(x, w, i):
        x.requires_grad_()
        ((x * w).sum() ** 2).backward()
        return x.grad[i].item()


@wrong(".grad changed", loses=("`x.grad` filled before, and `x` as it was",))
def cleared_before():
    def vectorised_element(x, w, i):
        x.requires_grad_()
        x.grad = None
        ((x * w).sum() ** 2).backward()
        return x.grad[i].item()


@wrong("requires_grad switched on", loses=("`x.grad` filled before, and `x` as it was",))
def requires_grad_switched_on():
    import torch

    def vectorised_element(x, w, i):
        x.requires_grad_(True)
        return torch.autograd.grad((x * w).sum() ** 2, x)[0][i]


@mistake(
    "another element's derivative",
    "This is the derivative with respect to the element before. Elements are counted from 0, as in Python.",
)
def the_element_before():
    import torch

    def vectorised_element(x, w, i):
        leaf = x.detach().requires_grad_()
        return torch.autograd.grad((leaf * w).sum() ** 2, leaf)[0][i - 1]


known(OUT_OF_BOUNDS)


@wrong("index out of bounds")
def one_element_on():
    def vectorised_element(x, w, i):
        return 2 * (x * w).sum() * w[i + 1]


@wrong("not attempted")
def vectorised_element_not_attempted():
    def vectorised_element(x, w, i):
        raise NotImplementedError  # your code here


@wrong("no graph behind it")
def no_leaf_of_its_own():
    import torch

    def vectorised_element(x, w, i):
        return torch.autograd.grad((x * w).sum() ** 2, x)[0][i]


@right
def the_chain_rule():
    def vectorised_element(x, w, i):
        return float(2 * (x.double() * w.double()).sum() * w[i])


@right
def backward_on_a_copy():
    import torch

    def vectorised_element(x, w, i):
        leaf = torch.tensor(x.tolist(), dtype=x.dtype, requires_grad=True)
        torch.dot(leaf, w).square().backward()
        return leaf.grad[i]


@right
def one_element_as_leaf():
    import torch

    def vectorised_element(x, w, i):
        element = x[i].detach().clone().requires_grad_()
        others = (x * w).sum().detach() - (x[i] * w[i]).detach()
        return torch.autograd.grad((others + element * w[i]) ** 2, element)[0]


@right
def along_one_direction():
    import torch

    def vectorised_element(x, w, i):
        direction = torch.zeros_like(x, requires_grad=False)
        direction[i] = 1
        _, slope = torch.autograd.functional.jvp(lambda p: (p * w).sum() ** 2, x.detach(), direction)
        return slope.item()

"""ridge_loss: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, mistake, right, wrong


@mistake(
    "as given: penalty has no gradient",
    "The loss is right, but its gradient is that without a penalty. Draw the graph of the loss: which paths lead "
    "to `w`? See lesson 11, “A penalty computed with item() or NumPy”.",
)
def as_given_ridge_loss():
    import torch

    def ridge_loss(w: torch.Tensor, X: torch.Tensor, y: torch.Tensor, strength: float) -> torch.Tensor:
        penalty = 0.0
        for weight in w:
            penalty = penalty + weight.item() ** 2
        return ((X @ w - y) ** 2).mean() + strength * penalty


@wrong("as given: penalty has no gradient")
def a_leaf_of_its_own():
    import torch

    def ridge_loss(w, X, y, strength):
        penalty = torch.tensor((w**2).sum().item(), dtype=w.dtype, requires_grad=True)
        return ((X @ w - y) ** 2).mean() + strength * penalty


@wrong("as given: penalty has no gradient")
def through_numpy():
    import numpy as np

    def ridge_loss(w, X, y, strength):
        return ((X @ w - y) ** 2).mean() + strength * float(np.sum(w.detach().numpy() ** 2))


@mistake("penalty missing", "Neither the loss nor its gradient contains a penalty.")
def forgotten_penalty():
    def ridge_loss(w, X, y, strength):
        return ((X @ w - y) ** 2).mean()


@mistake("L1 penalty instead of L2", "The penalty adds up the absolute values of the weights. Add up their squares.")
def lasso():
    def ridge_loss(w, X, y, strength):
        return ((X @ w - y) ** 2).mean() + strength * w.abs().sum()


@mistake(
    "norm instead of squared norm",
    "The penalty is the length of `w`, a root. Return the sum of the squares under it.",
)
def norm_not_squared():
    def ridge_loss(w, X, y, strength):
        return ((X @ w - y) ** 2).mean() + strength * w.norm()


@mistake(
    "square of the sum",
    "The penalty squares the sum of the weights, in which they cancel. Square each weight by itself.",
)
def squared_too_late():
    def ridge_loss(w, X, y, strength):
        return ((X @ w - y) ** 2).mean() + strength * w.sum() ** 2


@mistake(
    "penalty averaged", "The penalty is too small by the number of weights: it is a sum, while the error is a mean."
)
def mean_of_the_squares():
    def ridge_loss(w, X, y, strength):
        return ((X @ w - y) ** 2).mean() + strength * (w**2).mean()


@mistake(
    "half the penalty's gradient",
    "The loss is right, but the penalty's share of the gradient is half of what it should be: one of the two "
    "factors of each square is detached.",
)
def one_factor_detached():
    def ridge_loss(w, X, y, strength):
        return ((X @ w - y) ** 2).mean() + strength * (w * w.detach()).sum()


@mistake("penalty halved", "The penalty is half as large as the task says.")
def half_the_strength():
    def ridge_loss(w, X, y, strength):
        return ((X @ w - y) ** 2).mean() + strength / 2 * (w**2).sum()


known(
    Mistake(
        "penalty subtracted",
        "The penalty makes the loss smaller.",
        lambda w, X, y, strength: ((X @ w - y) ** 2).mean() - strength * (w**2).sum(),
    )
)


@mistake("error not averaged", "You added up the squared errors. Take their mean.")
def sum_of_errors():
    def ridge_loss(w, X, y, strength):
        return ((X @ w - y) ** 2).sum() + strength * (w**2).sum()


@mistake(
    "penalty counted per row",
    "You added up errors and penalty over the rows. Average the error, and count the penalty once.",
)
def inside_the_sum():
    def ridge_loss(w, X, y, strength):
        return ((X @ w - y) ** 2 + strength * (w**2).sum()).sum()


@mistake("error term detached", "The loss is right, but only the penalty has a gradient. What detached the error?")
def the_other_item():
    def ridge_loss(w, X, y, strength):
        return ((X @ w - y) ** 2).mean().item() + strength * (w**2).sum()


@mistake(
    "loss without a graph",
    "This loss has no path to anything that requires a gradient: numbers were taken out of tensors on the way.",
    raises="RuntimeError: element \\d+ of tensors does not require grad|AttributeError: 'float' object has no "
    "attribute 'backward'",
)
def all_numbers():
    def ridge_loss(w, X, y, strength):
        return ((X @ w - y) ** 2).mean().item() + strength * (w**2).sum().item()


@wrong("not attempted")
def ridge_loss_not_attempted():
    def ridge_loss(w, X, y, strength):
        raise NotImplementedError  # your code here


@right
def the_loop_without_item():
    def ridge_loss(w, X, y, strength):
        penalty = 0.0
        for weight in w:
            penalty = penalty + weight**2
        return ((X @ w - y) ** 2).mean() + strength * penalty


@right
def by_library_functions():
    import torch
    import torch.nn.functional as F

    def ridge_loss(w, X, y, strength):
        return F.mse_loss(X @ w, y) + strength * torch.dot(w, w)


@right
def squared_norms():
    def ridge_loss(w, X, y, strength):
        residual = X @ w - y
        return residual.norm() ** 2 / len(y) + strength * w.norm() ** 2

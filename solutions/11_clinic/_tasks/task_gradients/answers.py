"""task_gradients: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

from collections.abc import Callable

import torch

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, mistake, right, wrong


def _loss(w: torch.Tensor, x: torch.Tensor, target: float) -> torch.Tensor:
    return ((x @ w - target) ** 2).mean()


def _gradient(w: torch.Tensor, x: torch.Tensor, target: float) -> torch.Tensor:
    return torch.autograd.grad(_loss(w, x, target), w)[0]


def _cleared(before: bool, put_in_the_end: Callable[[torch.Tensor], torch.Tensor | None]) -> Callable[..., list]:
    """A backward pass for each task; `w.grad` is cleared before or after each, and replaced when all are done."""

    def implementation(w: torch.Tensor, x: torch.Tensor, targets: list[float]) -> list[torch.Tensor]:
        gradients = []
        for target in targets:
            if before:
                w.grad = None
            _loss(w, x, target).backward()
            gradients.append(w.grad.clone())
            if not before:
                w.grad = None
        w.grad = put_in_the_end(w)
        return gradients

    return implementation


@mistake(
    "as given: one gradient for every task",
    "Every task has the same gradient. Check with `is` whether the entries are one tensor, and print it after each "
    "`backward()`. See lesson 11, “Gradients of several losses in a list”.",
)
def as_given_task_gradients():
    import torch

    def task_gradients(w: torch.Tensor, x: torch.Tensor, targets: list[float]) -> list[torch.Tensor]:
        prediction = x @ w
        gradients = []
        for target in targets:
            loss = ((prediction - target) ** 2).mean()
            loss.backward(retain_graph=True)
            gradients.append(w.grad)
        return gradients


@mistake(
    "mean before the square",
    "You took the mean of the predictions and squared it after that. The loss is the mean of the squares: each row "
    "has its own error, and errors of opposite signs do not cancel.",
)
def the_square_of_the_mean():
    import torch

    def task_gradients(w, x, targets):
        return [torch.autograd.grad((x @ w - target).mean() ** 2, w)[0] for target in targets]


@wrong("mean before the square")
def by_the_mean_of_the_rows():
    def task_gradients(w, x, targets):
        row = x.mean(0)
        return [2 * (float(row @ w.detach()) - target) * row for target in targets]


@wrong("as given: one gradient for every task")
def a_new_forward_pass_only():
    def task_gradients(w, x, targets):
        gradients = []
        for target in targets:
            loss = ((x @ w - target) ** 2).mean()
            loss.backward()
            gradients.append(w.grad.detach())
        return gradients


@mistake(
    "gradients accumulated",
    "The entries are separate tensors now, but each holds more than its own task's gradient. What was in "
    "`w.grad` before its `backward()`?",
)
def copies_of_the_sum():
    def task_gradients(w, x, targets):
        prediction = x @ w
        gradients = []
        for target in targets:
            loss = ((prediction - target) ** 2).mean()
            loss.backward(retain_graph=True)
            gradients.append(w.grad.clone())
        return gradients


known(
    Mistake(
        "initial .grad included",
        "The first entry holds more than its own task's gradient: `w.grad` was cleared after each pass, so what "
        "the caller had there went into the first entry.",
        _cleared(False, lambda w: None),
        _cleared(False, torch.zeros_like),
    ),
)


@wrong(".grad filled", loses=("w and its gradient as they were",))
def cleared_before_each_task():
    def task_gradients(w, x, targets):
        prediction = x @ w
        gradients = []
        for target in targets:
            w.grad = None
            loss = ((prediction - target) ** 2).mean()
            loss.backward(retain_graph=True)
            gradients.append(w.grad)
        return gradients


@wrong(".grad cleared", loses=("w and its gradient as they were",))
def cleared_after_each_task():
    def task_gradients(w, x, targets):
        prediction = x @ w
        gradients = []
        w.grad = None
        for target in targets:
            loss = ((prediction - target) ** 2).mean()
            loss.backward(retain_graph=True)
            gradients.append(w.grad.clone())
            w.grad = None
        return gradients


@wrong("initial .grad included", predicts=True)
def copied_and_zeroed():
    def task_gradients(w, x, targets):
        prediction = x @ w
        gradients = []
        for target in targets:
            loss = ((prediction - target) ** 2).mean()
            loss.backward(retain_graph=True)
            gradients.append(w.grad.clone())
            w.grad.zero_()
        return gradients


@mistake(
    "alias of .grad zeroed",
    "All entries are 0: what you kept is `w.grad` itself, and it was set to zero afterwards. See lesson 03, "
    "“Aliases of .grad, and zero_grad”.",
)
def zeroed_in_place():
    def task_gradients(w, x, targets):
        prediction = x @ w
        gradients = []
        for target in targets:
            loss = ((prediction - target) ** 2).mean()
            loss.backward(retain_graph=True)
            gradients.append(w.grad)
            w.grad.zero_()
        return gradients


@mistake("gradient of the summed losses", "Every task has the gradient of all losses together. Each loss has its own.")
def all_losses_at_once():
    import torch

    def task_gradients(w, x, targets):
        total = 0
        for target in targets:
            total = total + ((x @ w - target) ** 2).mean()
        return [torch.autograd.grad(total, w, retain_graph=True)[0] for _ in targets]


known(
    Mistake(
        "stacked instead of a list",
        "The gradients are right, but they are in one tensor. Return a list with one tensor for each target.",
        lambda w, x, targets: torch.stack([_gradient(w, x, one) for one in targets]) if targets else w.new_empty(0),
    )
)


@wrong("stacked instead of a list")
def stacked():
    import torch

    def task_gradients(w, x, targets):
        return torch.stack([torch.autograd.grad(((x @ w - target) ** 2).mean(), w)[0] for target in targets])


@mistake(
    "sum instead of mean", "Each entry is too large by a factor, the number of rows. The loss is the mean over them."
)
def sums_of_squares():
    import torch

    def task_gradients(w, x, targets):
        return [torch.autograd.grad(((x @ w - t) ** 2).sum(), w)[0] for t in targets]


@mistake(
    "divided by the number of tasks", "Each entry is too small by the number of tasks. Every task counts by itself."
)
def divided_by_the_tasks():
    import torch

    def task_gradients(w, x, targets):
        gradients = []
        for t in targets:
            loss = ((x @ w - t) ** 2).mean() / len(targets)
            gradients.append(torch.autograd.grad(loss, w)[0])
        return gradients


known(
    Mistake(
        "targets ignored",
        "The targets have no influence on these gradients.",
        lambda w, x, targets: [_gradient(w, x, 0.0) for _ in targets],
    )
)


@mistake(
    "shared graph freed",
    "The tasks share a part of the graph, and the first pass freed it. Keep that part for the next pass, or compute "
    "it again. See lesson 02, “What a call frees”.",
    raises="RuntimeError: Trying to backward through the graph a second time",
)
def no_longer_retained():
    import torch

    def task_gradients(w, x, targets):
        prediction = x @ w
        gradients = []
        for target in targets:
            loss = ((prediction - target) ** 2).mean()
            gradients.append(torch.autograd.grad(loss, w)[0])
        return gradients


@mistake(
    "empty list of targets",
    "With an empty list of targets the result should be an empty list.",
    raises="IndexError|RuntimeError: stack expects a non-empty|ZeroDivisionError|ValueError: not enough values",
    loses=("w and its gradient as they were",),
)
def stacked_where_there_may_be_none():
    import torch

    def task_gradients(w, x, targets):
        losses = torch.stack([((x @ w - t) ** 2).mean() for t in targets])
        return [torch.autograd.grad(loss, w, retain_graph=True)[0] for loss in losses]


@wrong("not attempted")
def task_gradients_not_attempted():
    def task_gradients(w, x, targets):
        raise NotImplementedError  # your code here
        prediction = x @ w
        gradients = []
        for target in targets:
            loss = ((prediction - target) ** 2).mean()
            loss.backward(retain_graph=True)
            gradients.append(w.grad)
        return gradients


@wrong("left in a tuple")
def tuples_of_one():
    import torch

    def task_gradients(w, x, targets):
        prediction = x @ w
        return [torch.autograd.grad(((prediction - target) ** 2).mean(), w, retain_graph=True) for target in targets]


@wrong("no graph behind it")
def a_detached_copy():
    import torch

    def task_gradients(w, x, targets):
        w = w.detach()
        return [torch.autograd.grad(((x @ w - t) ** 2).mean(), w)[0] for t in targets]


@right
def the_given_program_with_retained_graphs():
    import torch

    def task_gradients(w, x, targets):
        prediction = x @ w
        gradients = []
        for target in targets:
            loss = ((prediction - target) ** 2).mean()
            gradients += torch.autograd.grad(loss, w, retain_graph=True)
        return gradients


@right
def backward_on_a_copy():
    def task_gradients(w, x, targets):
        gradients = []
        for target in targets:
            own = w.detach().clone().requires_grad_()
            ((x @ own - target) ** 2).mean().backward()
            gradients.append(own.grad)
        return gradients


@right
def kept_and_put_back():
    def task_gradients(w, x, targets):
        before = w.grad
        gradients = []
        for target in targets:
            w.grad = None
            ((x @ w - target) ** 2).mean().backward()
            gradients.append(w.grad)
        w.grad = before
        return gradients


@right
def by_the_formula():
    def task_gradients(w, x, targets):
        return tuple(2 / len(x) * x.T @ (x @ w - target) for target in targets)


@right
def by_func():
    import torch

    def task_gradients(w, x, targets):
        loss = lambda w, target: (x @ w - target).square().mean()
        return [torch.func.grad(loss)(w, target) for target in targets]

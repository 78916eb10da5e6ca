"""micro_batches: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, mistake, right, wrong

Parts = list[torch.Tensor]
Cut = Callable[[torch.Tensor, int], Parts]
Weight = Callable[[int, int, int], float]
"""From the part's size, the batch's size and `parts` to the factor of the part's mean loss."""


def tensor_split(batch: torch.Tensor, parts: int) -> Parts:
    return list(batch.tensor_split(parts))


def chunk(batch: torch.Tensor, parts: int) -> Parts:
    return list(batch.chunk(parts))


def rest_dropped(batch: torch.Tensor, parts: int) -> Parts:
    size = len(batch) // parts
    return [batch[k * size : (k + 1) * size] for k in range(parts)]


def share(size: int, whole: int, parts: int) -> float:
    return size / whole


def equal(size: int, whole: int, parts: int) -> float:
    return 1 / parts


def one(size: int, whole: int, parts: int) -> float:
    return 1.0


def accumulate(
    cut: Cut = tensor_split, weight: Weight = share, *, zero_first: bool = True, zero_between: bool = False
) -> Callable[..., list[torch.Tensor | None]]:
    """The task's function, as it is with these choices."""

    def micro_batches(model: nn.Module, loss_fn: Callable, batch: torch.Tensor, y: torch.Tensor, parts: int) -> Any:
        if zero_first:
            model.zero_grad()
        for some, targets in zip(cut(batch, parts), cut(y, parts), strict=True):
            if zero_between:
                model.zero_grad()
            (loss_fn(model(some), targets) * weight(len(some), len(batch), parts)).backward()
        return [None if p.grad is None else p.grad.clone() for p in model.parameters()]

    return micro_batches


known(
    Mistake(
        "means added up",
        "The gradients of the parts' means were added as they are. Their sum is not the gradient of the mean "
        "over all samples: each part needs a factor.",
        accumulate(chunk, one),
    )
)


@wrong("means added up", predicts=True)
def no_factor():
    def micro_batches(model, loss_fn, X, y, parts):
        model.zero_grad()
        for a, b in zip(X.tensor_split(parts), y.tensor_split(parts)):
            loss_fn(model(a), b).backward()
        return [p.grad.clone() for p in model.parameters()]


@mistake(
    "parts weighted equally",
    "Every part has the same weight, whether it holds many samples or few. How much does one sample count "
    "then, and how much in the mean over all?",
    loses=("parts of unequal size",),
)
def the_mean_of_means():
    import torch

    def micro_batches(model, loss_fn, X, y, parts):
        model.zero_grad()
        losses = [loss_fn(model(a), b) for a, b in zip(X.tensor_split(parts), y.tensor_split(parts))]
        torch.stack(losses).mean().backward()
        return [p.grad for p in model.parameters()]


@wrong("parts weighted equally", predicts=True, loses=("parts of unequal size",))
def the_recipe_that_circulates():
    def micro_batches(model, loss_fn, X, y, parts):
        model.zero_grad()
        for a, b in zip(X.chunk(parts), y.chunk(parts)):
            loss = loss_fn(model(a), b) / parts
            loss.backward()
        return [p.grad for p in model.parameters()]


@mistake(
    "gradients from before added",
    "Your answer includes gradients from before the call. Every `.grad` has to be empty before the first part.",
    loses=("whatever lay in .grad before",),
)
def not_cleared():
    def micro_batches(model, loss_fn, X, y, parts):
        for a, b in zip(X.tensor_split(parts), y.tensor_split(parts)):
            (loss_fn(model(a), b) * len(a) / len(X)).backward()
        return [p.grad.clone() for p in model.parameters()]


@mistake(
    "None set to zero",
    "Before its first backward pass a parameter's `.grad` is None, and None cannot be set to zero.",
    raises="AttributeError: 'NoneType' object has no attribute '(zero_|fill_|data|detach_)'.*; None was (a|the) .grad",
)
def zeroed_where_nothing_is():
    def micro_batches(model, loss_fn, X, y, parts):
        for p in model.parameters():
            p.grad.zero_()
        for a, b in zip(X.chunk(parts), y.chunk(parts)):
            (len(a) / len(X) * loss_fn(model(a), b)).backward()
        return [p.grad for p in model.parameters()]


known(
    Mistake(
        "cleared between the parts",
        "Only the last part is in the result. Clear before the first part, not between the parts.",
        accumulate(weight=equal, zero_between=True),
        accumulate(weight=one, zero_between=True),
    ),
    Mistake(
        "last samples left out",
        "Some samples at the end never went through the model. Parts of N // parts samples leave a remainder, "
        "which belongs to a part as well.",
        accumulate(rest_dropped, equal),
    ),
)


@wrong("cleared between the parts", predicts=True)
def cleared_too_often():
    def micro_batches(model, loss_fn, X, y, parts):
        for a, b in zip(X.tensor_split(parts), y.tensor_split(parts)):
            model.zero_grad()
            (loss_fn(model(a), b) * len(a) / len(X)).backward()
        return [p.grad.clone() for p in model.parameters()]


@wrong("last samples left out", predicts=True)
def whole_parts_only():
    def micro_batches(model, loss_fn, X, y, parts):
        model.zero_grad()
        size = len(X) // parts
        for i in range(parts):
            a, b = X[i * size : (i + 1) * size], y[i * size : (i + 1) * size]
            (loss_fn(model(a), b) * size / len(X)).backward()
        return [p.grad for p in model.parameters()]


@mistake(
    "gradients overwritten by the next call",
    "You returned the `.grad` tensors themselves, and the next call wrote other numbers into them. Return copies, or clear "
    "`.grad` by None.",
    loses=("whatever lay in .grad before",),
)
def zeroed_in_place_and_handed_out():
    def micro_batches(model, loss_fn, X, y, parts):
        model.zero_grad(set_to_none=False)
        for part, targets in zip(X.tensor_split(parts), y.tensor_split(parts)):
            (loss_fn(model(part), targets) * len(part) / len(X)).backward()
        return [parameter.grad for parameter in model.parameters()]


@wrong("gradients overwritten by the next call", loses=("whatever lay in .grad before",))
def filled_with_zeros_first():
    import math

    def micro_batches(model, loss_fn, X, y, parts):
        for parameter in model.parameters():
            if parameter.grad is not None:
                parameter.grad.fill_(0.0)
        size = math.ceil(len(X) / parts)
        for start in range(0, len(X), size):
            rows = slice(start, start + size)
            loss = loss_fn(model(X[rows]), y[rows])
            loss.mul(len(X[rows]) / len(X)).backward()
        return [parameter.grad.detach() for parameter in model.parameters()]


@mistake(
    "the whole batch at once",
    "The model got all samples in one call. Micro-batches exist to avoid that.",
    loses=("never too many samples at once",),
)
def not_cut_at_all():
    def micro_batches(model, loss_fn, X, y, parts):
        model.zero_grad()
        loss_fn(model(X), y).backward()
        return [p.grad for p in model.parameters()]


@mistake(
    "parts used as a size",
    "You used `parts` as the number of samples in a part. It says into how many parts the batch is cut.",
    loses=("never too many samples at once",),
)
def split_by_parts():
    def micro_batches(model, loss_fn, X, y, parts):
        model.zero_grad()
        for a, b in zip(X.split(parts), y.split(parts)):
            (loss_fn(model(a), b) * len(a) / len(X)).backward()
        return [p.grad for p in model.parameters()]


@mistake(
    "last part too large",
    "The last part holds its own samples and all that were left over, which can be more than N / parts "
    "rounded up. How many parts could take one more?",
    loses=("never too many samples at once",),
)
def the_last_part_takes_the_rest():
    def micro_batches(model, loss_fn, X, y, parts):
        model.zero_grad()
        size = len(X) // parts
        for k in range(parts):
            end = (k + 1) * size if k < parts - 1 else len(X)
            some, targets = X[k * size : end], y[k * size : end]
            (loss_fn(model(some), targets) * len(some) / len(X)).backward()
        return [parameter.grad for parameter in model.parameters()]


@mistake(
    "the same targets for every part",
    "Every part was compared with the first targets. `y` is cut in the same way as `X`.",
)
def y_from_the_start():
    def micro_batches(model, loss_fn, X, y, parts):
        model.zero_grad()
        for a in X.tensor_split(parts):
            (loss_fn(model(a), y[: len(a)]) * len(a) / len(X)).backward()
        return [p.grad for p in model.parameters()]


@wrong("not attempted")
def micro_batches_not_attempted():
    def micro_batches(model, loss_fn, X, y, parts):
        raise NotImplementedError  # your code here


@wrong(
    "parameters changed",
    loses=(
        "parts of equal size",
        "parts of unequal size",
        "whatever lay in .grad before",
        "never too many samples at once",
    ),
)
def a_step_at_the_end():
    import torch

    def micro_batches(model, loss_fn, X, y, parts):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        optimizer.zero_grad()
        for some, targets in zip(X.chunk(parts), y.chunk(parts)):
            (loss_fn(model(some), targets) * len(some) / len(X)).backward()
        optimizer.step()
        return [parameter.grad for parameter in model.parameters()]


@wrong("a constant factor")
def weighted_by_the_size():
    def micro_batches(model, loss_fn, X, y, parts):
        model.zero_grad()
        for a, b in zip(X.chunk(parts), y.chunk(parts)):
            (len(a) * loss_fn(model(a), b)).backward()
        return [p.grad for p in model.parameters()]


@wrong("under another name")
def from_last_to_first():
    def micro_batches(model, loss_fn, X, y, parts):
        model.zero_grad()
        for a, b in zip(X.chunk(parts), y.chunk(parts)):
            (len(a) / len(X) * loss_fn(model(a), b)).backward()
        return [p.grad for p in reversed(list(model.parameters()))]


@right
def chunks_by_their_share():
    def micro_batches(model, loss_fn, X, y, parts):
        for parameter in model.parameters():
            parameter.grad = None
        for part, targets in zip(X.chunk(parts), y.chunk(parts)):
            (loss_fn(model(part), targets) * part.shape[0] / X.shape[0]).backward()
        return [parameter.grad.clone() for parameter in model.parameters()]


@right
def without_filling_grad():
    import math
    import torch

    def micro_batches(model, loss_fn, X, y, parts):
        size = math.ceil(len(X) / parts)
        parameters = tuple(model.parameters())
        total = [torch.zeros_like(p) for p in parameters]
        for start in range(0, len(X), size):
            part, targets = X[start : start + size], y[start : start + size]
            gradients = torch.autograd.grad(loss_fn(model(part), targets), parameters)
            for t, g in zip(total, gradients):
                t += g * len(part)
        return [t / len(X) for t in total]


@right
def one_sample_at_a_time():
    def micro_batches(model, loss_fn, X, y, parts):
        model.zero_grad(set_to_none=False)
        for i in range(len(X)):
            loss_fn(model(X[i : i + 1]), y[i : i + 1]).backward()
        return [p.grad / len(X) for p in model.parameters()]


@right
def one_backward_at_the_end():
    import torch

    def micro_batches(model, loss_fn, X, y, parts):
        pieces = zip(torch.tensor_split(X, parts), torch.tensor_split(y, parts))
        loss = sum(loss_fn(model(a), b) * (len(a) / len(X)) for a, b in pieces)
        return torch.autograd.grad(loss, list(model.parameters()))

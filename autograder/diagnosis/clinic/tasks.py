"""Mistakes of task_gradients."""

from __future__ import annotations

from collections.abc import Callable

import torch

from autograder.diagnosis.hypothesis import Mistake
from autograder.diagnosis.jacobians.shared import mistakes_of

_mistake = mistakes_of("task_gradients")
Targets = list[float]
Keep = Callable[[torch.Tensor], torch.Tensor]


def _loss(w: torch.Tensor, x: torch.Tensor, target: float) -> torch.Tensor:
    return ((x @ w - target) ** 2).mean()


def _gradient(w: torch.Tensor, x: torch.Tensor, target: float) -> torch.Tensor:
    return torch.autograd.grad(_loss(w, x, target), w)[0]


def _backward(keep: Keep, *, cleared: str = "", afterwards: Callable = lambda w, found: None) -> Callable:
    """A backward pass for each task, cleared "before" or "after" it, where `keep` says what of `w.grad` is appended."""

    def implementation(w: torch.Tensor, x: torch.Tensor, targets: Targets) -> list[torch.Tensor]:
        found = w.grad
        gradients = []
        for target in targets:
            if cleared == "before":
                w.grad = None
            _loss(w, x, target).backward()
            gradients.append(keep(w.grad))
            if cleared == "after":
                w.grad.zero_()
        afterwards(w, found)
        return gradients

    return implementation


def _zeroed(w: torch.Tensor, x: torch.Tensor, targets: Targets) -> list[torch.Tensor]:
    """One tensor for all, set to 0 after each task."""
    gradients = _backward(lambda gradient: gradient, afterwards=_zero)(w, x, targets)
    return [torch.zeros_like(one) for one in gradients]


def _zero(w: torch.Tensor, found: torch.Tensor | None) -> None:
    if w.grad is not None:
        w.grad.zero_()


def _none(w: torch.Tensor, found: torch.Tensor | None) -> None:
    w.grad = None


def _summed(w: torch.Tensor, x: torch.Tensor, targets: Targets) -> list[torch.Tensor]:
    if not targets:
        return []
    total = sum(_loss(w, x, target) for target in targets)
    return [torch.autograd.grad(total, w)[0]] * len(targets)


TASK_GRADIENTS = (
    *_mistake(
        "as given: one gradient for every task",
        "Every task has the same gradient. Look with `is` whether the entries are one tensor, and print it after each "
        "`backward()`. See lesson 11, “Gradients that pile up”.",
        _backward(lambda gradient: gradient),
    ),
    *_mistake(
        "each holds those before it",
        "The entries are tensors of their own now, and each holds more than its own task's gradient. What was in "
        "`w.grad` when its `backward()` came?",
        _backward(torch.clone),
    ),
    *_mistake(
        "w.grad not as it was",
        "The gradients are right, and `w.grad` is not what the caller had there. Which function returns gradients and "
        "stores none?",
        _backward(torch.clone, cleared="before"),
        _backward(torch.clone, cleared="before", afterwards=_none),
        _backward(torch.clone, cleared="before", afterwards=_zero),
    ),
    *_mistake(
        "what was there before",
        "The first entry holds more than its own task's gradient: `w.grad` was cleared after each pass, and what the "
        "caller had there came into the first.",
        _backward(torch.clone, cleared="after"),
        _backward(torch.clone, cleared="after", afterwards=_none),
        _backward(torch.clone, cleared="after", afterwards=_zero),
    ),
    *_mistake(
        "zeroed after it was kept",
        "All entries are 0: what was kept is `w.grad` itself, and it was set to zero afterwards. See lesson 03, "
        "“Aliases of .grad, and zero_grad”.",
        _zeroed,
    ),
    *_mistake(
        "gradient of the losses' sum",
        "Every task has the gradient of all losses together. Each loss has one of its own.",
        _summed,
    ),
    *_mistake(
        "one tensor for the list",
        "The gradients are right, and stand in one tensor. Asked for is a list, with a tensor for each target.",
        lambda w, x, targets: torch.stack([_gradient(w, x, one) for one in targets]) if targets else w.new_empty(0),
    ),
    *_mistake(
        "summed over the rows",
        "Each entry is too large by the number of rows. The loss is the mean over them.",
        lambda w, x, targets: [_gradient(w, x, target) * len(x) for target in targets],
    ),
    *_mistake(
        "averaged over the tasks",
        "Each entry is too small by the number of tasks. Every task counts by itself.",
        lambda w, x, targets: [_gradient(w, x, target) / len(targets) for target in targets],
    ),
    *_mistake(
        "targets left out",
        "The targets have no influence on these gradients.",
        lambda w, x, targets: [_gradient(w, x, 0.0) for _ in targets],
    ),
    Mistake(
        "one graph for several passes",
        "The tasks share a part of the graph, and the first pass freed it. What each pass needs can be kept for the "
        "next, or computed again. See lesson 02, “What a call frees”.",
        raises="RuntimeError: Trying to backward through the graph a second time",
    ),
    Mistake(
        "no task at all",
        "With an empty list of targets the result is an empty list.",
        raises="IndexError|RuntimeError: stack expects a non-empty|ZeroDivisionError|ValueError: not enough values",
    ),
)

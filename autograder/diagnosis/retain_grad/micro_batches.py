"""Mistakes of micro_batches: the weight of a part, how it is cut, what lay there before."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import nn

from autograder.diagnosis.hypothesis import Mistake
from autograder.references.replay import under

Parts = list[torch.Tensor]
Cut = Callable[[torch.Tensor, int], Parts]
Weight = Callable[[int, int, int], float]
"""From the part's size, the batch's size and `parts` to the factor of the part's mean loss."""


def tensor_split(batch: torch.Tensor, parts: int) -> Parts:
    return list(batch.tensor_split(parts))


def chunk(batch: torch.Tensor, parts: int) -> Parts:
    return list(batch.chunk(parts))


def by_size(batch: torch.Tensor, parts: int) -> Parts:
    return list(batch.split(parts))


def rest_dropped(batch: torch.Tensor, parts: int) -> Parts:
    size = len(batch) // parts
    return [batch[k * size : (k + 1) * size] for k in range(parts)]


def rest_in_the_last(batch: torch.Tensor, parts: int) -> Parts:
    size = len(batch) // parts
    return [*(batch[k * size : (k + 1) * size] for k in range(parts - 1)), batch[(parts - 1) * size :]]


def uncut(batch: torch.Tensor, parts: int) -> Parts:
    return [batch]


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


def _same_targets(model: nn.Module, loss_fn: Callable, batch: torch.Tensor, y: torch.Tensor, parts: int) -> Any:
    model.zero_grad()
    for some in batch.tensor_split(parts):
        (loss_fn(model(some), y[: len(some)]) * (len(some) / len(batch))).backward()
    return [parameter.grad.clone() for parameter in model.parameters()]


def _mistakes(name: str, sentence: str, implementations: Iterable[Callable]) -> tuple[Mistake, ...]:
    return tuple(Mistake(name, sentence, under("micro_batches", one)) for one in implementations)


CUTS: tuple[Cut, ...] = (tensor_split, chunk)
MICRO_BATCHES = (
    *_mistakes(
        "means added up",
        "The gradients of the parts' means were added as they are. Their sum is not the gradient of the mean over "
        "all samples: each part needs a factor.",
        (accumulate(cut, one) for cut in CUTS),
    ),
    *_mistakes(
        "parts weighted equally",
        "Every part has the same weight, whether it holds many samples or few. How much does one sample count "
        "then, and how much in the mean over all?",
        (accumulate(cut, equal) for cut in CUTS),
    ),
    *_mistakes(
        "gradients from before added",
        "What lay in `.grad` before the call is part of the answer. The account has to be empty when the first part "
        "comes.",
        (accumulate(zero_first=False),),
    ),
    Mistake(
        "nothing there to clear",
        "A parameter through which no pass has gone holds None in its `.grad`, and None cannot be set to zero.",
        raises="AttributeError: 'NoneType' object has no attribute '(zero_|fill_|data|detach_)'",
    ),
    *_mistakes(
        "cleared between the parts",
        "The last part alone is in the result. Clearing belongs before the first part, not between the parts.",
        (accumulate(weight=weight, zero_between=True) for weight in (share, equal, one)),
    ),
    *_mistakes(
        "the rest left out",
        "Some samples at the end never went through the model: the parts have N // parts samples each, and what "
        "is left over belongs to a part as well.",
        (accumulate(rest_dropped, weight) for weight in (share, equal)),
    ),
    *_mistakes(
        "the whole batch at once",
        "The model got all samples in one call. That is what micro-batches are to avoid.",
        (accumulate(uncut),),
    ),
    *_mistakes(
        "parts taken as a size",
        "`parts` was taken for the number of samples in a part. It says into how many parts the batch is cut.",
        (accumulate(by_size),),
    ),
    *_mistakes(
        "the rest in the last part",
        "The last part holds its own samples and all that were left over, which can be more than N / parts rounded up. "
        "How many parts could take one more?",
        (accumulate(rest_in_the_last),),
    ),
    *_mistakes(
        "the same targets for every part",
        "Every part was compared with the first targets. `y` is cut in the same way as `X`.",
        (_same_targets,),
    ),
)

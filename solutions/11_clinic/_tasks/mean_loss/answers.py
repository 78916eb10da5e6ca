"""mean_loss: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import torch
from torch import nn

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, mistake, right, wrong


def _losses(model: nn.Module, loss_fn: Callable, batches: Iterable[tuple]) -> torch.Tensor:
    """Return the losses of all batches, without a graph."""
    with torch.no_grad():
        return torch.stack([loss_fn(model(inputs), y) for inputs, y in batches])


def _last_divided(model: nn.Module, loss_fn: Callable, batches: Iterable[tuple]) -> torch.Tensor:
    losses = _losses(model, loss_fn, batches)
    return losses[-1] / len(losses)


@mistake(
    "as given: memory grows with the batches",
    "The mean is right. With more batches, more tensors are kept for a backward pass that never runs: "
    "`counters.tensors_kept()` counts them. See lesson 11, “Running averages of losses, and memory”.",
)
def as_given_mean_loss():
    from collections.abc import Callable, Iterable

    import torch

    def mean_loss(model: torch.nn.Module, loss_fn: Callable, batches: Iterable[tuple]) -> torch.Tensor:
        total, count = 0.0, 0
        for X, y in batches:
            total = total + loss_fn(model(X), y)
            count += 1
        return (total / count).detach()


@wrong("as given: memory grows with the batches")
def item_at_the_end():
    def mean_loss(model, loss_fn, batches):
        total, count = 0, 0
        for X, y in batches:
            total += loss_fn(model(X), y)
            count += 1
        return total.item() / count


@wrong("as given: memory grows with the batches")
def a_list_of_attached_losses():
    import torch

    def mean_loss(model, loss_fn, batches):
        losses = [loss_fn(model(X), y) for X, y in batches]
        return torch.tensor([loss.item() for loss in losses], dtype=losses[0].dtype).mean()


@mistake(
    "result attached, memory grows",
    "The mean is right, but it still carries the graphs of all batches, and more batches keep more tensors.",
)
def detach_forgotten():
    def mean_loss(model, loss_fn, batches):
        total, count = 0.0, 0
        for X, y in batches:
            total = total + loss_fn(model(X), y)
            count += 1
        return total / count


known(
    Mistake(
        "result not detached",
        "The mean is right and no memory grows, but the result still requires a gradient. Return it detached.",
        lambda *given: _losses(*given).mean().requires_grad_(),
    )
)


@wrong(".grad filled", loses=("one batch, a generator, and all as it was",))
def backward_to_free_the_graph():
    def mean_loss(model, loss_fn, batches):
        total, count = 0.0, 0
        for X, y in batches:
            loss = loss_fn(model(X), y)
            loss.backward()
            total += loss.item()
            count += 1
        return total / count


@wrong("mode changed", loses=("one batch, a generator, and all as it was",))
def evaluation_and_back():
    import torch

    def mean_loss(model, loss_fn, batches):
        model.eval()
        with torch.no_grad():
            losses = [loss_fn(model(X), y).item() for X, y in batches]
        model.train()
        return sum(losses) / len(losses)


@wrong("parameters frozen", loses=("the mean, and nothing that grows", "one batch, a generator, and all as it was"))
def frozen_parameters():
    def mean_loss(model, loss_fn, batches):
        for p in model.parameters():
            p.requires_grad = False
        losses = [loss_fn(model(X), y) for X, y in batches]
        return sum(losses) / len(losses)


@wrong("grad mode changed", loses=("one batch, a generator, and all as it was",))
def switched_off_for_good():
    import torch

    def mean_loss(model, loss_fn, batches):
        torch.set_grad_enabled(False)
        losses = [loss_fn(model(X), y).item() for X, y in batches]
        return sum(losses) / len(losses)


@mistake("sum instead of mean", "You added up the losses and did not divide.")
def never_divided():
    def mean_loss(model, loss_fn, batches):
        total = 0.0
        for X, y in batches:
            total += loss_fn(model(X), y).item()
        return total


@mistake("last loss only", "This is the loss of the last batch.")
def overwritten():
    def mean_loss(model, loss_fn, batches):
        for X, y in batches:
            loss = loss_fn(model(X), y).detach()
        return loss


known(
    Mistake(
        "last loss divided",
        "This is the loss of the last batch, divided by the number of batches.",
        _last_divided,
    )
)


@mistake("batches weighted by size", "You weighted each batch by its size. Here each batch counts the same.")
def weighted_by_size():
    def mean_loss(model, loss_fn, batches):
        total, count = 0.0, 0
        for X, y in batches:
            total += loss_fn(model(X), y).item() * len(X)
            count += len(X)
        return total / count


@mistake(
    "divided by sample count",
    "You divided the sum of the batches' losses by the number of samples. Return the mean over batches.",
)
def counted_samples():
    def mean_loss(model, loss_fn, batches):
        total, count = 0.0, 0
        for X, y in batches:
            total += loss_fn(model(X), y).item()
            count += len(X)
        return total / count


@mistake("moving average", "Late batches count more than early batches: this mean forgets.")
def an_average_that_forgets():
    def mean_loss(model, loss_fn, batches):
        mean = None
        for X, y in batches:
            loss = loss_fn(model(X), y).item()
            mean = loss if mean is None else (mean + loss) / 2
        return mean


@mistake("list instead of the mean", "These are the losses themselves. Return their mean.")
def not_averaged():
    def mean_loss(model, loss_fn, batches):
        return [loss_fn(model(X), y).item() for X, y in batches]


@mistake(
    "generator used like a list",
    "`batches` may be a generator, which has no length and no indices, and can be run through only once. Count as "
    "you go.",
    raises="TypeError: (object of type '(generator|\\w*iterator)' has no len|'\\w+' object is not subscriptable)"
    "|ZeroDivisionError",
)
def length_of_the_batches():
    import torch

    def mean_loss(model, loss_fn, batches):
        with torch.no_grad():
            return sum(loss_fn(model(X), y) for X, y in batches) / len(batches)


@wrong("not attempted")
def mean_loss_not_attempted():
    def mean_loss(model, loss_fn, batches):
        raise NotImplementedError  # your code here


@right
def without_a_graph():
    import torch

    def mean_loss(model, loss_fn, batches):
        with torch.no_grad():
            losses = [loss_fn(model(X), y) for X, y in batches]
            return torch.stack(losses).mean()


@right
def python_floats():
    def mean_loss(model, loss_fn, batches):
        losses = [loss_fn(model(X), y).item() for X, y in batches]
        return sum(losses) / len(losses)


@right
def a_running_mean():
    import torch

    @torch.no_grad()
    def mean_loss(model, loss_fn, batches):
        mean = torch.zeros((), dtype=torch.float64)
        for count, (X, y) in enumerate(batches, start=1):
            mean += (loss_fn(model(X), y) - mean) / count
        return mean


@right
def in_inference_mode():
    import torch

    def mean_loss(model, loss_fn, batches):
        with torch.inference_mode():
            losses = [loss_fn(model(X), y).item() for X, y in batches]
        return torch.tensor(sum(losses) / len(losses))


@right
def detached_at_once():
    def mean_loss(model, loss_fn, batches):
        total, count = 0.0, 0
        for X, y in batches:
            loss = loss_fn(model(X), y)
            total = total + loss.data
            count += 1
        return total / count

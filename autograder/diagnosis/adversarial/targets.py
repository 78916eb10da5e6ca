"""Mistakes of targeted_pgd: those of any walk, and those about targets and who has arrived."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn

from autograder.diagnosis.adversarial.shared import of_predictions, read, things_as_found
from autograder.diagnosis.adversarial.walking import Walk, stopping
from autograder.diagnosis.adversarial.walks import UNBOUND, WALKS
from autograder.diagnosis.hypothesis import Mistake
from autograder.diagnosis.jacobians.shared import mistakes_of
from autograder.references.adversarial.attacks import walked, walked_to

TASK = "targeted_pgd"
_mistake = mistakes_of(TASK)


def _by(walk: Callable[..., torch.Tensor], times: int = -1) -> Callable[..., tuple[torch.Tensor, torch.Tensor]]:
    """Images of a wrong walk, and a right look at them."""

    def implementation(model: nn.Module, x: torch.Tensor, target: torch.Tensor, *sizes: float) -> tuple:
        epsilon, step, iterations = sizes
        found = walk(model, x, target, epsilon, times * step, iterations)
        return found, read(model, found) == target

    return implementation


def _seen(reached: Callable[..., torch.Tensor]) -> Callable[..., tuple[torch.Tensor, torch.Tensor]]:
    """The right images, and a wrong answer to who has arrived."""

    def implementation(model: nn.Module, x: torch.Tensor, target: torch.Tensor, *sizes: float) -> tuple:
        found, _ = walked_to(model, x, target, *sizes)
        return found, reached(model, x, target, found)

    return implementation


def _once_there(model: nn.Module, x: torch.Tensor, target: torch.Tensor, *sizes: float) -> tuple:
    epsilon, step, iterations = sizes
    reached = torch.zeros(len(x), dtype=torch.bool)
    for k in range(1, iterations + 1):
        reached |= read(model, walked(model, x, target, epsilon, -step, k)) == target
    return walked(model, x, target, epsilon, -step, iterations), reached


def _before_the_last(model: nn.Module, x: torch.Tensor, target: torch.Tensor, *sizes: float) -> tuple:
    epsilon, step, iterations = sizes
    found, last_but_one = (walked(model, x, target, epsilon, -step, max(n, 0)) for n in (iterations, iterations - 1))
    return found, read(model, last_but_one) == target


TARGETED_PGD = (
    *(mistake for name, (said, walks) in WALKS.items() for mistake in _mistake(name, said, *map(_by, walks))),
    *_mistake(
        "target ignored",
        "The steps go towards what the model reads, or away from it. Where does `target` come in?",
        _by(Walk(way=of_predictions)),
        _by(Walk(way=of_predictions), 1),
        lambda model, x, target, *sizes: _by(walked, 1)(model, x, read(model, x), *sizes),
    ),
    *_mistake(
        "stopped early",
        "Images stay where they are once they are read as their target. All iterations are made for all images.",
        _by(stopping(each=True, arrived=True)),
        _by(stopping(each=False, arrived=True)),
    ),
    *_mistake(
        "reached before it began",
        "The images are right. `reached` was asked about `x`, and not about the images at the end.",
        _seen(lambda model, x, target, found: read(model, x) == target),
    ),
    *_mistake(
        "reached before the last step",
        "The images are right. `reached` was asked before the last step was made; asked for are the images that are "
        "returned.",
        _before_the_last,
    ),
    *_mistake(
        "largest of the batch",
        "The images are right. For `reached` the largest logit of all images was looked for; each image has its own.",
        _seen(lambda model, x, target, found: model(found).argmax() == target),
    ),
    *_mistake(
        "reached on the way",
        "The images are right. `reached` says which of them were ever read as their target; asked for are the images "
        "that are returned.",
        _once_there,
    ),
    *_mistake(
        "reached where it was only misled",
        "The images are right. `reached` is true where the model reads something else than before. It must be the "
        "target.",
        _seen(lambda model, x, target, found: read(model, found) != read(model, x)),
    ),
    *_mistake(
        "reached turned round",
        "The images are right. `reached` is false where an image has arrived, and true where it has not.",
        _seen(lambda model, x, target, found: read(model, found) != target),
    ),
    *_mistake(
        "one answer for all",
        "The images are right. `reached` has one answer for all of them together; each has its own.",
        _seen(lambda model, x, target, found: (read(model, found) == target).all()),
        _seen(lambda model, x, target, found: bool((read(model, found) == target).all())),
        _seen(lambda model, x, target, found: (read(model, found) == target).any()),
        _seen(lambda model, x, target, found: (read(model, found) == target).double().mean()),
    ),
    *_mistake(
        "classes for bools",
        "The images are right. `reached` holds what the model reads, and not whether that is the target.",
        _seen(lambda model, x, target, found: read(model, found)),
    ),
    *_mistake(
        "numbers for bools",
        "The images are right. `reached` holds numbers; a comparison makes a bool tensor.",
        _seen(lambda model, x, target, found: (read(model, found) == target).long()),
        _seen(lambda model, x, target, found: (read(model, found) == target).float()),
        _seen(lambda model, x, target, found: (read(model, found) == target).double()),
    ),
    *_mistake(
        "more than half",
        "The images are right. `reached` asks for a probability above one half. The largest of several may be smaller.",
        _seen(lambda model, x, target, found: model(found).softmax(1).gather(1, target[:, None])[:, 0] > 0.5),
    ),
    *things_as_found(TASK, walked_to, 1, "x"),
    UNBOUND,
    Mistake(
        "images alone",
        "The images came without `reached`. Two results are asked for.",
        raises="ValueError: (too many|not enough) values to unpack|IndexError: index 1 is out of bounds",
    ),
)

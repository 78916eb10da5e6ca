"""Mistakes of pgd, and of the walk that targeted_pgd makes too."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import torch
from torch import nn

from autograder.diagnosis.adversarial.shared import WAYS, Way, of_predictions, things_as_found, uphill
from autograder.diagnosis.hypothesis import Mistake
from autograder.diagnosis.jacobians.shared import mistakes_of
from autograder.references.adversarial.attacks import walked

TASK = "pgd"
Limits = Callable[[torch.Tensor, torch.Tensor, torch.Tensor, float], torch.Tensor]
"""From where an image would go, where it was before the step, where it started, and epsilon, to where it goes."""


def within(now: torch.Tensor, centre: torch.Tensor, epsilon: float) -> torch.Tensor:
    """No further than epsilon from the centre."""
    return torch.minimum(torch.maximum(now, centre - epsilon), centre + epsilon)


def both(now: torch.Tensor, before: torch.Tensor, x: torch.Tensor, epsilon: float) -> torch.Tensor:
    """The right limits."""
    return within(now, x, epsilon).clamp(0, 1)


@dataclasses.dataclass(frozen=True)
class Walk:
    """An attack in steps that can go wrong in several places.

    Attributes:
        way: the direction of a step.
        limits: what holds after each step.
        start: from images and epsilon to the first point.
        sizes: from epsilon, step and iterations to those that are used.
        at_start: the gradient is taken there each time.
        from_start: each step sets out from there.
        last: what is done with the images at the end, the first and the last ones.
    """

    way: Way = uphill
    limits: Limits = both
    start: Callable[[torch.Tensor, float], torch.Tensor] = lambda x, epsilon: x.clone()
    sizes: Callable[[float, float, int], tuple[float, float, int]] = lambda *given: given
    at_start: bool = False
    from_start: bool = False
    last: Callable[[torch.Tensor, torch.Tensor, float], torch.Tensor] = lambda x, now, epsilon: now

    def __call__(
        self, model: nn.Module, x: torch.Tensor, classes: torch.Tensor, epsilon: float, step: float, iterations: int
    ) -> torch.Tensor:
        """The images at the end; they go backwards where `step` is negative."""
        epsilon, step, iterations = self.sizes(epsilon, step, iterations)
        now = self.start(x, epsilon)
        for _ in range(iterations):
            move = step * self.way(model, x if self.at_start else now, classes)
            now = self.limits((x if self.from_start else now) + move, now, x, epsilon)
        return self.last(x, now, epsilon)


def _signed(size: float, step: float) -> float:
    return size if step > 0 else -size


WALKS: dict[str, tuple[str, tuple[Walk, ...]]] = {
    "nothing moved": ("The result is `x`. Did the steps go into the result?", (Walk(sizes=lambda e, s, n: (e, s, 0)),)),
    "projection forgotten": (
        "Some pixels are further than `epsilon` from where they were in `x`. After each step a pixel that has gone "
        "too far is put back, measured from the image that came in.",
        (
            Walk(limits=lambda now, before, x, epsilon: now.clamp(0, 1)),
            Walk(limits=lambda now, before, x, epsilon: within(now, before, epsilon).clamp(0, 1)),
            Walk(limits=lambda now, before, x, epsilon: now),
        ),
    ),
    "projection around another point": (
        "Pixels were held within `epsilon` of 0, or the change was not added to `x` again. The limits are `epsilon` "
        "below and above where the pixel was in `x`.",
        (
            Walk(limits=lambda now, before, x, epsilon: now.clamp(-epsilon, epsilon)),
            Walk(limits=lambda now, before, x, epsilon: now.clamp(-epsilon, epsilon).clamp(0, 1)),
            Walk(limits=lambda now, before, x, epsilon: now.clamp(0, epsilon)),
        ),
    ),
    "projected only at the end": (
        "The steps went on without limits and were put back once, at the end. So later gradients were taken at images "
        "that are too far away.",
        (
            Walk(limits=lambda now, *rest: now, last=lambda x, now, epsilon: both(now, now, x, epsilon)),
            Walk(limits=lambda now, *rest: now.clamp(0, 1), last=lambda x, now, epsilon: both(now, now, x, epsilon)),
        ),
    ),
    "limits forgotten": (
        "Some pixels are below 0 or above 1. An image has none such.",
        (Walk(limits=lambda now, before, x, epsilon: within(now, x, epsilon)),),
    ),
    "gradients of the start": (
        "Every step goes in the same direction, that of the first. A step is for the images as they are now, and their "
        "gradient is a new one.",
        (Walk(at_start=True),),
    ),
    "each step from the start": (
        "Each step sets out from `x` again, so that the earlier ones are lost. It goes on from where the last one "
        "ended.",
        (Walk(from_start=True),),
    ),
    "steps of another size": (
        "`step` was not used: the steps are as large as `epsilon`, or share it out. `step` says how far a pixel moves "
        "in an iteration, `epsilon` how far from the start it may end up.",
        (
            Walk(sizes=lambda e, s, n: (e, _signed(e, s), n)),
            Walk(sizes=lambda e, s, n: (e, _signed(e / max(n, 1), s), n)),
        ),
    ),
    "another number of steps": (
        "Another number of steps was made: one in all, one too many or one too few. `iterations` says how many.",
        (
            Walk(sizes=lambda e, s, n: (e, s, 1)),
            Walk(sizes=lambda e, s, n: (e, s, n + 1)),
            Walk(sizes=lambda e, s, n: (e, s, max(n - 1, 0))),
        ),
    ),
    "a random start": (
        "The images had moved at random before the first step. Some attacks begin so; this one begins at `x` itself.",
        (
            Walk(start=lambda x, epsilon: x + torch.empty_like(x).uniform_(-epsilon, epsilon)),
            Walk(start=lambda x, epsilon: (x + torch.empty_like(x).uniform_(-epsilon, epsilon)).clamp(0, 1)),
            Walk(start=lambda x, epsilon: x + epsilon * torch.randn_like(x)),
            Walk(start=lambda x, epsilon: (x + epsilon * torch.randn_like(x)).clamp(0, 1)),
        ),
    ),
    "the change alone": (
        "This is how far the pixels have moved. The result is the image with that added.",
        (Walk(last=lambda x, now, epsilon: now - x),),
    ),
    **{name: (said, tuple(Walk(way=way) for way in ways)) for name, (said, ways) in WAYS.items()},
}
"""Wrong walks, and what to say of them."""

UNBOUND = Mistake(
    "no iterations",
    "Without iterations the loop's body never runs, and what only the body defines does not exist. What should be "
    "returned then?",
    raises="UnboundLocalError|NameError: .*(attacked|adv|now|images|result|delta)|ZeroDivisionError",
)
"""The loop was expected to run at least once."""

_mistake = mistakes_of(TASK)
PGD = (
    *(mistake for name, (said, walks) in WALKS.items() for mistake in _mistake(name, said, *walks)),
    *_mistake(
        "against the prediction",
        "The attack goes against what the model reads, at the start or at each step. A label is given, and need not "
        "be the same.",
        Walk(way=of_predictions),
        lambda model, x, y, *sizes: walked(model, x, model(x).argmax(1), *sizes),
    ),
    *things_as_found(TASK, walked, 1, "x"),
    UNBOUND,
)

"""Walks of images in steps, and where they go wrong, whether they lead from the labels or to targets."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import torch
from torch import nn

from autograder.diagnosis import Mistake

from .attacks import slope
from .shared import WAYS, Way, remade, uphill

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
        added_up: a step has the sign of all ways so far, added up.
    """

    way: Way = uphill
    limits: Limits = both
    start: Callable[[torch.Tensor, float], torch.Tensor] = lambda x, epsilon: x.clone()
    sizes: Callable[[float, float, int], tuple[float, float, int]] = lambda *given: given
    at_start: bool = False
    from_start: bool = False
    last: Callable[[torch.Tensor, torch.Tensor, float], torch.Tensor] = lambda x, now, epsilon: now
    added_up: bool = False

    def __call__(
        self, model: nn.Module, x: torch.Tensor, classes: torch.Tensor, epsilon: float, step: float, iterations: int
    ) -> torch.Tensor:
        """The images at the end; they go backwards where `step` is negative."""
        epsilon, step, iterations = self.sizes(epsilon, step, iterations)
        now, total = self.start(x, epsilon), torch.zeros_like(x)
        for _ in range(iterations):
            way = self.way(model, x if self.at_start else now, classes)
            total = total + way
            move = step * (total.sign() if self.added_up else way)
            now = self.limits((x if self.from_start else now) + move, now, x, epsilon)
        return self.last(x, now, epsilon)


def by_length(now: torch.Tensor, before: torch.Tensor, x: torch.Tensor, epsilon: float) -> torch.Tensor:
    """The change of an image no longer than epsilon, as a ruler measures it."""
    length = (now - x).flatten(1).norm(dim=1)[:, None, None, None]
    return (x + (now - x) * (epsilon / length).clamp(max=1)).clamp(0, 1)


def _signed(size: float, step: float) -> float:
    return size if step > 0 else -size


WALKS = (
    Mistake(
        "input unchanged",
        "You returned `x` itself. Are the steps part of the result?",
        Walk(sizes=lambda e, s, n: (e, s, 0)),
    ),
    Mistake(
        "projection forgotten",
        "Some pixels are further than `epsilon` from where they were in `x`. After each step, put back "
        "every pixel that has gone too far from its value in the given image.",
        Walk(limits=lambda now, before, x, epsilon: now.clamp(0, 1)),
        Walk(limits=lambda now, before, x, epsilon: within(now, before, epsilon).clamp(0, 1)),
        Walk(limits=lambda now, before, x, epsilon: now),
    ),
    Mistake(
        "projection around another point",
        "Pixels were held within `epsilon` of 0, or the change was not added to `x` again. The limits are "
        "`epsilon` below and above where the pixel was in `x`.",
        Walk(limits=lambda now, before, x, epsilon: now.clamp(-epsilon, epsilon)),
        Walk(limits=lambda now, before, x, epsilon: now.clamp(-epsilon, epsilon).clamp(0, 1)),
        Walk(limits=lambda now, before, x, epsilon: now.clamp(0, epsilon)),
    ),
    Mistake(
        "projected by length",
        "You limited the length of the whole change to `epsilon`. The limit holds for each pixel, which may "
        "use all of it.",
        Walk(limits=by_length),
    ),
    Mistake(
        "clamp limits swapped",
        "All pixels end at the same distance from `x`, on the same side, whatever their gradients. `clamp` "
        "takes the lower limit first, and if you swap the two, it returns the second.",
        Walk(limits=lambda now, before, x, epsilon: (x - epsilon).clamp(0, 1)),
    ),
    Mistake(
        "projected only at the end",
        "You applied a limit only once, at the end. So later gradients were taken at images that are too "
        "far away, or that have pixels below 0 or above 1.",
        Walk(
            limits=lambda now, before, x, epsilon: within(now, x, epsilon),
            last=lambda x, now, epsilon: now.clamp(0, 1),
        ),
        Walk(limits=lambda now, *rest: now, last=lambda x, now, epsilon: both(now, now, x, epsilon)),
        Walk(limits=lambda now, *rest: now.clamp(0, 1), last=lambda x, now, epsilon: both(now, now, x, epsilon)),
    ),
    Mistake(
        "not clamped to [0, 1]",
        "Some pixels are below 0 or above 1. Which pixel values may an image have?",
        Walk(limits=lambda now, before, x, epsilon: within(now, x, epsilon)),
    ),
    Mistake(
        "gradient of the start reused",
        "Every step goes in the direction of the first. Each step needs a new gradient, at the current images.",
        Walk(at_start=True),
    ),
    Mistake(
        "gradients accumulated",
        "From the second step on, the gradients of earlier steps are still in the sum whose sign you take. "
        "Each step has its own gradient.",
        Walk(way=slope, added_up=True),
    ),
    Mistake(
        "each step from the start",
        "Each step starts from `x` again, so the earlier steps are lost. Start it where the last step ended.",
        Walk(from_start=True),
    ),
    Mistake(
        "wrong step size",
        "The steps are not of size `step`: they have size `epsilon`, or one of the two divided by the "
        "number of iterations. `step` says how far a pixel moves in an iteration, `epsilon` how far from the start it "
        "may end.",
        Walk(sizes=lambda e, s, n: (e, s / max(n, 1), n)),
        Walk(sizes=lambda e, s, n: (e, _signed(e, s), n)),
        Walk(sizes=lambda e, s, n: (e, _signed(e / max(n, 1), s), n)),
    ),
    Mistake(
        "wrong number of steps",
        "You took the wrong number of steps: only one, one too many or one too few. `iterations` says how many.",
        Walk(sizes=lambda e, s, n: (e, s, 1)),
        Walk(sizes=lambda e, s, n: (e, s, n + 1)),
        Walk(sizes=lambda e, s, n: (e, s, max(n - 1, 0))),
    ),
    Mistake(
        "random start",
        "You moved the images at random before the first step. Some attacks begin so, but this one begins "
        "at `x` itself.",
        Walk(start=lambda x, epsilon: x + torch.empty_like(x).uniform_(-epsilon, epsilon)),
        Walk(start=lambda x, epsilon: (x + torch.empty_like(x).uniform_(-epsilon, epsilon)).clamp(0, 1)),
        Walk(start=lambda x, epsilon: x + epsilon * torch.randn_like(x)),
        Walk(start=lambda x, epsilon: (x + epsilon * torch.randn_like(x)).clamp(0, 1)),
    ),
    Mistake(
        "change instead of result",
        "You returned how far the pixels have moved. Return the image with that added.",
        Walk(last=lambda x, now, epsilon: now - x),
    ),
    *remade(WAYS, lambda way: Walk(way=way)),
)
"""Wrong walks."""

UNBOUND = Mistake(
    "no iterations",
    "With 0 iterations the loop's body never runs, and the names that only the body defines do not "
    "exist. What should you return then?",
    raises="UnboundLocalError|NameError: .*(attacked|adv|now|images|result|delta)|ZeroDivisionError",
)
"""The loop was expected to run at least once."""

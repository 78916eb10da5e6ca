"""Walks of images in steps, and where they can go wrong."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import torch
from torch import nn

from autograder.diagnosis.adversarial.shared import Way, read, uphill

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


def stopping(each: bool, arrived: bool) -> Callable[..., torch.Tensor]:
    """Images stay where they are once they are read as their class (arrived) or not (misread), each or together."""

    def walk(
        model: nn.Module, x: torch.Tensor, classes: torch.Tensor, epsilon: float, step: float, n: int
    ) -> torch.Tensor:
        now = x.clone()
        for _ in range(n):
            done = (read(model, now) == classes) == arrived
            done = done if each else done.all().expand(len(x))
            new = both(now + step * uphill(model, now, classes), now, x, epsilon)
            now = torch.where(done[:, None, None, None], now, new)
        return now

    return walk

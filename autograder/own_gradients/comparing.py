"""The gradients that autograd gives in one trial, beside those of finite differences."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Collection

import torch

from autograder.contrasts import Observation
from autograder.own_gradients.function import Function, Values
from autograder.own_gradients.numeric import Outputs, Slopes, outputs_of, rate, slopes
from autograder.own_gradients.trials import Trial


@dataclasses.dataclass(eq=False)
class Passed:
    """What one trial gave.

    Attributes:
        function: the user's function.
        trial: what was tried.
        outputs: of the forward pass, detached.
        upstreams: like the outputs.
        gradients: of the arguments that need one, by place; None where none came back.
        changed: places of arguments, and "the upstream gradient", whose numbers the two passes changed in place.
        error: what the backward pass raised.
        measured, observed: by place, what was computed of an argument before.
    """

    function: Function
    trial: Trial
    outputs: Outputs
    upstreams: Outputs
    gradients: dict[int, torch.Tensor | None]
    changed: list[str]
    error: Exception | None = None
    measured: dict[int, Slopes] = dataclasses.field(default_factory=dict)
    observed: dict[int, Observation] = dataclasses.field(default_factory=dict)

    def slopes(self, at: int) -> Slopes:
        """Return how the outputs change with an argument; measured once."""
        if at not in self.measured:
            call = functools.partial(outputs_of, self.function, len(self.outputs))
            self.measured[at] = slopes(call, self.trial.values, at, self.function.most_entries)
        return self.measured[at]

    def rate_along(self, at: int, direction: torch.Tensor) -> float | None:
        """Return how fast sum(upstream * output) changes along a direction; None if not equally fast on both sides."""
        call = functools.partial(outputs_of, self.function, len(self.outputs))
        if (found := rate(call, self.trial.values, at, direction)) is None:
            return None
        return float(sum((up * one).sum() for up, one in zip(self.upstreams, found, strict=True)))

    def right(self, at: int) -> torch.Tensor:
        """Return the gradient of an argument by finite differences; what was seen where these say nothing."""
        slopes, seen = self.slopes(at), self.seen(at)
        return torch.where(slopes.kinks | ~slopes.measured, seen, slopes.gradient(self.upstreams))

    def seen(self, at: int) -> torch.Tensor:
        """Return the gradient that came back; 0 where none did."""
        seen = self.gradients[at]
        value = self.trial.values[at]
        return torch.zeros_like(value) if seen is None else seen.to(value.dtype).resolve_conj()


def tried(function: Function, trial: Trial, source: torch.Generator) -> Passed:
    """Run a trial forwards and backwards.

    Raises:
        Exception: what the forward pass raises.
    """
    made = leaves(trial.values, trial.needs)
    inside = [
        one.clone() if isinstance(one, torch.Tensor) and at in trial.needs else one for at, one in enumerate(made)
    ]
    outputs = function(inside)
    attached = [one for one in outputs if one.requires_grad]
    upstreams = [drawn_like(one, source) for one in outputs]
    kept = [one.clone() for one in upstreams]
    if trial.strided:
        upstreams = [torch.stack((one, 7 * one + 1), -1)[..., 0] for one in upstreams]
    passed = Passed(function, trial, [one.detach().clone() for one in outputs], kept, {}, [])
    if trial.between is not None:
        function(leaves(trial.between, trial.needs))
    pairs = [(one, up) for one, up in zip(outputs, upstreams, strict=True) if one.requires_grad]
    wanted = [made[at] for at in trial.needs]
    found: tuple[torch.Tensor | None, ...] = (None,) * len(wanted)
    if attached:
        try:
            for _ in range(1 + trial.twice):
                found = torch.autograd.grad(
                    [one for one, _ in pairs], wanted, [up for _, up in pairs], retain_graph=True, allow_unused=True
                )
                found = tuple(None if one is None else one.detach().clone() for one in found)
                if any(not torch.equal(one, other) for one, other in zip(upstreams, kept, strict=True)):
                    passed.changed.append("the upstream gradient")
                    for one, other in zip(upstreams, kept, strict=True):
                        one.detach().copy_(other)
        except Exception as error:
            passed.error = error
    passed.gradients = dict(zip(trial.needs, found, strict=True))
    for at, one in enumerate(inside):
        if isinstance(one, torch.Tensor) and not torch.equal(one.detach(), trial.values[at]):
            passed.changed.append(f"`{function.names[at]}`")
    return passed


def differentiated(function: Function, trial: Trial, upstreams: Outputs) -> dict[int, torch.Tensor | None]:
    """Return the gradients of a trial under other upstream gradients, by the argument's place."""
    made = leaves(trial.values, trial.needs)
    pairs = [(one, up) for one, up in zip(function(made), upstreams, strict=True) if one.requires_grad]
    wanted = [made[at] for at in trial.needs]
    found = torch.autograd.grad([one for one, _ in pairs], wanted, [up for _, up in pairs], allow_unused=True)
    return dict(zip(trial.needs, found, strict=True))


def leaves(values: Values, needs: Collection[int]) -> Values:
    """Copy arguments; the tensors at these places require gradients, and all keep their strides."""
    return [
        one.detach().clone(memory_format=torch.preserve_format).requires_grad_(at in needs)
        if isinstance(one, torch.Tensor)
        else one
        for at, one in enumerate(values)
    ]


def drawn_like(output: torch.Tensor, source: torch.Generator) -> torch.Tensor:
    """Draw an upstream gradient with few digits, none of them 0."""
    real = torch.randn(output.shape, generator=source, dtype=torch.float64).mul(1000).round().div(1000) + 1e-4
    if output.is_complex():
        return torch.complex(real, real.flip(-1) if real.dim() else real / 2).to(output.dtype)
    return real.to(output.dtype)

"""Second derivatives: what comes back when the gradient itself is differentiated."""

from __future__ import annotations

from collections.abc import Iterator

import torch

from autograder.contrasts import Observation
from autograder.own_gradients.arguments import first_line
from autograder.own_gradients.comparing import drawn_like, leaves
from autograder.own_gradients.function import Function, Values
from autograder.own_gradients.numeric import Outputs, slopes
from autograder.own_gradients.observing import noise_of

ONCE = "Error"
"""The backward node that `once_differentiable` leaves; it appears where the upstream gradient requires one, too."""

OF_THE_LARGEST = 1e-6
"""Second derivatives below this fraction of the largest one of all arguments may be rounding."""


def second_order(function: Function, source: torch.Generator) -> Iterator[str]:
    """Yield a note if the gradient, differentiated once more, is not what finite differences of it give."""
    upstreams = [drawn_like(one, source).requires_grad_() for one in function(function.copies())]

    def first(values: Values) -> Outputs:
        with torch.enable_grad():
            return [one.detach() for one in _gradients(function, leaves(values, function.checked), upstreams, False)]

    made = leaves(function.given, function.checked)
    wanted = [made[at] for at in function.checked]
    try:
        found = _gradients(function, made, upstreams, True)
        if any(type(one.grad_fn).__name__ == ONCE for one in found):
            return
        weights = [drawn_like(one, source) for one in found]
        pairs = [(one, weight) for one, weight in zip(found, weights, strict=True) if one.requires_grad]
        second: Outputs = [torch.zeros_like(one) for one in wanted]
        if pairs:
            of, by = [one for one, _ in pairs], [weight for _, weight in pairs]
            second = [*torch.autograd.grad(of, wanted, by, materialize_grads=True)]
    except RuntimeError as error:
        yield f"the gradient cannot be differentiated once more: {first_line(error)}"
        return
    rights = []
    for at, seen in zip(function.checked, second, strict=True):
        measured = slopes(first, function.given, at, function.most_entries)
        rights.append(torch.where(measured.kinks | ~measured.measured, seen, measured.gradient(weights)).detach())
    # Those of an argument without an effect, as a bias before batch normalisation, are nothing but rounding.
    noise = noise_of([one.detach() for one in found], weights) + OF_THE_LARGEST * _largest(rights)
    for at, seen, right in zip(function.checked, second, rights, strict=True):
        if not right.is_complex() and Observation(right, seen.detach(), {}, noise=noise).is_wrong:
            yield (
                f"second derivatives of `{function.names[at]}` are wrong: `create_graph=True` gives other numbers than "
                "finite differences of the gradient; compute the gradient from saved tensors with torch's operations, "
                "or mark `backward` with `once_differentiable`"
            )
            return


def _largest(values: Outputs) -> float:
    return max(float(one.abs().nan_to_num(posinf=0.0).max()) for one in values)


def _gradients(function: Function, made: Values, upstreams: Outputs, create_graph: bool) -> Outputs:
    inside = [one.clone() if isinstance(one, torch.Tensor) else one for one in made]
    pairs = [(one, up) for one, up in zip(function(inside), upstreams, strict=True) if one.requires_grad]
    return [
        *torch.autograd.grad(
            [one for one, _ in pairs],
            [made[at] for at in function.checked],
            [up for _, up in pairs],
            create_graph=create_graph,
            materialize_grads=True,
        )
    ]

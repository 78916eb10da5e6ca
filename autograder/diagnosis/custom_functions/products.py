"""Mistakes of MatMul."""

from __future__ import annotations

from collections.abc import Callable

import torch

from autograder.diagnosis.custom_functions.functions import KEPT_ON_CLASS, RAISED, UPSTREAM_IGNORED, function, named
from autograder.diagnosis.hypothesis import Mistake

NEEDED = "See lesson 06, “Work that nobody needs”."
SIDES = (
    "The factors of a gradient stand in the wrong order, or one is not transposed in its last two axes. Let the shapes "
    f"decide. {NEEDED}"
)
_mat_mul = named("MatMul")
Pair = tuple[torch.Tensor, torch.Tensor]


def _product(backward: Callable[..., Pair], **kept: bool) -> type:
    """torch.matmul forward; nothing comes back where the wrong formula does not fit the shapes."""

    def fitting(g: torch.Tensor, a: torch.Tensor, b: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        try:
            return tuple(one if _fits(one, like) else None for one, like in zip(backward(g, a, b), (a, b), strict=True))
        except RuntimeError as misfit:
            raise ValueError("no prediction for these shapes") from misfit

    return function(torch.matmul, fitting, **kept)


def _fits(gradient: torch.Tensor, like: torch.Tensor) -> bool:
    if gradient.shape[-2:] != like.shape[-2:]:
        raise ValueError("no prediction for these shapes")
    return True


def _averaged(gradient: torch.Tensor, like: torch.Tensor) -> torch.Tensor:
    """The mean over the axes that broadcasting put in front."""
    more = gradient.dim() - like.dim()
    return gradient.mean(dim=tuple(range(more))) if more else gradient


MAT_MUL = (
    _mat_mul(
        "two products for one gradient",
        f"The numbers are right, and `backward` also computed the gradient that nobody needs. {NEEDED}",
        _product(lambda g, a, b: (g @ b.mT, a.mT @ g)),
    ),
    _mat_mul("factors not transposed", SIDES, _product(lambda g, a, b: (g @ b, a @ g))),
    _mat_mul("factors in the wrong order", SIDES, _product(lambda g, a, b: (b.mT @ g, g @ a.mT))),
    _mat_mul(
        "gradients exchanged",
        "The two gradients stand in each other's place. `backward` returns them in the order of `apply`'s arguments.",
        _product(lambda g, a, b: (a.mT @ g, g @ b.mT)),
    ),
    _mat_mul("product of elements", SIDES, _product(lambda g, a, b: (g * b, g * a))),
    _mat_mul(
        UPSTREAM_IGNORED[0],
        UPSTREAM_IGNORED[1],
        _product(lambda g, a, b: (torch.ones_like(g) @ b.mT, a.mT @ torch.ones_like(g))),
    ),
    _mat_mul(
        "batches averaged",
        "One matrix served a whole batch, and its gradient is the mean over it. What does each use contribute?",
        _product(lambda g, a, b: (_averaged(g @ b.mT, a), _averaged(a.mT @ g, b))),
    ),
    _mat_mul(*KEPT_ON_CLASS, _product(lambda g, a, b: (g @ b.mT, a.mT @ g), on_class=True)),
    Mistake(
        "shapes that do not fit",
        SIDES,
        raises="RuntimeError: (mat1 and mat2|The size of tensor|Expected size for first two dim|size mismatch)",
    ),
    *RAISED,
)

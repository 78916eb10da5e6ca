"""StableSoftplus: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch.nn import functional

from autograder.diagnosis import Mistake
from autograder.diagnosis.functions import KEPT_ON_CLASS, RAISED, UPSTREAM_IGNORED, function
from autograder.tasks.answers import known, right, slip, wrong

from ..shared import CUT_OFF


def _with_slope(slope: Callable[[torch.Tensor], torch.Tensor], **kept: bool) -> type:
    return function(functional.softplus, lambda upstream, x: upstream * slope(x), **kept)


def softplus():
    import torch

    class StableSoftplus(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return torch.logaddexp(x, torch.zeros_like(x))

        @staticmethod
        def backward(ctx, upstream):
            (x,) = ctx.saved_tensors
            return upstream * torch.sigmoid(x)


slip(
    "as_written",
    within=softplus,
    was="torch.logaddexp(x, torch.zeros_like(x))",
    wrote="torch.log(1 + torch.exp(x))",
    diagnosed="the value overflows",
    sentence="The value is infinite for large `x`: exp(x) was computed before its logarithm was taken. Which part of "
    "x can be taken out first?",
)
slip(
    "log1p_only",
    within=softplus,
    was="torch.logaddexp(x, torch.zeros_like(x))",
    wrote="torch.log1p(torch.exp(x))",
    diagnosed="the value overflows",
)
slip(
    "x_taken_out",
    within=softplus,
    was="torch.logaddexp(x, torch.zeros_like(x))",
    wrote="x + torch.log1p(torch.exp(-x))",
    diagnosed="the value overflows below",
    sentence="The value is infinite for large negative `x`, where exp(-x) is too large. Which exponent is never "
    "positive?",
)
slip(
    "clamped",
    within=softplus,
    was="torch.logaddexp(x, torch.zeros_like(x))",
    wrote="torch.log1p(torch.exp(x.clamp(max=50)))",
    diagnosed="the value is clamped",
    sentence="The value stops growing. A clamp keeps exp from overflowing, and loses x.",
)
slip(
    "with_relu",
    within=softplus,
    was="torch.logaddexp(x, torch.zeros_like(x))",
    wrote="torch.relu(x)",
    diagnosed="relu instead of softplus",
    sentence="This is relu. The two differ near 0, where softplus is ln 2.",
)
known(
    Mistake(
        "the slope overflows",
        "The slope is nan for large `x`: exp(x) stands above and below the line. Divide both by it, or look for a "
        "torch function that has this shape.",
    ),
    Mistake(
        "the slope's slope overflows",
        "Value and slope are right. Autograd differentiates the slope's formula, and at large negative `x` that gives "
        "nan: exp(-x) is infinite there.",
    ),
    Mistake(
        "a slope with a corner",
        "The slope was made from two halves that meet at 0. Look at the slope, and its own slope, at 0.",
        _with_slope(lambda x: torch.where(x > 0, 1 - 0.5 * torch.exp(-x.abs()), 0.5 * torch.exp(-x.abs()))),
    ),
)
slip(
    "quotient",
    within=softplus,
    was="torch.sigmoid(x)",
    wrote="torch.exp(x) / (1 + torch.exp(x))",
    diagnosed="the slope overflows",
    predicts=True,
)


@wrong("the slope overflows")
def softplus_all_as_written():
    import torch

    class StableSoftplus(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return torch.where(x > 30, x, torch.log1p(torch.exp(x)))

        @staticmethod
        def backward(ctx, upstream):
            (x,) = ctx.saved_tensors
            e = torch.exp(x)
            return upstream * e / (1 + e)


slip(
    "one_over",
    within=softplus,
    was="torch.sigmoid(x)",
    wrote="1 / (1 + torch.exp(-x))",
    diagnosed="the slope's slope overflows",
    predicts=True,
)
slip(
    "halves",
    within=softplus,
    was="torch.sigmoid(x)",
    wrote="torch.where(x >= 0, 1, (-x.abs()).exp()) / (1 + (-x.abs()).exp())",
    diagnosed="a slope made of |x|",
    sentence="Value and slope are right. The slope's formula leads through the size of `x`, which has a corner at 0, "
    "and autograd differentiates each term alone. See lesson 06, “A stable formula”.",
)
known(
    Mistake(
        "both branches of where",
        "`torch.where` picks the right number on the way forward. On the way back it sends 0 into the branch "
        "that was not picked, and 0 times infinity is nan. See lesson 06, “What people get wrong, and why”.",
    )
)
slip(
    "branches",
    within=softplus,
    was="torch.sigmoid(x)",
    wrote="torch.where(x >= 0, 1 / (1 + torch.exp(-x)), torch.exp(x) / (1 + torch.exp(x)))",
    diagnosed="both branches of where",
    predicts=True,
)
slip(
    "far_out",
    within=softplus,
    was="torch.sigmoid(x)",
    wrote="torch.where(x > 20, 1.0, torch.exp(x) / (1 + torch.exp(x)))",
    diagnosed="both branches of where",
    predicts=True,
)
slip(
    "step",
    within=softplus,
    was="torch.sigmoid(x)",
    wrote="(x > 0).double()",
    diagnosed="slope of relu",
    sentence="The slope jumps from 0 to 1. Softplus has a gentle one.",
)
slip(
    "mirrored",
    within=softplus,
    was="torch.sigmoid(x)",
    wrote="torch.sigmoid(-x)",
    diagnosed="slope turned round",
    sentence="The slope falls from 1 to 0 while softplus grows ever faster.",
)
known(
    Mistake(*UPSTREAM_IGNORED),
    Mistake(*CUT_OFF),
    Mistake(*KEPT_ON_CLASS, _with_slope(torch.sigmoid, on_class=True)),
    RAISED,
)
slip(
    "upstream_lost",
    within=softplus,
    was="upstream * torch.sigmoid(x)",
    wrote="torch.sigmoid(x)",
    diagnosed="upstream gradient ignored",
    predicts=True,
)
slip(
    "detached",
    within=softplus,
    was="torch.sigmoid(x)",
    wrote="torch.sigmoid(x.detach())",
    diagnosed="second derivative cut off",
    predicts=True,
)


@wrong("second derivative cut off", loses=("second derivative",))
def softplus_slope_saved():
    import torch

    class StableSoftplus(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(torch.sigmoid(x))
            return torch.nn.functional.softplus(x)

        @staticmethod
        def backward(ctx, upstream):
            (slope,) = ctx.saved_tensors
            return upstream * slope


@wrong("not attempted")
def softplus_not_attempted():
    import torch

    class StableSoftplus(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            raise NotImplementedError  # your code here

        @staticmethod
        def backward(ctx, upstream):
            raise NotImplementedError  # your code here


slip(
    "minus", within=softplus, was="upstream * torch.sigmoid(x)", wrote="-upstream * torch.sigmoid(x)", diagnosed="sign"
)


@right
def softplus_by_torch():
    import torch

    class StableSoftplus(torch.autograd.Function):
        @staticmethod
        def forward(x):
            return torch.nn.functional.softplus(x)

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(inputs[0])

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return torch.sigmoid(x) * g


@right
def softplus_with_tanh():
    import torch

    class StableSoftplus(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return torch.logsumexp(torch.stack([x, torch.zeros_like(x)]), 0)

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return g * (1 + torch.tanh(x / 2)) / 2


@right
def softplus_with_a_second_function():
    import torch

    class Logistic(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            small = torch.exp(-x.abs())
            y = torch.where(x >= 0, 1 / (1 + small), small / (1 + small))
            ctx.save_for_backward(y)
            return y

        @staticmethod
        def backward(ctx, g):
            (y,) = ctx.saved_tensors
            return g * y * (1 - y)

    class StableSoftplus(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return torch.maximum(x, torch.zeros_like(x)) + torch.log1p(torch.exp(-abs(x)))

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return g * Logistic.apply(x)

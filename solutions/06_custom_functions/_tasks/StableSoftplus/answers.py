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
    diagnosed="value overflows",
    sentence="The value is infinite for large `x`, because you computed exp(x) before its logarithm. What can you take out "
    "first?",
)
slip(
    "log1p_only",
    within=softplus,
    was="torch.logaddexp(x, torch.zeros_like(x))",
    wrote="torch.log1p(torch.exp(x))",
    diagnosed="value overflows",
)
slip(
    "x_taken_out",
    within=softplus,
    was="torch.logaddexp(x, torch.zeros_like(x))",
    wrote="x + torch.log1p(torch.exp(-x))",
    diagnosed="value overflows for negative x",
    sentence="The value is infinite for large negative `x`, where exp(-x) overflows. Which exponent is never positive?",
)
slip(
    "clamped",
    within=softplus,
    was="torch.logaddexp(x, torch.zeros_like(x))",
    wrote="torch.log1p(torch.exp(x.clamp(max=50)))",
    diagnosed="value clamped",
    sentence="The value stops growing for large `x`. A clamp keeps exp from overflowing, but it loses `x`.",
)
slip(
    "with_relu",
    within=softplus,
    was="torch.logaddexp(x, torch.zeros_like(x))",
    wrote="torch.relu(x)",
    diagnosed="relu instead of softplus",
    sentence="The value is relu's. The two functions differ near 0: at 0, softplus is ln 2.",
)
known(
    Mistake(
        "slope overflows",
        "The slope is nan for large `x`, where exp(x) is infinite. Which form of the slope, or which torch function, "
        "never computes a large exponential?",
    ),
    Mistake(
        "second derivative overflows",
        "Value and slope are right, and the second derivative is nan for large negative `x`. Autograd differentiates "
        "your formula of the slope: where is exp(-x) infinite?",
    ),
    Mistake(
        "slope with a kink",
        "Your slope consists of two halves that meet at 0. Compare the slope, and its own slope, on both sides of 0.",
        _with_slope(lambda x: torch.where(x > 0, 1 - 0.5 * torch.exp(-x.abs()), 0.5 * torch.exp(-x.abs()))),
    ),
)
slip(
    "quotient",
    within=softplus,
    was="torch.sigmoid(x)",
    wrote="torch.exp(x) / (1 + torch.exp(x))",
    diagnosed="slope overflows",
    predicts=True,
)


@wrong("slope overflows")
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
    diagnosed="second derivative overflows",
    predicts=True,
)
slip(
    "halves",
    within=softplus,
    was="torch.sigmoid(x)",
    wrote="torch.where(x >= 0, 1, (-x.abs()).exp()) / (1 + (-x.abs()).exp())",
    diagnosed="slope computed through |x|",
    sentence="Value and slope are right. The slope's formula goes through |x|, which has a kink at 0: autograd "
    "takes 0 for its slope there. See lesson 06, “Numerically stable values and derivatives”.",
)
known(
    Mistake(
        "nan from torch.where",
        "`torch.where` picks the right number on the way forward. On the way back it sends 0 into the branch "
        "that it did not pick, and 0 times infinity is nan. See lesson 06, “Numerically stable values and derivatives”.",
    )
)
slip(
    "branches",
    within=softplus,
    was="torch.sigmoid(x)",
    wrote="torch.where(x >= 0, 1 / (1 + torch.exp(-x)), torch.exp(x) / (1 + torch.exp(x)))",
    diagnosed="nan from torch.where",
    predicts=True,
)
slip(
    "far_out",
    within=softplus,
    was="torch.sigmoid(x)",
    wrote="torch.where(x > 20, 1.0, torch.exp(x) / (1 + torch.exp(x)))",
    diagnosed="nan from torch.where",
    predicts=True,
)
slip(
    "step",
    within=softplus,
    was="torch.sigmoid(x)",
    wrote="(x > 0).double()",
    diagnosed="slope of relu",
    sentence="The slope jumps from 0 to 1. That of softplus rises gradually.",
)
slip(
    "mirrored",
    within=softplus,
    was="torch.sigmoid(x)",
    wrote="torch.sigmoid(-x)",
    diagnosed="slope mirrored",
    sentence="The slope falls from 1 to 0. Softplus gets steeper as `x` grows.",
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

"""StraightThroughSign: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

import torch

from autograder.diagnosis import Mistake
from autograder.diagnosis.functions import KEPT_ON_CLASS, RAISED, UPSTREAM_IGNORED, function
from autograder.tasks.answers import known, right, slip, wrong


def straight_through():
    import torch

    class StraightThroughSign(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return torch.sign(x)

        @staticmethod
        def backward(ctx, upstream):
            (x,) = ctx.saved_tensors
            return upstream * (x.abs() <= 1)


slip(
    "honest",
    within=straight_through,
    was="upstream * (x.abs() <= 1)",
    wrote="torch.zeros_like(x)",
    diagnosed="true derivative of sign",
    sentence="The gradient is 0 everywhere, which is the sign's own derivative. The task defines another. See lesson 06, "
    "“Straight-through: gradients defined, not derived”.",
)
slip(
    "everywhere",
    within=straight_through,
    was="upstream * (x.abs() <= 1)",
    wrote="upstream",
    diagnosed="window forgotten",
    sentence="The gradient passes everywhere. What should it be outside -1 to 1?",
)
slip(
    "of_the_sign",
    within=straight_through,
    was="x.abs() <= 1",
    wrote="x.sign().abs() <= 1",
    diagnosed="window forgotten",
)
slip(
    "open_edges",
    within=straight_through,
    was="x.abs() <= 1",
    wrote="x.abs() < 1",
    diagnosed="window edges excluded",
    sentence="The gradient is 0 exactly at -1 and 1. Do the edges belong to the window?",
)
slip(
    "above_only",
    within=straight_through,
    was="x.abs() <= 1",
    wrote="x <= 1",
    diagnosed="lower limit missing",
    sentence="The gradient stops above 1, but not below -1.",
)
slip(
    "outside",
    within=straight_through,
    was="x.abs() <= 1",
    wrote="x.abs() > 1",
    diagnosed="window inverted",
    sentence="The gradient passes outside the window and stops inside.",
)
slip(
    "of_the_gradient",
    within=straight_through,
    was="x.abs() <= 1",
    wrote="upstream.abs() <= 1",
    diagnosed="window on the upstream gradient",
    sentence="Your window tests the upstream gradient. Whether a gradient passes depends on `x`.",
)
slip(
    "clipped",
    within=straight_through,
    was="upstream * (x.abs() <= 1)",
    wrote="upstream.clamp(-1, 1)",
    diagnosed="upstream gradient clamped",
    sentence="You clamped the upstream gradient to -1 to 1. `x` decides whether it passes, and where it passes, it passes "
    "unchanged.",
)
slip(
    "signed",
    within=straight_through,
    was="upstream * (x",
    wrote="upstream * x.sign() * (x",
    diagnosed="gradient of the absolute value",
    sentence="You multiplied the gradient by the sign of `x`. Inside the window it passes unchanged.",
)
slip(
    "clamp",
    within=straight_through,
    was="torch.sign(x)",
    wrote="x.clamp(-1, 1)",
    diagnosed="clamp instead of sign",
    sentence="The value is `x` clamped to -1 to 1. Return the sign: only `backward` is the same as for a clamp.",
)
slip(
    "two_values",
    within=straight_through,
    was="torch.sign(x)",
    wrote="torch.where(x >= 0, 1.0, -1.0).to(x.dtype)",
    diagnosed="sign of 0",
    sentence="The value at 0 is not 0. What is the sign of 0?",
)
known(
    Mistake(*UPSTREAM_IGNORED),
    Mistake(*KEPT_ON_CLASS, function(torch.sign, lambda upstream, x: upstream * (x.abs() <= 1), on_class=True)),
    RAISED,
)
slip(
    "mask_alone",
    within=straight_through,
    was="upstream * (x.abs() <= 1)",
    wrote="(x.abs() <= 1).to(x.dtype)",
    diagnosed="upstream gradient ignored",
    predicts=True,
)


@wrong("no node of its own")
def sign_by_detaching():
    class StraightThroughSign:
        @staticmethod
        def apply(x):
            clamped = x.clamp(-1, 1)
            return clamped + (x.sign() - clamped).detach()


@wrong("not attempted")
def sign_not_attempted():
    import torch

    class StraightThroughSign(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            raise NotImplementedError  # your code here

        @staticmethod
        def backward(ctx, upstream):
            raise NotImplementedError  # your code here


slip("minus", within=straight_through, was="return upstream", wrote="return -upstream", diagnosed="sign")


@right
def sign_by_a_mask():
    import torch

    class StraightThroughSign(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward((x >= -1) & (x <= 1))
            return torch.sign(x)

        @staticmethod
        def backward(ctx, g):
            (mask,) = ctx.saved_tensors
            return g * mask


@right
def sign_by_masked_fill():
    import torch

    class StraightThroughSign(torch.autograd.Function):
        @staticmethod
        def forward(x):
            return (x > 0).to(x.dtype) - (x < 0).to(x.dtype)

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(*inputs)

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            g = g.clone()
            g[x.abs() > 1] = 0
            return g

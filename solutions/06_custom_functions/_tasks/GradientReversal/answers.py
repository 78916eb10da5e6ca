"""GradientReversal: mistakes, other ways to make them, and right answers."""

from autograder.diagnosis import Mistake
from autograder.diagnosis.functions import KEPT_ON_CLASS, RAISED, UPSTREAM_IGNORED
from autograder.tasks.answers import known, mistake, right, slip, wrong


def reversal():
    import torch

    class GradientReversal(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, strength):
            ctx.strength = strength
            return x

        @staticmethod
        def backward(ctx, upstream):
            return -ctx.strength * upstream, None


slip(
    "in_place",
    within=reversal,
    was="-ctx.strength * upstream",
    wrote="upstream.mul_(-ctx.strength)",
    diagnosed="numbers changed",
)
slip(
    "negated_in_place",
    within=reversal,
    was="-ctx.strength * upstream",
    wrote="ctx.strength * upstream.neg_()",
    diagnosed="numbers changed",
)
slip(
    "not_reversed",
    within=reversal,
    was="-ctx.strength",
    wrote="ctx.strength",
    diagnosed="gradient not reversed",
    sentence="The gradient has the right size and the wrong sign.",
)
slip(
    "without_strength",
    within=reversal,
    was="-ctx.strength * upstream",
    wrote="-upstream",
    diagnosed="strength forgotten",
    sentence="The gradient is reversed, but not scaled. What does `strength` do?",
)
slip(
    "untouched",
    within=reversal,
    was="-ctx.strength * upstream",
    wrote="upstream",
    diagnosed="gradient unchanged",
    sentence="The gradient passes unchanged, so `backward` has no effect. See lesson 06, “Identity forward: clip or reverse a "
    "gradient”.",
)
slip(
    "times_x",
    within=reversal,
    was="ctx.strength = strength",
    wrote="ctx.strength = strength * x",
    diagnosed="gradient multiplied by x",
    sentence="You multiplied the gradient by `x`. It depends on the strength and the upstream gradient only.",
)
slip(
    "forward_too",
    within=reversal,
    was="return x\n",
    wrote="return -strength * x\n",
    diagnosed="value reversed too",
    sentence="You changed the value. Forward passes `x` unchanged, and only its gradient is reversed.",
)
known(Mistake(*UPSTREAM_IGNORED))
slip(
    "ones",
    within=reversal,
    was="* upstream",
    wrote="* torch.ones_like(upstream)",
    diagnosed="upstream gradient ignored",
    predicts=True,
)


@mistake(*KEPT_ON_CLASS)
def reversal_keeps_the_strength_on_the_class():
    import torch

    class GradientReversal(torch.autograd.Function):
        strength = 1.0

        @staticmethod
        def forward(ctx, x, strength):
            GradientReversal.strength = strength
            return x.clone()

        @staticmethod
        def backward(ctx, upstream):
            return -GradientReversal.strength * upstream, None


known(RAISED)


@wrong("no node of its own")
def reversal_by_a_hook():
    class GradientReversal:
        @staticmethod
        def apply(x, strength):
            y = x.clone()
            y.register_hook(lambda gradient: -strength * gradient)
            return y


slip(
    "strength_saved",
    within=reversal,
    was="ctx.strength = strength",
    wrote="ctx.save_for_backward(strength)",
    diagnosed="a number in save_for_backward",
)
slip(
    "one_return_value",
    within=reversal,
    was="upstream, None",
    wrote="upstream",
    diagnosed="not one gradient for each argument",
)
slip(
    "two_gradients",
    within=reversal,
    was="upstream, None",
    wrote="upstream, upstream",
    diagnosed="a gradient for a plain argument",
)


@wrong("not attempted")
def reversal_not_attempted():
    import torch

    class GradientReversal(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, strength):
            raise NotImplementedError  # your code here

        @staticmethod
        def backward(ctx, upstream):
            raise NotImplementedError  # your code here


@right
def reversal_returns_the_input():
    import torch

    class GradientReversal(torch.autograd.Function):
        @staticmethod
        def forward(x, strength):
            return x

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.strength = inputs[1]

        @staticmethod
        def backward(ctx, g):
            return g.neg() * ctx.strength, None


@right
def reversal_of_a_clone():
    import torch

    class GradientReversal(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, strength):
            ctx.save_for_backward(torch.tensor(-strength, dtype=x.dtype))
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            (factor,) = ctx.saved_tensors
            return g.clone().mul_(factor), None

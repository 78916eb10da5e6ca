"""Cube: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

import torch

from autograder.diagnosis import Mistake
from autograder.diagnosis.functions import KEPT_ON_CLASS, RAISED, UPSTREAM_IGNORED, function
from autograder.tasks.answers import known, mistake, right, slip, wrong

from ..shared import CUT_OFF


def cube():
    import torch

    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x**3

        @staticmethod
        def backward(ctx, upstream):
            (x,) = ctx.saved_tensors
            return upstream * 3 * x**2


known(Mistake(*UPSTREAM_IGNORED), Mistake(*CUT_OFF))
slip(
    "only_the_slope",
    within=cube,
    was="return upstream * 3 * x**2",
    wrote="return 3 * x**2",
    diagnosed="upstream gradient ignored",
    predicts=True,
)
slip(
    "detached_in_backward",
    within=cube,
    was="(x,) = ctx.saved_tensors",
    wrote="x = ctx.saved_tensors[0].detach()",
    diagnosed="second derivative cut off",
    predicts=True,
    loses=("second derivative",),
)


@wrong("second derivative cut off", loses=("second derivative",))
def cube_slope_saved_in_forward():
    import torch

    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(3 * x**2)
            return x**3

        @staticmethod
        def backward(ctx, upstream):
            (slope,) = ctx.saved_tensors
            return upstream * slope


@mistake(*KEPT_ON_CLASS)
def cube_kept_on_the_class():
    import torch

    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            Cube.x = x
            return x**3

        @staticmethod
        def backward(ctx, upstream):
            return upstream * 3 * Cube.x**2


slip(
    "no_factor",
    within=cube,
    was="upstream * 3 *",
    wrote="upstream *",
    diagnosed="factor 3 forgotten",
    sentence="The exponent went down by one. What happens to the old exponent?",
)
slip(
    "power_kept",
    within=cube,
    was="3 * x**2",
    wrote="3 * x**3",
    diagnosed="exponent not lowered",
    sentence="The factor 3 is right. What happens to the exponent?",
)
slip(
    "a_square",
    within=cube,
    was="3 * x**2",
    wrote="2 * x",
    diagnosed="slope of the square",
    sentence="This is the derivative of x squared.",
)
known(
    Mistake(
        "backward cubes again",
        "`backward` returns the value of the cube times the upstream gradient. What is the slope of the cube?",
        function(lambda x: x**3, lambda upstream, x: upstream * x**3),
    ),
    Mistake(
        "slope at the upstream gradient",
        "You computed the slope at the upstream gradient instead of at `x`. What is the upstream gradient for?",
        function(lambda x: x**3, lambda upstream, x: 3 * upstream**2 * torch.ones_like(x)),
    ),
)
slip(
    "a_cube_root",
    within=cube,
    was="upstream * 3 * x**2",
    wrote="upstream.sign() * upstream.abs() ** (1 / 3)",
    diagnosed="backward undoes forward",
    sentence="`backward` returns the cube root of the upstream gradient. It does not undo `forward`: it multiplies what "
    "arrives by the slope.",
)
slip(
    "another_cube_root",
    within=cube,
    was="return upstream * 3 * x**2",
    wrote="return upstream.abs().pow(1 / 3).copysign(upstream)",
    diagnosed="backward undoes forward",
)
slip(
    "square_forward",
    within=cube,
    was="return x**3",
    wrote="return x**2",
    diagnosed="square instead of cube",
    sentence="The value that you return is x squared.",
)
known(RAISED)


@wrong("no node of its own")
def cube_without_a_function():
    class Cube:
        @staticmethod
        def apply(x):
            return x**3


slip("no_return", within=cube, was="return upstream", wrote="upstream", diagnosed="backward returns nothing")
slip("no_ctx", within=cube, was="forward(ctx, x)", wrote="forward(x)", diagnosed="arguments of forward and backward")
slip(
    "other_name_on_ctx",
    within=cube,
    was="(x,) = ctx.saved_tensors",
    wrote="x = ctx.x",
    diagnosed="nothing kept under that name",
)
slip(
    "nothing_saved",
    within=cube,
    was="ctx.save_for_backward(x)\n",
    wrote="pass\n",
    diagnosed="saved tensors unpacked wrongly",
)
slip("tuple_left", within=cube, was="(x,) = ctx", wrote="x = ctx", diagnosed="saved tensors unpacked wrongly")


@wrong("an instance of the Function")
def cube_like_a_module():
    import torch

    class Cubing(torch.autograd.Function):
        def forward(self, x):
            self.save_for_backward(x)
            return x**3

        def backward(self, upstream):
            return upstream * 3 * self.saved_tensors[0] ** 2

    class Cube:
        @staticmethod
        def apply(x):
            return Cubing()(x)


slip(
    "autograd_in_backward",
    within=cube,
    was="return upstream * 3 * x**2",
    wrote="x.requires_grad_(); return torch.autograd.grad(x**3, x, upstream)[0]",
    diagnosed="autograd asked inside the Function",
)
slip("backwards", within=cube, was="def backward", wrote="def backwards", diagnosed="no backward")


@wrong("not attempted")
def cube_not_attempted():
    import torch

    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            raise NotImplementedError  # your code here

        @staticmethod
        def backward(ctx, upstream):
            raise NotImplementedError  # your code here


slip("gradients_sign", within=cube, was="upstream * 3", wrote="upstream * -3", diagnosed="sign")


@right
def cube_with_setup_context():
    import torch

    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(x):
            return x * x * x

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(*inputs)

        @staticmethod
        def backward(ctx, grad_output):
            (saved,) = ctx.saved_tensors
            return 3 * saved.square() * grad_output


@right
def cube_with_an_attribute():
    from torch.autograd import Function

    class Cube(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.x = x
            return x.pow(3)

        @staticmethod
        def backward(ctx, g):
            return g * ctx.x * ctx.x * 3 if ctx.needs_input_grad[0] else None

"""damped_tanh: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

import torch

from autograder.diagnosis import Mistake
from autograder.diagnosis.functions import NothingArrived
from autograder.tasks.answers import known, mistake, right, wrong


@mistake(
    "as given: right values, wrong slopes",
    "Every value is right, and the gradient is too large where `x` is negative. Let `gradcheck` compare, and ask "
    "what tanh keeps for its backward pass. See lesson 11, “In-place writes through .data”.",
)
def as_given_damped_tanh():
    import torch

    def damped_tanh(x: torch.Tensor) -> torch.Tensor:
        y = torch.tanh(x)
        y.data[y.data < 0] *= 0.1
        return y


@mistake(
    "only the values damped",
    "Every value is right, and the gradient where `x` is negative is tanh's own: autograd does not know about the 0.1.",
)
def data_of_a_clone():
    import torch

    def damped_tanh(x):
        y = torch.tanh(x).clone()
        y.data[y.data < 0] *= 0.1
        return y


@wrong("only the values damped")
def clone_under_no_grad():
    import torch

    def damped_tanh(x):
        y = torch.tanh(x).clone()
        with torch.no_grad():
            y[y < 0] *= 0.1
        return y


@mistake("negative part detached", "Every value is right, but the negative part passes no gradient back.")
def data_in_a_branch():
    import torch

    def damped_tanh(x):
        y = torch.tanh(x)
        return torch.where(y < 0, 0.1 * y.data, y)


known(
    NothingArrived(
        "result detached from x",
        "No path leads from the result back to `x`, or none from the gradient when it is differentiated again: "
        "somewhere it was detached.",
        raises="RuntimeError: (.* appears? to not have been used|element \\d+ of tensors does not require|"
        "trying to differentiate twice)",
    )
)


@wrong("result detached from x")
def a_new_tensor():
    import torch

    def damped_tanh(x):
        return torch.tensor([math.tanh(v) * (0.1 if v < 0 else 1) for v in x], dtype=x.dtype, requires_grad=True)

    import math


@wrong("result detached from x")
def a_result_that_is_told_to_require_a_gradient():
    import torch

    def damped_tanh(x):
        y = torch.tanh(x.detach())
        y[y < 0] *= 0.1
        return y.requires_grad_()


@wrong("result detached from x", loses=("any shape, and differentiated twice",))
def a_function_that_is_differentiable_once():
    import torch
    from torch.autograd.function import once_differentiable

    class Damped(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            factor = torch.where(x < 0, 0.1, 1.0).to(x)
            ctx.save_for_backward(torch.tanh(x), factor)
            return factor * torch.tanh(x)

        @staticmethod
        @once_differentiable
        def backward(ctx, upstream):
            y, factor = ctx.saved_tensors
            return upstream * factor * (1 - y * y)

    def damped_tanh(x):
        return Damped.apply(x)


@mistake("input damped instead of output", "You damped the input of tanh. Damp its output.")
def leaky_relu_first():
    import torch
    import torch.nn.functional as F

    def damped_tanh(x):
        return torch.tanh(F.leaky_relu(x, 0.1))


@mistake("positive part damped", "You damped the positive values, and left the negative values as they were.")
def the_wrong_side():
    import torch

    def damped_tanh(x):
        y = torch.tanh(x)
        return torch.where(y > 0, 0.1 * y, y)


known(
    Mistake("everything damped", "You damped the positive values as well.", lambda x: 0.1 * torch.tanh(x)),
    Mistake("nothing damped", "This is plain tanh: no value was damped.", torch.tanh),
)


@mistake("negative values cut to 0", "The negative values are gone. A tenth of them should remain.")
def negative_part_gone():
    import torch

    def damped_tanh(x):
        return torch.relu(torch.tanh(x))


known(
    Mistake(
        "tanh left out",
        "This is `x`, with a tenth of it where it is negative. The tanh is missing.",
        lambda x: torch.where(x < 0, 0.1 * x, x) + 0 * x**2,
    )
)


@mistake(
    "written in place",
    "A backward pass needs the numbers that were overwritten; `detach()` lets autograd notice, where `.data` does "
    "not. Make a new tensor instead. See lesson 11, “In-place writes through .data”.",
    raises="RuntimeError: (one of the variables needed for gradient computation has been modified|a leaf Variable"
    "|a view of a leaf)",
)
def without_data():
    import torch

    def damped_tanh(x):
        y = torch.tanh(x)
        y[y < 0] *= 0.1
        return y


@wrong("written in place")
def detach_in_place_of_data():
    import torch

    def damped_tanh(x):
        y = torch.tanh(x)
        z = y.detach()
        z[z < 0] *= 0.1
        return y


@wrong("written in place")
def under_no_grad():
    import torch

    def damped_tanh(x):
        y = torch.tanh(x)
        with torch.no_grad():
            y[y < 0] *= 0.1
        return y


@wrong("not attempted")
def damped_tanh_not_attempted():
    def damped_tanh(x):
        raise NotImplementedError  # your code here


@wrong("numbers changed", loses=("any shape, and differentiated twice",))
def x_damped_too():
    import torch

    def damped_tanh(x):
        y = torch.tanh(x.clone())
        y = torch.where(y < 0, 0.1 * y, y)
        if not x.is_leaf or not x.requires_grad:
            x.data.copy_(y.data)
        return y


@right
def times_a_factor():
    import torch

    def damped_tanh(x):
        factor = torch.ones_like(x)
        factor[x < 0] = 0.1
        return factor.detach() * torch.tanh(x)


@right
def leaky_relu_afterwards():
    import torch
    import torch.nn.functional as F

    def damped_tanh(x):
        return F.leaky_relu(torch.tanh(x), negative_slope=0.1)


@right
def in_place_on_a_clone():
    import torch

    def damped_tanh(x):
        y = torch.tanh(x)
        z = y.clone()
        z[y < 0] *= 0.1
        return z


@right
def two_parts():
    import torch

    def damped_tanh(x):
        y = torch.tanh(x)
        return y.clamp(min=0) + 0.1 * y.clamp(max=0)

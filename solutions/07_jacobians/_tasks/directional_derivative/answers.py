"""directional_derivative: mistakes, other ways to make them, and right answers."""

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, mistake, right, wrong


@mistake(
    "reverse mode instead of forward",
    "You ran backward passes. Forward mode needs none. See lesson 07, “Jacobian-vector products”.",
    loses=("in forward mode",),
)
def jacobian_by_rows_then_the_product():
    import torch

    def directional_derivative(f, x, v):
        J = torch.func.jacrev(f)(x)
        return torch.tensordot(J, v, dims=x.dim())


@wrong("reverse mode instead of forward", loses=("in forward mode",))
def two_backward_passes():
    import torch

    def directional_derivative(f, x, v):
        return torch.autograd.functional.jvp(f, x, v)[1]


@mistake(
    "f called more than once",
    "You called `f` more than once, perhaps for a difference quotient, or to learn the shape of its "
    "result. Forward mode takes one call.",
    loses=("in forward mode",),
)
def a_difference_quotient():
    def directional_derivative(f, x, v):
        h = (1e-4 if x.dtype.itemsize == 8 else 1e-2) / max(1e-6, float(v.abs().max()))
        return (8 * (f(x + h * v) - f(x - h * v)) - (f(x + 2 * h * v) - f(x - 2 * h * v))) / (12 * h)


@wrong("f called more than once", loses=("in forward mode",))
def the_shape_asked_first():
    import torch

    def directional_derivative(f, x, v):
        shape = f(x).shape
        return torch.func.jvp(f, (x,), (v,))[1].reshape(shape)


@mistake(
    "divided by the norm",
    "You divided by the length of `v`. Return J v itself: twice the `v` gives twice the result.",
)
def along_a_unit_vector():
    import torch

    def directional_derivative(f, x, v):
        return torch.func.jvp(f, (x,), (v / v.norm(),))[1]


@mistake(
    "v J instead of J v",
    "This is v J, which a backward pass returns with `v` as `grad_outputs`. But `v` has a weight for each "
    "input, not for each output.",
)
def v_as_upstream():
    import torch

    def directional_derivative(f, x, v):
        x = x.clone().requires_grad_()
        return torch.autograd.grad(f(x), x, grad_outputs=v)[0]


@mistake(
    "primal instead of tangent",
    "This is f(x). Forward mode returns a pair, and the derivative is the other part of it.",
)
def first_of_the_pair():
    import torch

    def directional_derivative(f, x, v):
        return torch.func.jvp(f, (x,), (v,))[0]


@mistake("value returned as well", "You returned the value and the derivative as a pair. Return the derivative alone.")
def the_whole_pair():
    import torch

    def directional_derivative(f, x, v):
        return torch.func.jvp(f, (x,), (v,))


@mistake("v ignored", "This is the derivative for a move of 1 in every input. The move in `v` has no effect.")
def every_input_at_speed_one():
    import torch

    def directional_derivative(f, x, v):
        return torch.func.jvp(f, (x,), (torch.ones_like(x),))[1]


@mistake(
    "tangent unpacked too late",
    "The result is None. A dual number loses its tangent at the end of its `dual_level()`, so unpack it inside.",
)
def unpacked_behind_the_level():
    from torch.autograd import forward_ad

    def directional_derivative(f, x, v):
        with forward_ad.dual_level():
            moving = f(forward_ad.make_dual(x, v))
        return forward_ad.unpack_dual(moving).tangent


@mistake(
    "matrix product of non-matrices",
    "You multiplied something that is not a matrix with `@`: x may have any number of axes, and so may "
    "f(x). Forward mode gives the product without the matrix.",
    raises="RuntimeError: (mat1 and mat2 shapes|size mismatch, got|mat\\d|both arguments to matmul)",
    loses=("the weighted sum of columns",),
)
def a_matrix_product():
    from torch.func import jacfwd

    def directional_derivative(f, x, v):
        return jacfwd(f)(x) @ v


known(
    Mistake(
        "v J instead of J v",
        "`grad_outputs` takes a weight for each output, and `v` has one for each input. A backward pass mixes "
        "rows; J v mixes columns.",
        raises="RuntimeError: Mismatch in shape: grad_output",
    )
)


@wrong("not attempted")
def directional_derivative_not_attempted():
    def directional_derivative(f, x, v):
        raise NotImplementedError  # your code here


@wrong("gradient of a vector")
def grad_without_an_upstream():
    import torch

    def directional_derivative(f, x, v):
        x = x.clone().requires_grad_()
        return (torch.autograd.grad(f(x), x)[0] * v).sum()


@right
def dual_numbers():
    from torch.autograd import forward_ad as fwAD

    def directional_derivative(f, x, v):
        with fwAD.dual_level():
            return fwAD.unpack_dual(f(fwAD.make_dual(x, v))).tangent


@right
def all_columns_then_the_product():
    import torch

    def directional_derivative(f, x, v):
        J = torch.func.jacfwd(f)(x)
        return torch.tensordot(J, v, dims=x.dim())


@right
def jvp_unpacked():
    from torch.func import jvp

    def directional_derivative(f, x, v):
        value, speed = jvp(f, primals=(x,), tangents=(v,))
        assert speed.shape == value.shape
        return speed

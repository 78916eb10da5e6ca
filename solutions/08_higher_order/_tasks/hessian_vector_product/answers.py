"""hessian_vector_product: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

import torch

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, mistake, right, wrong

from ..shared import NOTHING_LEFT, Function, gradient_of, hessian_of
from .task import hessian_times


def _hessian(f: Function, x: torch.Tensor) -> torch.Tensor:
    return hessian_of(lambda flat: f(flat.reshape(x.shape)), x.flatten())


@wrong("requires_grad switched on")
def hvp_x_marked():
    import torch

    def hessian_vector_product(f, x, v):
        x.requires_grad_()
        g = torch.autograd.grad(f(x), x, create_graph=True)[0]
        if not g.requires_grad:
            return torch.zeros_like(g)
        return torch.autograd.grad(g, x, v, materialize_grads=True)[0]


@mistake(
    "gradient added to H v",
    "Your result is H v plus the gradient of f. Did a first pass fill a `.grad`, to which a second pass "
    "added? `torch.autograd.grad` stores nothing.",
)
def the_first_pass_left_in_grad():
    import torch

    def hessian_vector_product(f, x, v):
        leaf = x.detach().clone().requires_grad_()
        f(leaf).backward(create_graph=True)
        along = (leaf.grad * v).sum()
        if along.requires_grad:
            along.backward()
        total, leaf.grad = leaf.grad.detach(), None  # create_graph makes a reference cycle of them
        return total


@wrong("gradient added to H v")
def differentiated_together_with_f():
    import torch

    def hessian_vector_product(f, x, v):
        leaf = x.clone().requires_grad_()
        value = f(leaf)
        (gradient,) = torch.autograd.grad(value, leaf, create_graph=True)
        return torch.autograd.grad(value + (gradient * v).sum(), leaf)[0]


@mistake(
    "derivative without a graph",
    "You differentiated a gradient that has no graph: it was computed without `create_graph=True`, or f "
    "is linear and it is a constant. Then H v is 0.",
    raises="RuntimeError: element \\d+ of tensors does not require grad",
)
def hvp_without_create_graph():
    import torch

    def hessian_vector_product(f, x, v):
        x = x.clone().requires_grad_()
        g = torch.autograd.grad(f(x), x)[0]
        return torch.autograd.grad(g, x, v)[0]


@wrong("derivative without a graph", loses=("a linear function",))
def no_thought_of_linear_functions():
    import torch

    def hessian_vector_product(f, x, v):
        x = x.clone().requires_grad_()
        g = torch.autograd.grad(f(x), x, create_graph=True)[0]
        return torch.autograd.grad((g * v).sum(), x, materialize_grads=True)[0]


known(NOTHING_LEFT)


@wrong("nothing left to differentiate", loses=("a linear function",))
def a_gradient_of_other_tensors():
    import torch

    def hessian_vector_product(f, x, v):
        x = x.clone().requires_grad_()
        g = torch.autograd.grad(f(x), x, create_graph=True)[0]
        if not g.requires_grad:
            return torch.zeros_like(x)
        return torch.autograd.grad(g, x, v)[0]


@mistake(
    "whole Hessian built",
    "The numbers are right, but you made a table with n times n entries on the way. See lesson 08, "
    "“Hessian-vector products”.",
    loses=("without the matrix",),
)
def the_matrix_first():
    import torch

    def hessian_vector_product(f, x, v):
        H = torch.autograd.functional.hessian(f, x).reshape(x.numel(), x.numel())
        return (H @ v.reshape(-1)).reshape(x.shape)


@wrong("whole Hessian built", predicts=True, loses=("without the matrix",))
def the_matrix_by_torch_func():
    import torch

    def hessian_vector_product(f, x, v):
        H = torch.func.hessian(f)(x)
        return torch.tensordot(H, v, dims=x.dim())


@mistake(
    "a pass for each element",
    "The numbers are right, but you ran a backward pass for each element of x. The weights in v can be "
    "mixed in before the pass.",
    loses=("without the matrix",),
)
def rows_in_a_loop():
    import torch

    def hessian_vector_product(f, x, v):
        x = x.clone().requires_grad_()
        g = torch.autograd.grad(f(x), x, create_graph=True)[0]
        result = torch.zeros_like(v).flatten()
        if g.requires_grad:
            for i in range(x.numel()):
                row = torch.autograd.grad(g.flatten()[i], x, retain_graph=True, materialize_grads=True)[0]
                result[i] = (row * v).sum()
        return result.reshape(v.shape)


@mistake(
    "f called more than once",
    "You called `f` more than once, perhaps for two gradients a small step apart. One call and its graph are enough.",
    loses=("without the matrix",),
)
def f_tried_out_first():
    import torch

    def hessian_vector_product(f, x, v):
        assert f(x).dim() == 0
        return torch.func.jvp(torch.func.grad(f), (x,), (v,))[1]


@wrong("f called more than once", predicts=True)
def a_difference_of_gradients():
    import torch

    def hessian_vector_product(f, x, v):
        gradient = torch.func.grad(f)
        h = 1e-5
        return (gradient(x + h * v) - gradient(x - h * v)) / (2 * h)


@mistake(
    "v multiplied in afterwards",
    "You added the rows of the Hessian up first, and multiplied the sums by v, element by element. Where "
    "must v come in?",
)
def v_too_late():
    import torch

    def hessian_vector_product(f, x, v):
        x = x.clone().requires_grad_()
        g = torch.autograd.grad(f(x), x, create_graph=True)[0]
        if not g.requires_grad:
            return torch.zeros_like(x)
        return torch.autograd.grad(g.sum(), x, materialize_grads=True)[0] * v


known(
    Mistake(
        "v ignored",
        "This is H times a vector of ones: the gradient's elements are added up, each counting once. The "
        "weights in v have no effect.",
        lambda f, x, v: hessian_times(f, x, torch.ones_like(v)),
    ),
    Mistake(
        "only the diagonal",
        "You differentiated each element of the gradient with respect to the same element of x. What does a "
        "move of one element do to the slope in another?",
        lambda f, x, v: _hessian(f, x).diagonal().reshape(x.shape) * v,
    ),
    Mistake(
        "outer product of gradients",
        "This is the gradient times its product with v: slopes multiplied by slopes. A Hessian holds slopes of slopes.",
        lambda f, x, v: gradient_of(f, x) * (gradient_of(f, x) * v).sum(),
    ),
)


@wrong("v ignored")
def ones_in_place_of_v():
    import torch

    def hessian_vector_product(f, x, v):
        x = x.clone().requires_grad_()
        g = torch.autograd.grad(f(x), x, create_graph=True)[0]
        return torch.autograd.grad(g, x, torch.ones_like(g))[0]


@wrong("only the diagonal")
def each_element_by_itself():
    import torch

    def hessian_vector_product(f, x, v):
        x = x.clone().requires_grad_()
        g = torch.autograd.grad(f(x), x, create_graph=True)[0]
        result = torch.zeros_like(v).flatten()
        for i in range(x.numel()):
            result[i] = torch.autograd.grad(g.flatten()[i], x, retain_graph=True)[0].flatten()[i]
        return result.reshape(v.shape) * v


@wrong("outer product of gradients")
def outer_product_of_the_gradient():
    import torch

    def hessian_vector_product(f, x, v):
        g = torch.func.grad(f)(x)
        return g * torch.sum(g * v)


@mistake(
    "first derivative along v",
    "This is one number, the gradient times v. You still have to differentiate it with respect to x.",
)
def stopped_half_way():
    import torch

    def hessian_vector_product(f, x, v):
        x = x.clone().requires_grad_()
        g = torch.autograd.grad(f(x), x, create_graph=True)[0]
        return (g * v).sum()


@mistake(
    "v H v instead of H v",
    "This is v H v, one number: how the slope along v changes along v. Return H v, in the shape of x.",
)
def curvature_along_v():
    import torch

    def hessian_vector_product(f, x, v):
        Hv = torch.func.jvp(torch.func.grad(f), (x,), (v,))[1]
        return torch.sum(v * Hv)


@mistake(
    "divided by the norm", "You divided by the length of v. Return H v itself: twice the v gives twice the result."
)
def a_unit_vector():
    import torch

    def hessian_vector_product(f, x, v):
        return torch.func.jvp(torch.func.grad(f), (x,), (v / torch.linalg.vector_norm(v),))[1]


known(
    Mistake(
        "gradient instead of H v",
        "This is the gradient, or the gradient times v: a first derivative.",
        lambda f, x, v: gradient_of(f, x),
    )
)


@wrong("gradient instead of H v", predicts=True)
def first_pass_weighted():
    import torch

    def hessian_vector_product(f, x, v):
        x = x.clone().requires_grad_()
        return torch.autograd.grad(f(x), x)[0] * v


@mistake(
    "v of another shape",
    "Two shapes do not fit. The gradient has the shape of x, whatever that is, and so has v; `@` is for "
    "vectors with one axis.",
    raises="RuntimeError: (1D tensors expected|inconsistent tensor size|mat1 and mat2|mv:|size mismatch|"
    "both arguments to (matmul|linalg)|Mismatch in shape: grad_output|The size of tensor a|addmv|t\\(\\) expects)|"
    "IndexError",
)
def made_for_vectors():
    import torch

    def hessian_vector_product(f, x, v):
        x = x.clone().requires_grad_()
        g = torch.autograd.grad(f(x), x, create_graph=True)[0]
        return torch.autograd.grad(torch.dot(g, v), x)[0]


@wrong("not attempted")
def hessian_vector_product_not_attempted():
    def hessian_vector_product(f, x, v):
        raise NotImplementedError  # your code here


@wrong("None returned", loses=("a linear function",))
def none_for_a_linear_function():
    import torch

    def hessian_vector_product(f, x, v):
        x = x.clone().requires_grad_()
        g = torch.autograd.grad(f(x), x, create_graph=True)[0]
        if g.requires_grad:
            return torch.autograd.grad(g, x, v, allow_unused=True)[0]


@right
def gradient_of_a_weighted_sum():
    import torch

    def hessian_vector_product(f, x, v):
        leaf = x.detach().clone().requires_grad_()
        g = torch.autograd.grad(f(leaf), leaf, create_graph=True)[0]
        along = (g * v).sum()
        if along.grad_fn is None:
            return torch.zeros_like(x)
        (product,) = torch.autograd.grad(along, leaf, allow_unused=True)
        return torch.zeros_like(x) if product is None else product


@right
def forward_over_reverse():
    from torch.func import grad, jvp

    def hessian_vector_product(f, x, v):
        return jvp(grad(f), (x,), (v,))[1]


@right
def by_functional_hvp():
    import torch

    def hessian_vector_product(f, x, v):
        return torch.autograd.functional.hvp(f, x, v)[1]


@right
def by_functional_vhp():
    from torch.autograd.functional import vhp

    def hessian_vector_product(f, x, v):
        value, product = vhp(f, x, v)
        return product

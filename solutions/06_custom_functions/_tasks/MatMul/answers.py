"""MatMul: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

from collections.abc import Callable

import torch

from autograder.diagnosis import Mistake
from autograder.diagnosis.functions import KEPT_ON_CLASS, RAISED, UPSTREAM_IGNORED, function
from autograder.tasks.answers import known, mistake, right, slip, wrong

SIDES = (
    "In a product for a gradient, the factors are in the wrong order, or one is not transposed in its last two axes. "
    "Let the shapes decide. See lesson 06, “needs_input_grad: skip unneeded gradients”."
)


def _product(backward: Callable[..., tuple[torch.Tensor, torch.Tensor]]) -> type:
    """torch.matmul forward; no prediction where the wrong formula does not fit the shapes."""

    def fitting(upstream: torch.Tensor, a: torch.Tensor, b: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        try:
            found = backward(upstream, a, b)
        except RuntimeError as misfit:
            raise ValueError("no prediction for these shapes") from misfit
        if any(one.shape[-2:] != like.shape[-2:] for one, like in zip(found, (a, b), strict=True)):
            raise ValueError("no prediction for these shapes")
        return found

    return function(torch.matmul, fitting)


@mistake(
    "unneeded gradient computed",
    "The numbers are right, but `backward` also computed a gradient that was not needed. See lesson 06, "
    "“needs_input_grad: skip unneeded gradients”.",
    loses=("one product for one gradient",),
)
def mat_mul_both_every_time():
    import torch

    class MatMul(torch.autograd.Function):
        @staticmethod
        def forward(ctx, A, B):
            ctx.save_for_backward(A, B)
            return A @ B

        @staticmethod
        def backward(ctx, upstream):
            A, B = ctx.saved_tensors
            return upstream @ B.mT, A.mT @ upstream


known(
    Mistake("factors not transposed", SIDES, _product(lambda g, a, b: (g @ b, a @ g))),
    Mistake("factors in the wrong order", SIDES, _product(lambda g, a, b: (b.mT @ g, g @ a.mT))),
    Mistake(
        "gradients swapped",
        "You returned the two gradients in the wrong order. `backward` returns them in the order of `apply`'s arguments.",
        _product(lambda g, a, b: (a.mT @ g, g @ b.mT)),
    ),
    Mistake(
        "elementwise product",
        "You multiplied element by element. The gradients of a matrix product are matrix products too, with `@`.",
        _product(lambda g, a, b: (g * b, g * a)),
    ),
    Mistake(*UPSTREAM_IGNORED, _product(lambda g, a, b: (torch.ones_like(g) @ b.mT, a.mT @ torch.ones_like(g)))),
)


def mat_mul():
    import torch

    class MatMul(torch.autograd.Function):
        @staticmethod
        def forward(ctx, A, B):
            ctx.save_for_backward(A, B)
            return A @ B

        @staticmethod
        def backward(ctx, upstream):
            A, B = ctx.saved_tensors
            of_A = upstream @ B.mT if ctx.needs_input_grad[0] else None
            of_B = A.mT @ upstream if ctx.needs_input_grad[1] else None
            return of_A, of_B


slip(
    "ones",
    within=mat_mul,
    was="A, B = ctx.saved_tensors",
    wrote="A, B = ctx.saved_tensors\n        upstream = torch.ones_like(upstream)",
    diagnosed="upstream gradient ignored",
)


@mistake(
    "mean over the batch",
    "One matrix served a whole batch, and you returned the mean of its gradients. What does each use contribute?",
    loses=("batches, broadcast",),
)
def mat_mul_means_over_the_batch():
    import torch

    class MatMul(torch.autograd.Function):
        @staticmethod
        def forward(ctx, A, B):
            ctx.save_for_backward(A, B)
            return A @ B

        @staticmethod
        def backward(ctx, upstream):
            A, B = ctx.saved_tensors
            of_A = of_B = None
            if ctx.needs_input_grad[0]:
                of_A = upstream @ B.mT
                while of_A.dim() > A.dim():
                    of_A = of_A.mean(0)
            if ctx.needs_input_grad[1]:
                of_B = A.mT @ upstream
                while of_B.dim() > B.dim():
                    of_B = of_B.mean(0)
            return of_A, of_B


@mistake(*KEPT_ON_CLASS)
def mat_mul_kept_on_the_class():
    import torch

    class MatMul(torch.autograd.Function):
        @staticmethod
        def forward(ctx, A, B):
            MatMul.A, MatMul.B = A, B
            return A @ B

        @staticmethod
        def backward(ctx, upstream):
            of_A = upstream @ MatMul.B.mT if ctx.needs_input_grad[0] else None
            of_B = MatMul.A.mT @ upstream if ctx.needs_input_grad[1] else None
            return of_A, of_B


known(
    Mistake(
        "shapes that do not fit",
        "Two shapes do not fit: the factors are in the wrong order, one is not transposed in its last two axes, or `*` "
        "is used instead of `@`. See lesson 06, “needs_input_grad: skip unneeded gradients”.",
        raises="RuntimeError: (mat1 and mat2|The size of tensor|Expected size for first two dim|size mismatch)",
    ),
    RAISED,
)
slip("not_transposed", within=mat_mul, was="upstream @ B.mT", wrote="upstream @ B", diagnosed="shapes that do not fit")
slip("wrong_side", within=mat_mul, was="A.mT @ upstream", wrote="upstream @ A.mT", diagnosed="shapes that do not fit")
slip("exchanged_in_saving", within=mat_mul, was="A, B = ctx", wrote="B, A = ctx", diagnosed="shapes that do not fit")
slip("transposed_by_T", within=mat_mul, was="B.mT", wrote="B.T", diagnosed="shapes that do not fit")
slip("first_two_axes", within=mat_mul, was="B.mT", wrote="B.transpose(0, 1)", diagnosed="shapes that do not fit")
slip(
    "one_gradient",
    within=mat_mul,
    was="return of_A, of_B",
    wrote="return of_A",
    diagnosed="not one gradient for each argument",
)
slip(
    "of_elements",
    within=mat_mul,
    was="upstream @ B.mT",
    wrote="upstream * B",
    diagnosed="a gradient of the wrong shape",
)
slip(
    "exchanged",
    within=mat_mul,
    was="return of_A, of_B",
    wrote="return of_B, of_A",
    diagnosed="a gradient of the wrong shape",
)
slip(
    "only_the_second",
    within=mat_mul,
    was="of_A = upstream @ B.mT if ctx.needs_input_grad[0] else None",
    wrote="of_A = None",
    diagnosed="one gradient missing",
)


@wrong("not attempted")
def mat_mul_not_attempted():
    import torch

    class MatMul(torch.autograd.Function):
        @staticmethod
        def forward(ctx, A, B):
            raise NotImplementedError  # your code here

        @staticmethod
        def backward(ctx, upstream):
            raise NotImplementedError  # your code here


slip("minus", within=mat_mul, was="upstream @ B.mT", wrote="-upstream @ B.mT", diagnosed="sign of one gradient")


@right
def mat_mul_by_transpose():
    import torch

    class MatMul(torch.autograd.Function):
        @staticmethod
        def forward(a, b):
            return torch.matmul(a, b)

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(*inputs)

        @staticmethod
        def backward(ctx, g):
            a, b = ctx.saved_tensors
            return (
                torch.matmul(g, b.transpose(-1, -2)) if ctx.needs_input_grad[0] else None,
                torch.matmul(a.transpose(-2, -1), g) if ctx.needs_input_grad[1] else None,
            )


@right
def mat_mul_by_einsum():
    import torch

    class MatMul(torch.autograd.Function):
        @staticmethod
        def forward(ctx, A, B):
            ctx.save_for_backward(A, B)
            return torch.einsum("...ij,...jk->...ik", A, B)

        @staticmethod
        def backward(ctx, g):
            A, B = ctx.saved_tensors
            grads = [None, None]
            if ctx.needs_input_grad[0]:
                grads[0] = torch.einsum("...ik,...jk->...ij", g, B).sum_to_size(A.shape)
            if ctx.needs_input_grad[1]:
                grads[1] = torch.einsum("...ij,...ik->...jk", A, g).sum_to_size(B.shape)
            return tuple(grads)


@right
def mat_mul_sums_by_hand():
    import torch

    def reduced(gradient, shape):
        while gradient.dim() > len(shape):
            gradient = gradient.sum(0)
        for axis, size in enumerate(shape):
            if size == 1 and gradient.shape[axis] > 1:
                gradient = gradient.sum(axis, keepdim=True)
        return gradient

    class MatMul(torch.autograd.Function):
        @staticmethod
        def forward(ctx, A, B):
            ctx.save_for_backward(A, B)
            return A @ B

        @staticmethod
        def backward(ctx, g):
            A, B = ctx.saved_tensors
            of_A = reduced(g @ B.mT, A.shape) if A.requires_grad else None
            of_B = reduced(A.mT @ g, B.shape) if B.requires_grad else None
            return of_A, of_B

"""MaxWithIndex: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

from torch.nn import functional

from autograder.diagnosis import Mistake
from autograder.diagnosis.functions import KEPT_ON_CLASS, RAISED, UPSTREAM_IGNORED, function
from autograder.tasks.answers import known, mistake, right, slip, wrong


def maximum():
    import torch

    class MaxWithIndex(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            index = torch.argmax(x)
            ctx.save_for_backward(x, index)
            ctx.mark_non_differentiable(index)
            return x[index], index

        @staticmethod
        def backward(ctx, upstream, upstream_of_index):
            x, index = ctx.saved_tensors
            gradient = torch.zeros_like(x)
            gradient[index] = upstream
            return gradient


slip(
    "all_that_are_equal",
    within=maximum,
    was="gradient[index] = upstream",
    wrote="gradient[x == x[index]] = upstream",
    diagnosed="full gradient for every tie",
    sentence="If several elements are the largest, each got the whole gradient. Comparing values finds them all.",
)
slip(
    "shared",
    within=maximum,
    was="gradient[index] = upstream",
    wrote="gradient[x == x.max()] = upstream / (x == x.max()).sum()",
    diagnosed="gradient split among ties",
    sentence="If several elements are the largest, you split the gradient among them. The task gives it to the first.",
)
slip(
    "last",
    within=maximum,
    was="torch.argmax(x)",
    wrote="len(x) - 1 - torch.argmax(x.flip(0))",
    diagnosed="last tied maximum chosen",
    sentence="If several elements are the largest, you chose the last of them.",
)
known(Mistake(*UPSTREAM_IGNORED))
slip("a_one", within=maximum, was="= upstream\n", wrote="= 1\n", diagnosed="upstream gradient ignored", predicts=True)


@mistake(*KEPT_ON_CLASS)
def maximum_kept_on_the_class():
    import torch

    class MaxWithIndex(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            MaxWithIndex.index = int(x.argmax())
            MaxWithIndex.length = len(x)
            return x.max(), torch.tensor(MaxWithIndex.index)

        @staticmethod
        def backward(ctx, upstream, upstream_of_index):
            gradient = torch.zeros(MaxWithIndex.length, dtype=upstream.dtype)
            gradient[MaxWithIndex.index] = upstream
            return gradient


slip(
    "smallest",
    within=maximum,
    was="argmax",
    wrote="argmin",
    diagnosed="minimum instead of maximum",
    sentence="You returned the smallest element.",
)
slip(
    "everywhere",
    within=maximum,
    was="torch.zeros_like(x)",
    wrote="torch.ones_like(x) * upstream",
    diagnosed="gradient for every element",
    sentence="Every element got the upstream gradient. Only one of them determines the maximum.",
)
slip(
    "by_size",
    within=maximum,
    was="torch.argmax(x)",
    wrote="torch.argmax(x.abs())",
    diagnosed="largest absolute value",
    sentence="You chose the element with the largest absolute value, whatever its sign.",
)
known(
    Mistake(
        "float index",
        "You returned the index as a float. Return an int64 tensor or an int, which has no gradient.",
        function(
            lambda x: (x.max(), x.argmax().to(x.dtype)),
            lambda upstream, _, x: upstream * functional.one_hot(x.argmax(), len(x)),
        ),
    ),
    Mistake(
        "index and maximum swapped",
        "You returned the index first. The maximum is the first result, and the index is the second.",
        raises="RuntimeError: element 0 of tensors does not require grad|Only Tensors of floating point",
    ),
    RAISED,
)


@wrong("float index", predicts=True, loses=("the index has no gradient",))
def maximum_float_index():
    import torch

    class MaxWithIndex(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            index = torch.argmax(x)
            ctx.save_for_backward(x, index)
            return x[index], index.to(x.dtype)

        @staticmethod
        def backward(ctx, upstream, upstream_of_index):
            x, index = ctx.saved_tensors
            gradient = torch.zeros_like(x)
            gradient[index] = upstream
            return gradient


slip(
    "other_way_round",
    within=maximum,
    was="return x[index], index",
    wrote="return index, x[index]",
    diagnosed="index and maximum swapped",
)


@wrong("no node of its own")
def maximum_by_torch():
    class MaxWithIndex:
        @staticmethod
        def apply(x):
            return x.max(0)


slip(
    "one_upstream",
    within=maximum,
    was="upstream, upstream_of_index",
    wrote="upstream",
    diagnosed="arguments of forward and backward",
)


@wrong("not attempted")
def maximum_not_attempted():
    import torch

    class MaxWithIndex(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            raise NotImplementedError  # your code here

        @staticmethod
        def backward(ctx, upstream, upstream_of_index):
            raise NotImplementedError  # your code here


slip("negated", within=maximum, was="= upstream\n", wrote="= -upstream\n", diagnosed="sign")


@right
def maximum_by_argmax():
    import torch

    class MaxWithIndex(torch.autograd.Function):
        @staticmethod
        def forward(x):
            index = x.argmax()
            return x[index].clone(), index

        @staticmethod
        def setup_context(ctx, inputs, output):
            (x,), (_, index) = inputs, output
            ctx.mark_non_differentiable(index)
            ctx.save_for_backward(x, index)

        @staticmethod
        def backward(ctx, g, _):
            x, index = ctx.saved_tensors
            return torch.zeros_like(x).scatter(0, index.reshape(1), g.reshape(1))


@right
def maximum_by_a_loop():
    import torch

    class MaxWithIndex(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            numbers = x.tolist()
            ctx.place, ctx.length = numbers.index(max(numbers)), len(numbers)
            return x[ctx.place], torch.tensor(ctx.place)

        @staticmethod
        def backward(ctx, g, g_index):
            grad_x = g.new_zeros(ctx.length)
            grad_x[ctx.place] += g
            return grad_x


@right
def maximum_with_a_plain_index():
    import torch

    class MaxWithIndex(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.row = torch.zeros_like(x)
            ctx.row[x.max(0).indices] = 1
            return x.max(), int(x.max(0).indices)

        @staticmethod
        def backward(ctx, g, g_index):
            return g * ctx.row, None

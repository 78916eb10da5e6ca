"""GradientExtractor: mistakes, other ways to make them, and right answers."""

from __future__ import annotations


from autograder.diagnosis import Mistake
from autograder.diagnosis.functions import KEPT_ON_CLASS, RAISED, UPSTREAM_IGNORED
from autograder.tasks.answers import known, mistake, right, slip, wrong


def extractor():
    import torch

    class GradientExtractor(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, index):
            ctx.save_for_backward(x)
            ctx.index = index
            return x[index]

        @staticmethod
        def backward(ctx, upstream):
            (x,) = ctx.saved_tensors
            gradient = torch.zeros_like(x)
            gradient[ctx.index] = upstream
            return gradient, None


known(Mistake(*UPSTREAM_IGNORED))
slip("a_one", within=extractor, was="= upstream\n", wrote="= 1\n", diagnosed="upstream gradient ignored", predicts=True)


@mistake(*KEPT_ON_CLASS, loses=("several applies before one backward",))
def extractor_keeps_the_index_on_the_class():
    import torch

    class GradientExtractor(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, index):
            GradientExtractor.index = index
            ctx.save_for_backward(x)
            return x[index]

        @staticmethod
        def backward(ctx, upstream):
            (x,) = ctx.saved_tensors
            gradient = torch.zeros_like(x)
            gradient[GradientExtractor.index] = upstream
            return gradient, None


slip(
    "ones",
    within=extractor,
    was="torch.zeros_like(x)",
    wrote="torch.ones_like(x) * upstream",
    diagnosed="gradient for every element",
    sentence="Every element got the upstream gradient. How much does the result change when you move another element?",
)


@mistake("negative index lost", "With a negative index no gradient arrives. Which place does -1 mean?")
def extractor_compares_places():
    import torch

    class GradientExtractor(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, index):
            ctx.places = torch.arange(len(x)) == index
            return x[index]

        @staticmethod
        def backward(ctx, upstream):
            return upstream * ctx.places, None


slip(
    "other_end",
    within=extractor,
    was="gradient[ctx.index]",
    wrote="gradient[-1 - ctx.index]",
    diagnosed="counted from the other end",
    sentence="The gradient does not arrive at the element that you picked.",
)
slip(
    "times_x",
    within=extractor,
    was="= upstream\n",
    wrote="= upstream * x[ctx.index]\n",
    diagnosed="value instead of slope",
    sentence="You multiplied the gradient by the element's value. What is the slope of x[i] with respect to x[i]?",
)

slip(
    "in_the_input",
    within=extractor,
    was="gradient = torch.zeros_like(x)",
    wrote="gradient = x.data.zero_()",
    diagnosed="numbers changed",
)


@mistake(
    "negative padding",
    "With a negative index you asked for a negative number of zeros. Which place does -2 mean?",
    raises="RuntimeError: narrow\\(\\): length must be non-negative",
    loses=("a negative index", "several applies before one backward"),
)
def extractor_pads():
    import torch

    class GradientExtractor(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, index):
            ctx.before, ctx.behind = index, len(x) - index - 1
            return x[index]

        @staticmethod
        def backward(ctx, upstream):
            return torch.nn.functional.pad(upstream.reshape(1), (ctx.before, ctx.behind)), None


known(
    Mistake(
        "gradient too short",
        "You used an index beyond the end of a tensor. How long must the gradient be, and which place does a negative "
        "index name?",
        raises="IndexError: index -?\\d+ is out of bounds",
    ),
    Mistake(
        "result has an axis",
        "You returned a vector of one element. Return the element itself, a tensor without axes.",
        raises="RuntimeError: Mismatch in shape: grad_output\\[0\\] has a shape of .*\\[\\]\\) and output",
    ),
    RAISED,
)
slip(
    "a_slice",
    within=extractor,
    was="return x[index]",
    wrote="return x[index : index + 1]",
    diagnosed="result has an axis",
)


@wrong("no node of its own")
def extractor_by_indexing():
    class GradientExtractor:
        apply = staticmethod(lambda x, index: x[index])


@wrong("a number in save_for_backward")
def extractor_saves_the_index():
    import torch

    class GradientExtractor(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, index):
            ctx.save_for_backward(x, index)
            return x[index]

        @staticmethod
        def backward(ctx, upstream):
            x, index = ctx.saved_tensors
            gradient = torch.zeros_like(x)
            gradient[index] = upstream
            return gradient, None


slip(
    "one_return_value",
    within=extractor,
    was="gradient, None",
    wrote="gradient",
    diagnosed="not one gradient for each argument",
)
slip(
    "two_gradients",
    within=extractor,
    was="gradient, None",
    wrote="gradient, gradient",
    diagnosed="a gradient for a plain argument",
)
slip(
    "upstream_alone",
    within=extractor,
    was="return gradient, None",
    wrote="return upstream, None",
    diagnosed="a gradient of the wrong shape",
)


@wrong("not attempted")
def extractor_not_attempted():
    import torch

    class GradientExtractor(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, index):
            raise NotImplementedError  # your code here

        @staticmethod
        def backward(ctx, upstream):
            raise NotImplementedError  # your code here


slip("minus", within=extractor, was="= upstream\n", wrote="= -upstream\n", diagnosed="sign")
slip("nothing", within=extractor, was="gradient[ctx.index] = upstream\n", wrote="pass\n", diagnosed="always zero")


@right
def extractor_by_one_hot():
    import torch

    class GradientExtractor(torch.autograd.Function):
        @staticmethod
        def forward(x, index):
            return x[index].clone()

        @staticmethod
        def setup_context(ctx, inputs, output):
            x, index = inputs
            ctx.place, ctx.size = index % len(x), len(x)

        @staticmethod
        def backward(ctx, g):
            return g * torch.nn.functional.one_hot(torch.tensor(ctx.place, device=g.device), ctx.size), None


@right
def extractor_saves_a_tensor():
    import torch

    class GradientExtractor(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, index):
            ctx.save_for_backward(x, torch.tensor(index))
            return x[index]

        @staticmethod
        def backward(ctx, g):
            x, index = ctx.saved_tensors
            grad_x = torch.zeros_like(x)
            grad_x[index.item()] = g
            return grad_x, None


@right
def extractor_by_padding():
    import torch

    class GradientExtractor(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, index):
            ctx.before = index if index >= 0 else len(x) + index
            ctx.behind = len(x) - 1 - ctx.before
            return x[index]

        @staticmethod
        def backward(ctx, g):
            return torch.cat([g.new_zeros(ctx.before), g.reshape(1), g.new_zeros(ctx.behind)]), None

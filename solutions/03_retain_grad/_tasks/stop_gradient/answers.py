"""stop_gradient: mistakes, other ways to make them, and right answers."""

from autograder.tasks.answers import mistake, right, wrong


@mistake(
    "nothing stopped",
    "The gradient is 2x, because it passes through both factors of the square. One of them should count as a constant.",
    loses=("the gradient",),
)
def a_plain_square():
    def stop_gradient(x):
        return x**2


@wrong("nothing stopped", loses=("the gradient",))
def a_name_under_no_grad():
    import torch

    def stop_gradient(x):
        with torch.no_grad():
            factor = x  # the same tensor under another name
        return factor * x


@mistake(
    "every path stopped",
    "The result has no history, so no gradient can pass through it. One factor is a constant; what became "
    "of the other?",
    raises="RuntimeError: element \\d+ of tensors does not require grad",
    loses=("the gradient",),
)
def all_detached():
    def stop_gradient(x):
        return (x * x).detach()


@wrong("every path stopped", loses=("the gradient",))
def all_under_no_grad():
    import torch

    @torch.no_grad()
    def stop_gradient(x):
        return x.detach() * x


@mistake(
    "the gradient of x itself",
    "The upstream gradient goes through unchanged: the value is replaced, and the gradient is right for `x` "
    "alone. The constant factor belongs in the gradient too.",
    loses=("the gradient",),
)
def straight_through():
    def stop_gradient(x):
        return x + (x**2 - x).detach()


@mistake(
    "half the square",
    "The value is half of x squared. Its gradient is x, which is right; how can the value be the whole square?",
    loses=("the value",),
)
def scaled_down():
    def stop_gradient(x):
        return 0.5 * x**2


@mistake("a factor too many", "The value is x cubed: the square was stopped as a whole and multiplied by one more `x`.")
def the_square_times_x():
    def stop_gradient(x):
        return (x**2).detach() * x


@mistake(
    "the square as gradient",
    "The upstream gradient was multiplied by the function's value, x squared, and not by its gradient.",
    loses=("the gradient",),
)
def a_function_that_saves_the_result():
    import torch

    class Stopped(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x**2
            ctx.save_for_backward(y)
            return y

        @staticmethod
        def backward(ctx, upstream):
            (y,) = ctx.saved_tensors
            return y * upstream

    def stop_gradient(x):
        return Stopped.apply(x)


@wrong("not attempted")
def stop_gradient_not_attempted():
    def stop_gradient(x):
        raise NotImplementedError  # your code here


@wrong("upstream gradient ignored", loses=("the gradient",))
def a_function_without_upstream():
    import torch

    class Stopped(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x**2

        @staticmethod
        def backward(ctx, upstream):
            (x,) = ctx.saved_tensors
            return x.clone()

    def stop_gradient(x):
        return Stopped.apply(x)


@wrong(
    "numbers changed",
    loses=(
        "the value",
        "the gradient",
    ),
)
def a_product_in_place():
    def stop_gradient(x):
        y = x.detach()
        y *= x
        return y


@right
def as_a_function():
    import torch

    class Stopped(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, upstream):
            (x,) = ctx.saved_tensors
            return x * upstream

    def stop_gradient(x):
        return Stopped.apply(x)


@right
def half_and_half():
    def stop_gradient(x):
        half = x**2 / 2
        return half + half.detach()


@right
def a_factor_made_without_recording():
    import torch

    def stop_gradient(x):
        with torch.no_grad():
            factor = x.clone()
        return factor * x

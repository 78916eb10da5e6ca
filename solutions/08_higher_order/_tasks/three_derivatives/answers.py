"""three_derivatives: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

from collections.abc import Callable

import torch

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, mistake, right, wrong

from ..shared import NOTHING_LEFT, Function
from .task import first_three

Three = tuple[torch.Tensor, ...]


def _from(combine: Callable[..., Three]) -> Callable[[Function, torch.Tensor], Three]:
    """The answer as made from the three right numbers."""
    return lambda f, x: combine(*first_three(f, x))


@wrong("requires_grad switched on", loses=("x as it was",))
def x_marked():
    import torch

    def three_derivatives(f, x):
        x.requires_grad_()
        d, found = f(x), []
        for _ in range(3):
            if d.requires_grad:
                d = torch.autograd.grad(d, x, create_graph=True, materialize_grads=True)[0]
            else:
                d = torch.zeros_like(x)
            found.append(d.detach())
            d = d if d.requires_grad else d.detach()
        return found


@mistake(
    "derivative without a graph",
    "You differentiated a derivative that has no graph: it was computed without `create_graph=True`, or f "
    "is linear and it is a constant, with the derivative 0.",
    raises="RuntimeError: element \\d+ of tensors does not require grad",
)
def three_without_create_graph():
    import torch

    def three_derivatives(f, x):
        x = x.clone().requires_grad_()
        d1 = torch.autograd.grad(f(x), x)[0]
        d2 = torch.autograd.grad(d1, x)[0]
        d3 = torch.autograd.grad(d2, x)[0]
        return d1, d2, d3


@wrong("derivative without a graph")
def retained_only():
    import torch

    def three_derivatives(f, x):
        x = x.clone().requires_grad_()
        d1 = torch.autograd.grad(f(x), x, retain_graph=True)[0]
        d2 = torch.autograd.grad(d1, x, retain_graph=True)[0]
        d3 = torch.autograd.grad(d2, x)[0]
        return d1, d2, d3


@wrong("derivative without a graph", loses=("zeros where nothing is left",))
def no_thought_of_the_end():
    import torch

    def three_derivatives(f, x):
        x = x.clone().requires_grad_()
        d1 = torch.autograd.grad(f(x), x, create_graph=True)[0]
        d2 = torch.autograd.grad(d1, x, create_graph=True)[0]
        d3 = torch.autograd.grad(d2, x, create_graph=True)[0]
        return d1, d2, d3


known(NOTHING_LEFT)


@wrong("nothing left to differentiate", loses=("zeros where nothing is left",))
def no_graph_thought_of_but_not_another_graph():
    import torch

    def three_derivatives(f, x):
        x = x.clone().requires_grad_()
        d, found = f(x), []
        for _ in range(3):
            d = torch.autograd.grad(d, x, create_graph=True)[0] if d.requires_grad else torch.zeros_like(x)
            found.append(d)
        return found


@mistake(
    "powers instead of derivatives",
    "The second number is the square of the first. Multiplying a slope by itself does not differentiate it again.",
)
def squares_and_cubes():
    import torch

    def three_derivatives(f, x):
        x = x.clone().requires_grad_()
        d = torch.autograd.grad(f(x), x)[0]
        return d, d**2, d**3


@wrong("powers instead of derivatives", predicts=True)
def the_slope_squared():
    import torch

    def three_derivatives(f, x):
        d1 = torch.func.grad(f)
        d3 = torch.func.grad(torch.func.grad(d1))
        return d1(x), d1(x) * d1(x), d3(x)


known(
    Mistake(
        ".grad accumulates",
        "The second and the third number contain earlier derivatives as well: each `backward` adds to what "
        "`.grad` still holds. See lesson 08, “Second and third derivatives, and where they end”.",
        _from(lambda a, b, c: (a, a + b, a + 2 * b + c)),
        _from(lambda a, b, c: (a, a + 2 * b + c, a + 2 * b + c)),
        _from(lambda a, b, c: (a, a + b, a + b + c)),
    )
)


@wrong(".grad accumulates")
def backward_three_times():
    def three_derivatives(f, x):
        x = x.clone().requires_grad_()
        y, found = f(x), []
        for _ in range(3):
            y.backward(create_graph=True)
            y = x.grad
            found.append(y)
        return found


@wrong(".grad accumulates")
def backward_without_a_graph_at_the_end():
    def three_derivatives(f, x):
        x = x.clone().requires_grad_()
        f(x).backward(create_graph=True)
        d1 = x.grad
        d1.backward(create_graph=True)
        d2 = x.grad
        d2.backward()
        return d1, d2, x.grad


@mistake(
    "value counted as a derivative",
    "You returned f, f' and f''. Return f', f'' and f''': one more pass, and not the value.",
)
def the_value_first():
    import torch

    def three_derivatives(f, x):
        x = x.clone().requires_grad_()
        y = f(x)
        d1 = torch.autograd.grad(y, x, create_graph=True)[0]
        d2 = torch.autograd.grad(d1, x, materialize_grads=True)[0] if d1.requires_grad else 0 * x
        return y, d1, d2


known(
    Mistake(
        "same derivative twice",
        "The third number repeats the second. Which tensor does the third call differentiate?",
        _from(lambda a, b, c: (a, b, b)),
    )
)


@wrong("same derivative twice")
def the_first_differentiated_twice():
    import torch

    def three_derivatives(f, x):
        x = x.clone().requires_grad_()
        d1 = torch.autograd.grad(f(x), x, create_graph=True)[0]
        d2 = torch.autograd.grad(d1, x, create_graph=True)[0]
        d3 = torch.autograd.grad(d1, x, create_graph=True)[0]
        return d1, d2, d3


@mistake(
    "first derivative three times",
    "All three numbers are the first derivative. Which tensor does each call differentiate?",
)
def the_value_differentiated_three_times():
    import torch

    def three_derivatives(f, x):
        x = x.clone().requires_grad_()
        y = f(x)
        return [torch.autograd.grad(y, x, retain_graph=True)[0] for _ in range(3)]


@mistake(
    "divided by factorials",
    "These are the coefficients of the Taylor series. Return the derivatives themselves, without the factorials.",
)
def taylor_coefficients():
    from torch.func import grad

    def three_derivatives(f, x):
        return grad(f)(x), grad(grad(f))(x) / 2, grad(grad(grad(f)))(x) / 6


@wrong("not attempted")
def three_derivatives_not_attempted():
    def three_derivatives(f, x):
        raise NotImplementedError  # your code here


@wrong("None instead of a gradient", loses=("zeros where nothing is left",))
def none_for_what_is_left():
    import torch

    def three_derivatives(f, x):
        x = x.clone().requires_grad_()
        d, found = f(x), []
        for _ in range(3):
            if d is not None and d.requires_grad:
                d = torch.autograd.grad(d, x, create_graph=True, allow_unused=True)[0]
            else:
                d = None
            found.append(d)
        return found


@wrong("another shape")
def kept_in_vectors():
    import torch

    def three_derivatives(f, x):
        d1 = torch.func.grad(f)
        d2 = torch.func.grad(d1)
        d3 = torch.func.grad(d2)
        return d1(x).reshape(1), d2(x).reshape(1), d3(x).reshape(1)


@wrong("left in a tuple")
def the_tuples_of_grad():
    import torch

    def three_derivatives(f, x):
        x = x.clone().requires_grad_()
        d1 = torch.autograd.grad(f(x), x, create_graph=True)
        d2 = torch.autograd.grad(d1, x, create_graph=True)
        d3 = torch.autograd.grad(d2, x, create_graph=True)
        return d1, d2, d3


@right
def a_function_that_differentiates_a_function():
    import torch

    def three_derivatives(f, x):
        first = torch.func.grad(f)
        second = torch.func.grad(first)
        return first(x), second(x), torch.func.grad(second)(x)


@right
def backward_with_a_cleared_grad():
    import torch

    def three_derivatives(f, x):
        leaf = torch.nn.Parameter(x.clone())
        y, found = f(leaf), []
        for _ in range(3):
            leaf.grad = None
            if y.requires_grad:
                y.backward(create_graph=True)
            y = torch.zeros_like(x) if leaf.grad is None else leaf.grad
            found.append(y)
        return found


@right
def none_replaced_by_zero():
    import torch

    def three_derivatives(f, x):
        leaf = x.detach().requires_grad_()

        def derivative(y):
            if y.grad_fn is None and y is not leaf:
                return 0 * leaf
            (d,) = torch.autograd.grad(y, leaf, create_graph=True, allow_unused=True)
            return 0 * leaf if d is None else d

        d1 = derivative(f(leaf))
        d2 = derivative(d1)
        return d1, d2, derivative(d2)


@right
def tied_to_x_by_a_zero():
    import torch

    def three_derivatives(f, x):
        leaf = x.clone().requires_grad_()
        zero = 0 * leaf**4  # ties every derivative to x
        d, found = f(leaf) + zero, []
        for _ in range(3):
            d = torch.autograd.grad(d, leaf, create_graph=True)[0] + zero
            found.append(d.detach())
        return found

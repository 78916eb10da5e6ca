"""finite_difference: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, mistake, right, wrong

from .task import function_of


def _differences(change: Callable[[Callable, Any, int], float]) -> Callable[[Any, Any], list[float]]:
    """A gradient made of `change(f, x, i)` for each element."""

    def answer(f: Any, x: Any) -> list[float]:
        function = function_of(f)
        return [float(change(function, x, i)) for i in range(len(x))]

    return answer


def _step(x: Any, i: int, h: float) -> Any:
    moved = x.clone()
    moved[i] += h
    return moved


def _one_sided(h: float) -> Callable[[Any, Any], list[float]]:
    return _differences(lambda f, x, i: (f(_step(x, i, h)) - f(x)) / h)


def _backward(h: float) -> Callable[[Any, Any], list[float]]:
    return _differences(lambda f, x, i: (f(x) - f(_step(x, i, -h))) / h)


def _left_moved(h: float) -> Callable[[Any, Any], list[float]]:
    """Each element is moved up and down and never put back."""

    def answer(f: Any, x: Any) -> list[float]:
        function, moved, gradient = function_of(f), x.clone(), []
        for i in range(len(x)):
            moved[i] += h
            up = float(function(moved))
            moved[i] -= 2 * h
            gradient.append((up - float(function(moved))) / (2 * h))
        return gradient

    return answer


@mistake(
    "all elements moved at once",
    "Every entry is the same: the change when all elements move together. Move one element at a time.",
)
def all_at_once():
    def finite_difference(f, x):
        h = 1e-5
        return [((f(x + h) - f(x - h)) / (2 * h)).item() for _ in x]


@mistake(
    "not divided by twice the step", "Every entry is twice as large as it should be. How far apart are the two points?"
)
def divided_by_h():
    import torch

    def finite_difference(f, x):
        h = 1e-5
        gradient = []
        for i in range(len(x)):
            step = torch.zeros_like(x)
            step[i] = h
            gradient.append(((f(x + step) - f(x - step)) / h).item())
        return gradient


known(
    Mistake(
        "one-sided",
        "You asked `f` on one side of `x` only. A central difference asks it on both sides, at the same distance, "
        "for each element.",
        _one_sided(1e-3),
        _one_sided(1e-4),
        _backward(1e-3),
        _backward(1e-4),
    ),
    Mistake(
        "elements not put back",
        "You took each entry after the first where earlier elements were still moved. Put one back before the next moves.",
        _left_moved(1e-3),
        _left_moved(1e-4),
    ),
    Mistake(
        "step too large",
        "The step is too large: the error is truncation, which falls with the step's square. See lesson 01, "
        "“Truncation or rounding? Shrink the step”.",
    ),
    Mistake(
        "step too small",
        "The step is too small: f changes in its last digits only, so the error is rounding, which grows as the step "
        "shrinks. See lesson 01, “Truncation or rounding? Shrink the step”.",
    ),
    Mistake("float32", "Seven digits are too few for a difference. In which dtype did you make the points?"),
    Mistake(
        "not central",
        "A central difference asks the function on both sides of `x`, at the same distance, for each element.",
    ),
)


@wrong("one-sided", predicts=True)
def forward_difference():
    import torch

    def finite_difference(f, x):
        h = 1e-5
        gradient = []
        for i in range(len(x)):
            step = torch.zeros_like(x)
            step[i] = h
            gradient.append(((f(x + step) - f(x)) / h).item())
        return gradient


@wrong("one-sided")
def forward_difference_with_a_tiny_step():
    def finite_difference(f, x):
        h = 1e-8
        gradient = []
        for i in range(len(x)):
            moved = x.clone()
            moved[i] += h
            gradient.append(float(f(moved) - f(x)) / h)
        return gradient


@wrong("one-sided", predicts=True)
def backward_difference():
    import torch

    def finite_difference(f, x):
        h = 1e-5
        gradient = []
        for i in range(len(x)):
            step = torch.zeros_like(x)
            step[i] = h
            gradient.append(((f(x) - f(x - step)) / h).item())
        return gradient


@wrong("elements not put back", predicts=True)
def never_put_back():
    def finite_difference(f, x):
        h = 1e-5
        x = x.clone()
        gradient = []
        for i in range(len(x)):
            x[i] += h
            above = f(x).item()
            x[i] -= 2 * h
            below = f(x).item()
            gradient.append((above - below) / (2 * h))
        return gradient


@wrong("step too large")
def large_step():
    import torch

    def finite_difference(f, x):
        h = 1e-2
        gradient = []
        for i in range(len(x)):
            step = torch.zeros_like(x)
            step[i] = h
            gradient.append(((f(x + step) - f(x - step)) / (2 * h)).item())
        return gradient


@wrong("step too large")
def a_step_of_a_thousandth():
    import torch

    def finite_difference(f, x):
        h = 1e-3
        gradient = []
        for i in range(len(x)):
            step = torch.zeros_like(x)
            step[i] = h
            gradient.append(((f(x + step) - f(x - step)) / (2 * h)).item())
        return gradient


@wrong("step too large")
def a_step_that_grows_with_x():
    import torch

    def finite_difference(f, x):
        gradient = []
        for i in range(len(x)):
            step = torch.zeros_like(x)
            step[i] = 1e-3 * abs(x[i]) + 1e-4
            gradient.append(((f(x + step) - f(x - step)) / (2 * step[i])).item())
        return gradient


@wrong("step too small")
def tiny_step():
    import torch

    def finite_difference(f, x):
        h = 1e-12
        gradient = []
        for i in range(len(x)):
            step = torch.zeros_like(x)
            step[i] = h
            gradient.append(((f(x + step) - f(x - step)) / (2 * h)).item())
        return gradient


@wrong("float32")
def in_float32():
    import torch

    def finite_difference(f, x):
        h = 1e-3
        gradient = []
        for i in range(len(x)):
            step = torch.zeros(len(x))
            step[i] = h
            above = f((x.float() + step).double()).float()
            below = f((x.float() - step).double()).float()
            gradient.append(float((above - below) / (2 * h)))
        return gradient


@wrong("not central")
def one_sided_but_close_enough():
    def finite_difference(f, x):
        h = 1e-5
        gradient = []
        for i in range(len(x)):
            near, far = x.clone(), x.clone()
            near[i] += h
            far[i] += 2 * h
            gradient.append(((4 * f(near) - 3 * f(x) - f(far)) / (2 * h)).item())
        return gradient


@wrong("not central")
def autograd_instead():
    import torch

    def finite_difference(f, x):
        leaf = x.clone().requires_grad_()
        f(leaf).backward()
        return leaf.grad.tolist()


@wrong("not attempted")
def finite_difference_not_attempted():
    def finite_difference(f, x):
        raise NotImplementedError()


@wrong("numbers changed")
def put_back_by_subtraction():
    # 0.1 + h - 2 * h + h is not quite 0.1.
    def finite_difference(f, x):
        h = 1e-5
        gradient = []
        for i in range(len(x)):
            x[i] += h
            above = f(x).item()
            x[i] -= 2 * h
            below = f(x).item()
            x[i] += h
            gradient.append((above - below) / (2 * h))
        return gradient


@right
def clone_and_write():
    import torch

    def finite_difference(f, x):
        eps = 1e-6
        out = []
        for i in range(x.numel()):
            plus = x.clone()
            plus[i] += eps
            minus = x.clone()
            minus[i] -= eps
            out.append((f(plus).item() - f(minus).item()) / (2 * eps))
        return out


@right
def rows_of_the_identity():
    import torch

    def finite_difference(f, x):
        h = 2e-5
        steps = h * torch.eye(len(x), dtype=x.dtype)
        return torch.stack([(f(x + step) - f(x - step)) / (2 * h) for step in steps])


@right
def five_points():
    import torch

    def finite_difference(f, x):
        h = 1e-3
        result = []
        for step in h * torch.eye(len(x), dtype=torch.float64):
            near = f(x + step) - f(x - step)
            far = f(x + 2 * step) - f(x - 2 * step)
            result.append(((8 * near - far) / (12 * h)).item())
        return tuple(result)


@right
def moved_and_put_back():
    import torch

    def finite_difference(f, x):
        h, gradient = 1e-5, []
        for i in range(len(x)):
            before = x[i].item()
            x[i] = before + h
            above = f(x)
            x[i] = before - h
            below = f(x)
            x[i] = before
            gradient.append((above - below) / (2 * h))
        return gradient

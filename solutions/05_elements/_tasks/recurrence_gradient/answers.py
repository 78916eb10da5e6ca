"""recurrence_gradient: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

import math

import torch

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, mistake, right, wrong


def _run(x0: float, n: int) -> tuple[list[float], list[float], list[float]]:
    """The values t[0] to t[n]; the slopes of the steps with t[0] held fixed; the totals d t[k] / d t[0]."""
    t, slopes, totals = [x0], [], [1.0]
    for _ in range(n):
        slopes.append(math.cos(t[-1]) + x0)
        totals.append(slopes[-1] * totals[-1] + t[-1])
        t.append(math.sin(t[-1]) + t[-1] * x0)
    return t, slopes, totals


def _answer(x0: float, n: int) -> list[float]:
    _, slopes, totals = _run(x0, n)
    return [totals[n]] + [math.prod(slopes[k:]) for k in range(1, n + 1)]


def _single(x0: float, n: int) -> list[float]:
    t = [torch.tensor(x0, requires_grad=True)]
    for _ in range(n):
        t.append(torch.sin(t[-1]) + t[-1] * t[0])
    return [partial.item() for partial in torch.autograd.grad(t[n], t)]


def _of_the_sum(x0: float, n: int) -> list[float]:
    t = [torch.tensor(x0, dtype=torch.float64, requires_grad=True)]
    for _ in range(n):
        t.append(torch.sin(t[-1]) + t[-1] * t[0])
    return [partial.item() for partial in torch.autograd.grad(torch.stack(t).sum(), t)]


@mistake(
    "entry 0 along the chain only",
    "Entry 0 is the product along the chain. `t[0]` enters every step a second time, as a factor, and the total "
    "derivative counts those paths as well.",
    loses=("the total derivative",),
)
def products_only():
    import math

    def recurrence_gradient(x0, n):
        slopes, t = [], x0
        for _ in range(n):
            slopes.append(math.cos(t) + x0)
            t = math.sin(t) + t * x0
        return [math.prod(slopes[k:]) for k in range(n + 1)]


@wrong("entry 0 along the chain only", loses=("the total derivative",))
def the_start_as_a_number():
    import torch

    def recurrence_gradient(x0, n):
        t = [torch.tensor(x0, dtype=torch.float64, requires_grad=True)]
        for _ in range(n):
            t.append(torch.sin(t[-1]) + t[-1] * x0)
        return [g.item() for g in torch.autograd.grad(t[n], t)]


@mistake(
    "t[0] not held fixed",
    "When `t[k]` moved, `t[0]` moved with it. For k >= 1 keep the start where it is.",
    loses=("with `t[0]` held fixed",),
)
def each_entry_a_new_start():
    import math

    def recurrence_gradient(x0, n):
        t = [x0]
        for _ in range(n):
            t.append(math.sin(t[-1]) + t[-1] * x0)
        found = []
        for k in range(n + 1):
            total = 1.0
            for j in range(k, n):
                total = (math.cos(t[j]) + x0) * total + t[j]
            found.append(total)
        return found


@mistake(
    "product left out of the slope",
    "The slope of a step has two terms, since `t[k]` occurs in the sine and in the product.",
)
def the_sine_alone():
    import math

    def recurrence_gradient(x0, n):
        t = [x0]
        for _ in range(n):
            t.append(math.sin(t[-1]) + t[-1] * x0)
        return [math.prod(math.cos(value) for value in t[k:n]) for k in range(n + 1)]


@mistake(
    "slope at the next number",
    "You took the slope of each step at the number that the step gives. It belongs at the number that it starts from.",
)
def slopes_one_step_late():
    import math

    def recurrence_gradient(x0, n):
        t = [x0]
        for _ in range(n):
            t.append(math.sin(t[-1]) + t[-1] * x0)
        slopes, total = [math.cos(value) + x0 for value in t[1:]], 1.0
        for value, slope in zip(t, slopes):
            total = slope * total + value
        return [total] + [math.prod(slopes[k:]) for k in range(1, n + 1)]


@wrong("slope at the next number")
def backwards_from_the_end():
    import math

    def recurrence_gradient(x0, n):
        t = [x0]
        for k in range(n):
            t.append(math.sin(t[k]) + x0 * t[k])
        found, direct = [1.0], 0.0
        for k in reversed(range(n)):
            direct += found[0] * t[k]
            found.insert(0, found[0] * (math.cos(t[k + 1]) + x0))
        found[0] += direct
        return found


@mistake(
    "derivatives with respect to t[0]",
    "These are the derivatives of `t[k]` with respect to `t[0]`. Return the derivatives of the last element with respect to "
    "each `t[k]`.",
)
def the_other_way_round():
    import torch

    def recurrence_gradient(x0, n):
        t = [torch.tensor(x0, dtype=torch.float64, requires_grad=True)]
        for _ in range(n):
            t.append(torch.sin(t[-1]) + t[-1] * t[0])
        return [torch.autograd.grad(one, t[0], retain_graph=True)[0].item() for one in t]


@mistake(
    "slopes not multiplied", "Each entry is the slope of a single step. From `t[k]` to `t[n]` there are n - k of them."
)
def slopes_not_multiplied():
    import math

    def recurrence_gradient(x0, n):
        slopes, t = [], x0
        for _ in range(n):
            slopes.append(math.cos(t) + x0)
            t = math.sin(t) + t * x0
        return [*slopes, 1.0]


known(
    Mistake(
        "list reversed",
        "The entries are in reverse order: entry k belongs to `t[k]`, and the last is 1.",
        lambda x0, n: _answer(x0, n)[::-1],
    ),
    Mistake(
        "one entry missing",
        "There are n + 1 elements, from `t[0]` to `t[n]`, so there are n + 1 entries. The last is a result with "
        "respect to itself.",
        lambda x0, n: _answer(x0, n)[:-1],
    ),
    Mistake(
        "one step too many",
        "This is the answer for a recurrence that is one step longer.",
        lambda x0, n: _answer(x0, n + 1),
    ),
    Mistake(
        "sum of elements differentiated",
        "You differentiated the sum of all elements. Differentiate only the last one.",
        _of_the_sum,
    ),
)


@wrong("list reversed")
def reversed_list():
    import torch

    def recurrence_gradient(x0, n):
        t = [torch.tensor(x0, dtype=torch.float64, requires_grad=True)]
        for _ in range(n):
            t.append(torch.sin(t[-1]) + t[-1] * t[0])
        return list(reversed(torch.autograd.grad(t[n], t)))


@wrong("one entry missing")
def the_last_left_out():
    import torch

    def recurrence_gradient(x0, n):
        t = [torch.tensor(x0, dtype=torch.float64, requires_grad=True)]
        for _ in range(n):
            t.append(torch.sin(t[-1]) + t[-1] * t[0])
        return torch.autograd.grad(t[n], t)[:n]


@wrong("one step too many")
def counted_to_n():
    import torch

    def recurrence_gradient(x0, n):
        t = [torch.tensor(x0, dtype=torch.float64, requires_grad=True)]
        for _ in range(n + 1):
            t.append(torch.sin(t[-1]) + t[-1] * t[0])
        return torch.autograd.grad(t[-1], t)


@wrong("sum of elements differentiated")
def all_elements_added():
    import torch

    def recurrence_gradient(x0, n):
        t = [torch.tensor(x0, dtype=torch.float64, requires_grad=True)]
        for _ in range(n):
            t.append(torch.sin(t[-1]) + t[-1] * t[0])
        return torch.autograd.grad(sum(t), t)


known(  # not from the answer below: each run of it leaves a graph that nothing collects
    Mistake(
        "whole-tensor gradient",
        "You asked about the finished tensor: its last element moves with itself, and with nothing else in it. The "
        "steps used tensors that existed before it. See lesson 05, “torch.stack: elements first, tensor last”.",
        lambda x0, n: [0.0] * n + [1.0],
    )
)


@wrong("whole-tensor gradient")
def filled_in_place():
    import torch

    def recurrence_gradient(x0, n):
        t = torch.zeros(n + 1, dtype=torch.float64)
        t[0] = torch.tensor(x0, dtype=torch.float64, requires_grad=True)
        for k in range(n):
            t[k + 1] = torch.sin(t[k]) + t[k] * t[0]
        return torch.autograd.grad(t[n], t)[0].tolist()


@mistake(
    "values instead of derivatives", "These are the values `t[0]` to `t[n]`. Return how the last one moves with each."
)
def no_derivative():
    import math

    def recurrence_gradient(x0, n):
        t = [x0]
        for _ in range(n):
            t.append(math.sin(t[-1]) + t[-1] * t[0])
        return t


@mistake(
    "gradient of an unused tensor",
    "The last element was not computed from one of the tensors that you ask about. Those in the list and those in "
    "the formula must be the same objects.",
    raises=r"RuntimeError: (The|One of the) differentiated Tensors?\b.* appears? to not have been used",
)
def new_tensors_asked_about():
    import torch

    def recurrence_gradient(x0, n):
        t = [torch.tensor(x0, dtype=torch.float64, requires_grad=True)]
        for _ in range(n):
            t.append(torch.sin(t[-1]) + t[-1] * t[0])
        t[1:n] = [one.clone() for one in t[1:n]]  # "so that nothing is shared"
        return torch.autograd.grad(t[n], t)


known(
    Mistake(
        "float32 instead of float64",
        "The first digits are right, and the later digits are wrong, as in float32. In which dtype did you make "
        "`t[0]`?",
        _single,
    )
)


@wrong("float32 instead of float64")
def single_precision():
    import torch

    def recurrence_gradient(x0, n):
        t = [torch.tensor(x0, requires_grad=True)]
        for _ in range(n):
            t.append(torch.sin(t[-1]) + t[-1] * t[0])
        return torch.autograd.grad(t[n], t)


@wrong("not attempted")
def recurrence_gradient_not_attempted():
    def recurrence_gradient(x0, n):
        raise NotImplementedError  # your code here


@wrong("written in place")
def one_tensor_filled():
    import torch

    def recurrence_gradient(x0, n):
        start = torch.tensor(x0, dtype=torch.float64, requires_grad=True)
        t = torch.zeros(n + 1, dtype=torch.float64)
        t[0] = start
        for k in range(n):
            t[k + 1] = torch.sin(t[k]) + t[k] * t[0]
        (total,) = torch.autograd.grad(t[n], start)
        return [total, *torch.ones(n)]


@right
def in_plain_floats():
    import math

    def recurrence_gradient(x0, n):
        t, total, slopes = x0, 1.0, []
        for _ in range(n):
            slope = math.cos(t) + x0
            total = slope * total + t
            slopes.append(slope)
            t = math.sin(t) + t * x0
        gradient = [1.0]
        for slope in reversed(slopes):
            gradient.append(gradient[-1] * slope)
        gradient.reverse()
        return [total, *gradient[1:]]


@right
def by_retained_gradients():
    import torch

    def recurrence_gradient(x0, n):
        start = torch.tensor(x0, dtype=torch.double, requires_grad=True)
        t = [start]
        for k in range(n):
            t.append(t[k].sin() + t[k] * start)
            t[-1].retain_grad()
        t[-1].backward()
        return tuple(one.grad for one in t)


@right
def one_question_each():
    import torch

    def recurrence_gradient(x0, n):
        t = [torch.tensor([x0], dtype=torch.float64, requires_grad=True)]
        for _ in range(n):
            t.append(torch.sin(t[-1]) + t[-1] * t[0])
        return torch.cat([torch.autograd.grad(t[-1], one, retain_graph=True)[0] for one in t])


@right
def along_the_imaginary_axis():
    import cmath

    def recurrence_gradient(x0, n):
        h = 2.0**-100

        def end(t, start, steps):
            for _ in range(steps):
                t = cmath.sin(t) + t * start
            return t

        moved = complex(x0, h)
        result = [end(moved, moved, n).imag / h]
        t = x0
        for k in range(1, n + 1):
            t = end(t, x0, 1).real
            result.append(end(complex(t, h), x0, n - k).imag / h)
        return tuple(result)

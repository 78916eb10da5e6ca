"""same_tensor: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

import torch

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, mistake, right, wrong


def _grad(output: torch.Tensor, node: torch.Tensor) -> torch.Tensor:
    return torch.autograd.grad(output, node, retain_graph=True)[0]


def _first_cut_off(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    t0 = 2 * x
    t1 = t0**2
    return torch.stack([t0.detach(), t1]), _grad(t1, t0)


@mistake(
    "in-place write",
    "`t` was written to after the square had saved an element of it, and autograd keeps one version counter for "
    "the whole tensor. See lesson 05, “Elements written in place: version counters”.",
    raises="RuntimeError: one of the variables needed for gradient computation has been modified",
)
def filled_and_asked():
    import torch

    def same_tensor(x):
        t = torch.zeros(2, dtype=x.dtype)
        t[0] = 2 * x
        t[1] = t[0] ** 2
        (d,) = torch.autograd.grad(t[1], x, retain_graph=True)
        return t, d / 2


@wrong("in-place write", loses=("`t` leads back to `x`",))
def filled_and_by_hand():
    import torch

    def same_tensor(x):
        t = torch.zeros(2, dtype=x.dtype)
        t[0] = 2 * x
        t[1] = t[0] ** 2
        return t, 4 * x


@mistake(
    "gradient of an unused tensor",
    "`t1` was not computed from the tensor that you ask about. `t[0]` written again is a new tensor, and so is a "
    "second `2 * x`.",
    raises=r"RuntimeError: (The|One of the) differentiated Tensors?\b.* appears? to not have been used",
    afterwards=False,
)
def an_element_written_again():
    import torch

    def same_tensor(x):
        t0 = 2 * x
        t = torch.stack([t0, t0**2])
        (d,) = torch.autograd.grad(t[1], t[0], retain_graph=True)
        return t, d


@wrong("gradient of an unused tensor")
def doubled_a_second_time():
    import torch

    def same_tensor(x):
        t0, t1 = 2 * x, (2 * x) ** 2
        (d,) = torch.autograd.grad(t1, t0, retain_graph=True)
        return torch.stack([t0, t1]), d


known(
    Mistake(
        "one element detached",
        "One of the elements of `t` has no path back to `x`. Where was it detached, or copied as a number?",
        _first_cut_off,
        raises=r"RuntimeError: (The|One of the) differentiated Tensors?\b.* appears? to not have been used",
        afterwards=True,
    )
)


@wrong("one element detached", loses=("`t` leads back to `x`",))
def a_leaf_made_on_the_way():
    import torch

    def same_tensor(x):
        t0 = (2 * x).detach().requires_grad_()
        t1 = t0**2
        (d,) = torch.autograd.grad(t1, t0, retain_graph=True)
        return torch.stack([t0, t1]), d


@wrong("one element detached", predicts=True, loses=("`t` leads back to `x`",))
def the_first_element_a_leaf():
    import torch

    def same_tensor(x):
        t0 = (2 * x).detach().requires_grad_()
        t1 = t0**2
        (d,) = torch.autograd.grad(t1, t0)
        return torch.stack([2 * x, t1.detach()]), d


@mistake(
    "torch.cat on scalars",
    "`torch.cat` joins tensors along an existing axis, and a single number has none. Which operation makes a new axis?",
    raises="RuntimeError: zero-dimensional tensor .* cannot be concatenated",
)
def concatenated():
    import torch

    def same_tensor(x):
        t0 = 2 * x
        t1 = t0**2
        (d,) = torch.autograd.grad(t1, t0, retain_graph=True)
        return torch.cat([t0, t1]), d


@mistake(
    "whole-tensor gradient",
    "You asked about `t`, or about an element taken out of it. Both are made after the two elements, so no path "
    "leads from them to `t1`. Which tensor was `t1` computed from?",
)
def the_stack_asked():
    import torch

    def same_tensor(x):
        t = torch.stack([2 * x, (2 * x) ** 2])
        (gradient,) = torch.autograd.grad(t[1], t, retain_graph=True)
        return t, gradient[0]


@wrong("whole-tensor gradient", predicts=True)
def the_stack_asked_and_not_indexed():
    import torch

    def same_tensor(x):
        t0 = 2 * x
        t = torch.stack([t0, t0**2])
        return t, torch.autograd.grad(t[1], t, retain_graph=True)[0]


@mistake(
    "dt1/dx",
    "`d` says how `t1` moves with `x`. Return how it moves with `t0`, which is already the result of the doubling.",
)
def by_the_leaf():
    import torch

    def same_tensor(x):
        t0 = 2 * x
        t1 = t0**2
        (d,) = torch.autograd.grad(t1, x, retain_graph=True)
        return torch.stack([t0, t1]), d


@mistake(
    "sum of elements differentiated",
    "You differentiated the sum of `t`, so the derivative of `t0` with respect to itself, which is 1, was added.",
)
def the_sum_differentiated():
    import torch

    def same_tensor(x):
        t0 = 2 * x
        t = torch.stack([t0, t0**2])
        (d,) = torch.autograd.grad(t.sum(), t0, retain_graph=True)
        return t, d


@mistake("dt0/dx", "`d` is the slope of the doubling. The question is about the square: how `t1` moves with `t0`.")
def the_doubling_differentiated():
    import torch

    def same_tensor(x):
        t0 = 2 * x
        t = torch.stack([t0, t0**2])
        return t, torch.autograd.grad(t0, x, retain_graph=True)[0]


@mistake("both derivatives returned", "`d` holds two numbers. Return one: how `t1` moves with `t0`.")
def one_derivative_for_each_element():
    import torch

    def same_tensor(x):
        t0 = 2 * x
        t = torch.stack([t0, t0**2])
        d = [torch.autograd.grad(one, t0, retain_graph=True)[0] for one in (t0, t[1])]
        return t, torch.stack(d)


@mistake(
    "graph not retained",
    "The question about `d` freed the graph on which `t` depends, and the program goes on to use `t`. Which option "
    "keeps the graph?",
    raises="RuntimeError: Trying to backward through the graph a second time",
    loses=("`t` leads back to `x`",),
)
def the_graph_not_kept():
    import torch

    def same_tensor(x):
        t0 = 2 * x
        t1 = t0**2
        t = torch.stack([t0, t1])
        (d,) = torch.autograd.grad(t1, t0)
        return t, d


@mistake(
    "t detached from x",
    "`t` has no path back to `x`: its numbers were copied without their graph. What joins tensors together with "
    "their graph?",
    raises=r"RuntimeError: element \d+ of tensors does not require grad",
    loses=("`t` leads back to `x`",),
)
def numbers_copied():
    import torch

    def same_tensor(x):
        t0 = 2 * x
        t1 = t0**2
        (d,) = torch.autograd.grad(t1, t0)
        return torch.tensor([t0, t1], dtype=x.dtype), d


@mistake(
    "list instead of a tensor",
    "`t` is a sequence of two tensors. Return one tensor with two elements, joined from them.",
)
def not_joined():
    import torch

    def same_tensor(x):
        t0 = 2 * x
        t1 = t0**2
        (d,) = torch.autograd.grad(t1, t0, retain_graph=True)
        return [t0, t1], d


@wrong(".grad filled", loses=("`x.grad` as it was",))
def backward_for_d():
    import torch

    def same_tensor(x):
        t0 = 2 * x
        t0.retain_grad()
        t = torch.stack([t0, t0**2])
        t[1].backward(retain_graph=True)
        return t, t0.grad.clone()


@wrong(".grad cleared", loses=("`x.grad` as it was",))
def backward_and_cleared():
    import torch

    def same_tensor(x):
        t0 = 2 * x
        t0.retain_grad()
        t = torch.stack([t0, t0**2])
        t[1].backward(retain_graph=True)
        x.grad = None
        return t, t0.grad.clone()


@wrong("not attempted")
def same_tensor_not_attempted():
    def same_tensor(x):
        raise NotImplementedError  # your code here


@wrong("another dtype")
def a_buffer_of_float32():
    import torch

    def same_tensor(x):
        k = 2 * x
        t = torch.zeros(2)
        t[0] = k
        t[1] = k**2
        return t, torch.autograd.grad(t[1], k, retain_graph=True)[0]


@wrong("another shape")
def a_column():
    import torch

    def same_tensor(x):
        t0 = 2 * x[None]
        t = torch.stack([t0, t0**2])
        return t, torch.autograd.grad(t[1], t0, retain_graph=True)[0]


@right
def a_clone_before_the_write():
    import torch

    def same_tensor(x):
        t = torch.zeros(2, dtype=x.dtype)
        t[0] = 2 * x
        k = t[0].clone()
        t[1] = k**2
        (d,) = torch.autograd.grad(t[1], k, retain_graph=True)
        return t, d


@right
def asked_before_joining():
    import torch

    def same_tensor(x):
        first = x + x
        second = first * first
        d = torch.autograd.grad(second, first, create_graph=True)
        return torch.cat([first[None], second[None]]), d[0]


@right
def d_by_hand():
    import torch

    def same_tensor(x):
        double = 2 * x
        return [torch.hstack((double, double.square())), 4 * x.item()]


@right
def d_from_a_graph_of_its_own():
    import torch

    def same_tensor(x):
        leaf = (2 * x.detach()).requires_grad_()
        (leaf**2).backward()
        t0 = 2 * x
        return torch.stack((t0, t0**2)), leaf.grad.reshape(1)

"""retained: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

from collections.abc import Callable

import torch

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, mistake, right, wrong

Tensors = dict[str, torch.Tensor]


def _passes(count: int) -> Callable[..., Tensors]:
    def retained(x: float, w: float, b: float) -> Tensors:
        x, w, b = (torch.tensor(number, dtype=torch.float64, requires_grad=True) for number in (x, w, b))
        u = x * w
        v = u + b
        u.retain_grad()
        v.retain_grad()
        a = torch.relu(v)
        for _ in range(count):
            a.backward(retain_graph=True)
        return {"x": x, "w": w, "b": b, "u": u, "v": v}

    return retained


@mistake(
    "only u retained",
    "One of the two inner tensors holds its gradient. The other was never told to keep it.",
    loses=("u and v",),
)
def the_other_of_the_two():
    import torch

    def retained(x, w, b):
        x, w, b = (torch.tensor(t, requires_grad=True) for t in (x, w, b))
        u = x * w
        u.retain_grad()
        v = u + b
        torch.relu(v).backward()
        return {"x": x, "w": w, "b": b, "u": u, "v": v}


@mistake(
    "only v retained",
    "One of the two inner tensors holds its gradient. The other was never told to keep it.",
    loses=("u and v",),
)
def one_of_the_two():
    import torch

    def retained(x, w, b):
        x, w, b = (torch.tensor(t, requires_grad=True) for t in (x, w, b))
        u = x * w
        v = u + b
        v.retain_grad()
        torch.relu(v).backward()
        return {"x": x, "w": w, "b": b, "u": u, "v": v}


@mistake(
    "retained on a copy",
    "The tensor in the dict was told to keep its gradient, but it is a copy, and the path to the output does not "
    "lead through it. With which tensor did the graph go on?",
    loses=("u and v",),
)
def copies_in_the_dict():
    import torch

    def retained(x, w, b):
        x, w, b = (torch.tensor(t, requires_grad=True) for t in (x, w, b))
        u = x * w
        v = u + b
        result = {"x": x, "w": w, "b": b, "u": u.clone(), "v": v.clone()}
        result["u"].retain_grad()
        result["v"].retain_grad()
        torch.relu(v).backward()
        return result


known(
    Mistake(
        "more than one pass",
        "More than one pass has left its deposit here. `.grad` adds up; one backward pass serves all five.",
        _passes(3),
        _passes(5),
    )
)


@wrong("more than one pass", predicts=True)
def a_second_pass_for_the_inner_ones():
    import torch

    def retained(x, w, b):
        x, w, b = (torch.tensor(t, requires_grad=True) for t in (x, w, b))
        u = x * w
        v = u + b
        u.retain_grad()
        v.retain_grad()
        a = torch.relu(v)
        a.backward(retain_graph=True)
        a.backward()
        return {"x": x, "w": w, "b": b, "u": u, "v": v}


@wrong("more than one pass", predicts=True)
def a_pass_for_each_tensor():
    import torch

    def retained(x, w, b):
        x, w, b = (torch.tensor(t, requires_grad=True) for t in (x, w, b))
        u = x * w
        v = u + b
        a = torch.relu(v)
        tensors = {"x": x, "w": w, "b": b, "u": u, "v": v}
        for tensor in tensors.values():
            tensor.retain_grad()
            a.backward(retain_graph=True)
        return tensors


@mistake(
    "no backward pass",
    "Nothing has arrived in any `.grad`. Has a backward pass run at all, and are `x`, `w` and `b` leaves? "
    "Elements taken out of a larger tensor are not.",
)
def no_pass_at_all():
    import torch

    def retained(x, w, b):
        x, w, b = (torch.tensor(t, requires_grad=True) for t in (x, w, b))
        u = x * w
        v = u + b
        for t in (x, w, b, u, v):
            t.retain_grad()
        a = torch.relu(v)
        return {"x": x, "w": w, "b": b, "u": u, "v": v}


@wrong("no backward pass", predicts=True)
def leaves_taken_out_of_one():
    import torch

    def retained(x, w, b):
        x, w, b = torch.tensor([x, w, b], requires_grad=True)
        u = x * w
        v = u + b
        torch.relu(v).backward()
        return {"x": x, "w": w, "b": b, "u": u, "v": v}


@mistake(
    "graph cut",
    "A `detach()`, or a tensor made from numbers, cuts the graph, so no gradient arrives at `x`, `w` and `b`. Call "
    "`retain_grad()` instead. See lesson 03, “Retaining the gradient of an inner tensor”.",
)
def leaves_in_between():
    import torch

    def retained(x, w, b):
        x, w, b = (torch.tensor(t, requires_grad=True) for t in (x, w, b))
        u = (x * w).detach().requires_grad_()
        v = (u + b).detach().requires_grad_()
        torch.relu(v).backward()
        return {"x": x, "w": w, "b": b, "u": u, "v": v}


@wrong("graph cut")
def made_anew_from_numbers():
    import torch

    def retained(x, w, b):
        x, w, b = (torch.tensor(t, requires_grad=True) for t in (x, w, b))
        u = torch.tensor(x.item() * w.item(), requires_grad=True)
        v = torch.tensor(u.item() + b.item(), requires_grad=True)
        torch.relu(v).backward()
        return {"x": x, "w": w, "b": b, "u": u, "v": v}


@mistake(
    "inner tensors instead of leaves",
    "`x`, `w` and `b` hold no gradient, because something was computed on the way from the leaf: a conversion "
    "or a product makes an inner tensor. See lesson 03, “Leaves, inner tensors and parameters”.",
    loses=("the leaves",),
)
def converted_after_the_fact():
    import torch

    def retained(x, w, b):
        x, w, b = (torch.tensor(t, requires_grad=True).double() for t in (x, w, b))
        u = x * w
        v = u + b
        u.retain_grad()
        v.retain_grad()
        torch.relu(v).backward()
        return {"x": x, "w": w, "b": b, "u": u, "v": v}


@mistake(
    "x without requires_grad",
    "`x.grad` is None, because `x` is plain data here. It is one of the five tensors that should hold a gradient.",
    loses=("the leaves",),
)
def x_is_only_the_input():
    import torch

    def retained(x, w, b):
        x = torch.tensor(x)
        w, b = torch.tensor(w, requires_grad=True), torch.tensor(b, requires_grad=True)
        u = x * w
        v = u + b
        u.retain_grad()
        v.retain_grad()
        torch.relu(v).backward()
        return {"x": x, "w": w, "b": b, "u": u, "v": v}


@mistake(
    "gradients instead of tensors",
    "The dict holds the gradients. It should hold the tensors, each with its gradient in its own `.grad`.",
)
def a_dict_of_gradients():
    import torch

    def retained(x, w, b):
        x, w, b = (torch.tensor(t, requires_grad=True) for t in (x, w, b))
        u = x * w
        v = u + b
        nodes = {"x": x, "w": w, "b": b, "u": u, "v": v}
        for t in nodes.values():
            t.retain_grad()
        torch.relu(v).backward()
        return {name: t.grad for name, t in nodes.items()}


@mistake(
    "retained without requires_grad",
    "You called `retain_grad()` on a tensor that requires no gradient, and nothing upstream of it does. How did "
    "you make the leaves?",
    raises="RuntimeError: can't retain_grad on Tensor that has requires_grad=False",
)
def plain_tensors():
    import torch

    def retained(x, w, b):
        x, w, b = torch.tensor(x), torch.tensor(w), torch.tensor(b)
        u = x * w
        v = u + b
        u.retain_grad()
        v.retain_grad()
        torch.relu(v).backward()
        return {"x": x, "w": w, "b": b, "u": u, "v": v}


@wrong("not attempted")
def retained_not_attempted():
    def retained(x, w, b):
        raise NotImplementedError  # your code here


@wrong("retained too late", loses=("u and v",))
def after_the_pass():
    import torch

    def retained(x, w, b):
        x, w, b = (torch.tensor(t, requires_grad=True) for t in (x, w, b))
        u = x * w
        v = u + b
        a = torch.relu(v)
        a.backward()
        u.retain_grad()
        v.retain_grad()
        return {"x": x, "w": w, "b": b, "u": u, "v": v}


@wrong("never retained", loses=("u and v",))
def leaves_only():
    import torch

    def retained(x, w, b):
        x, w, b = (torch.tensor(t, requires_grad=True) for t in (x, w, b))
        u = x * w
        v = u + b
        torch.relu(v).backward()
        return {"x": x, "w": w, "b": b, "u": u, "v": v}


@wrong("never retained", loses=("u and v",))
def retain_graph_taken_for_retain_grad():
    import torch

    def retained(x, w, b):
        x, w, b = (torch.tensor(t, requires_grad=True) for t in (x, w, b))
        u = x * w
        v = u + b
        torch.relu(v).backward(retain_graph=True)
        return {"x": x, "w": w, "b": b, "u": u, "v": v}


@wrong("relu's gate forgotten")
def backward_from_v():
    import torch

    def retained(x, w, b):
        x, w, b = (torch.tensor(t, requires_grad=True) for t in (x, w, b))
        u = x * w
        v = u + b
        u.retain_grad()
        v.retain_grad()
        v.backward()
        return {"x": x, "w": w, "b": b, "u": u, "v": v}


@wrong("graph already freed")
def two_passes_through_one_graph():
    import torch

    def retained(x, w, b):
        x, w, b = (torch.tensor(t, requires_grad=True) for t in (x, w, b))
        u = x * w
        v = u + b
        a = torch.relu(v)
        u.retain_grad()
        a.backward()
        v.retain_grad()
        a.backward()
        return {"x": x, "w": w, "b": b, "u": u, "v": v}


@right
def with_backward_inputs():
    import torch

    def retained(x, w, b):
        leaves = [torch.tensor(number, dtype=torch.float64, requires_grad=True) for number in (x, w, b)]
        u = leaves[0] * leaves[1]
        v = u + leaves[2]
        a = v.relu()
        a.backward(inputs=[*leaves, u, v])
        return dict(zip("xwbuv", [*leaves, u, v]))


@right
def gradients_put_there_by_grad():
    import torch

    def retained(x, w, b):
        tensors = {n: torch.tensor([v]).requires_grad_() for n, v in (("x", x), ("w", w), ("b", b))}
        tensors["u"] = tensors["x"] * tensors["w"]
        tensors["v"] = tensors["u"] + tensors["b"]
        a = torch.clamp(tensors["v"], min=0)
        for tensor, gradient in zip(tensors.values(), torch.autograd.grad(a, list(tensors.values()))):
            tensor.grad = gradient
        return tensors


@right
def inner_tensors_by_hooks_and_parameters():
    import torch
    from torch import nn

    def retained(x, w, b):
        found = {
            "x": nn.Parameter(torch.tensor(x)),
            "w": nn.Parameter(torch.tensor(w)),
            "b": nn.Parameter(torch.tensor(b)),
        }
        found["u"] = found["w"] * found["x"]
        found["v"] = found["b"] + found["u"]
        found["a"] = nn.functional.relu(found["v"])
        for name in ("u", "v", "a"):
            found[name].retain_grad()
        found["a"].backward()
        return found

"""Stepping through torch's backward pass: hooks, custom Functions right and wrong, and what is left behind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn
from torch.autograd import Function

from autograder.stepping import Stepper, step_through


class Scaled(Function):
    """A right Function of x and a number."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, by: float) -> torch.Tensor:
        ctx.save_for_backward(x)
        ctx.by = by
        return by * x * x

    @staticmethod
    def backward(ctx: Any, upstream: torch.Tensor) -> tuple:
        (x,) = ctx.saved_tensors
        return 2 * ctx.by * x * upstream, None


class HalfScaled(Scaled):
    """A wrong one."""

    @staticmethod
    def backward(ctx: Any, upstream: torch.Tensor) -> tuple:
        (x,) = ctx.saved_tensors
        return ctx.by * x * upstream, None


class Product(Function):
    """Two inputs and a context that is set up apart, with the factors swapped."""

    @staticmethod
    def forward(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
        return x * w

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple, output: torch.Tensor) -> None:
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx: Any, upstream: torch.Tensor) -> tuple:
        x, w = ctx.saved_tensors
        return upstream * x, upstream * w


class Forgetful(Function):
    """One that keeps nothing of what it was given."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, by: float) -> torch.Tensor:
        return x * by

    @staticmethod
    def backward(ctx: Any, upstream: torch.Tensor) -> tuple:
        return upstream * 3.0, None


def of(x: torch.Tensor, apply: Callable, *more: Any) -> Stepper:
    """Step through y = f(2x) * x."""
    u = 2 * x
    v = apply(u, *more)
    shown = step_through(v * x, names={"x": x, "u": u, "v": v})
    assert shown is not None
    return shown


def leaf(number: float = 3.0) -> torch.Tensor:
    return torch.tensor(number, requires_grad=True)


def test_a_graph_without_hooks_agrees() -> None:
    x = leaf()
    shown = of(x, torch.tanh)
    assert shown.sweep.first is None
    assert [shown.sweep.places[step.node].label for step in shown.sweep.steps] == ["MulBackward0", "v", "u", "x"]
    y = torch.tanh(2 * x) * x
    y.backward()
    assert shown.sweep.steps[-1].yours == f"{x.grad:.4g}"


def test_a_right_function_agrees_and_a_wrong_one_stops_at_what_it_passes_on() -> None:
    assert of(leaf(), Scaled.apply, 2.0).sweep.first is None
    assert of(leaf(), Scaled.apply, 2.0).sweep.notes == []
    shown = of(leaf(), HalfScaled.apply, 2.0)
    assert "`u` received 36, the right sweep gives it 72: the backward of your Function `HalfScaled`" in (
        shown.sweep.summary()
    )
    assert "straight-through" in shown.text()


def test_a_function_with_its_context_set_up_apart_is_judged() -> None:
    x, w = leaf(3.0), leaf(2.0)
    shown = step_through(Product.apply(x, w) + 0.0, names={"x": x, "w": w})
    assert [step.yours for step in shown.sweep.steps if step.differs] == ["3", "2"]
    assert [step.right for step in shown.sweep.steps if step.differs] == ["2", "3"]


def test_a_function_that_cannot_be_called_again_is_not_judged() -> None:
    u = 2 * leaf()
    v = Forgetful.apply(u * 1.0, 3.0)
    shown = step_through(v)
    assert shown.sweep.first is None
    assert "`v` cannot be judged here, because" in shown.sweep.notes[0]
    assert "its backward is taken as it is" in shown.sweep.notes[0]


def test_at_a_kink_nothing_is_judged() -> None:
    class Gate(Function):
        @staticmethod
        def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
            ctx.save_for_backward(x)
            return x.clamp(min=0)

        @staticmethod
        def backward(ctx: Any, upstream: torch.Tensor) -> torch.Tensor:
            return upstream * (ctx.saved_tensors[0] > 0)

    shown = step_through(Gate.apply(leaf(0.0)))
    assert shown.sweep.first is None
    assert "has a kink or a step here" in shown.sweep.notes[0]
    assert step_through(Gate.apply(leaf(2.0))).sweep.notes == []


def test_a_hook_that_changes_the_gradient_is_named() -> None:
    x = leaf()
    u = 2 * x
    u.register_hook(lambda gradient: 10 * gradient)
    y = u * x
    shown = step_through(y, names={"x": x, "u": u, "y": y})
    assert shown.sweep.summary() == (
        "Step 2 of 3: `u` received 30, the right sweep gives it 3: a hook on `u` changed 3 to 30."
    )
    assert "what `y` and `u` passed on differed already" in shown.sweep.sentence(2)


def test_a_hook_that_only_looks_changes_nothing() -> None:
    x, seen = leaf(), []
    u = 2 * x
    u.register_hook(seen.append)
    assert step_through(u * x).sweep.first is None
    assert len(seen) == 1


def test_a_hook_on_a_node_is_named() -> None:
    x = leaf()
    u = 2 * x
    u.grad_fn.register_hook(lambda passed, _: (7 * passed[0], *passed[1:]))
    shown = step_through(u * 1.0, names={"u": u, "x": x})
    assert "`x` received 14, the right sweep gives it 2: a hook on the node of `u` changed what it passes on" in (
        shown.sweep.summary()
    )


def test_larger_tensors_say_where_they_differ() -> None:
    weights = torch.zeros(3, 4, requires_grad=True)
    weights.register_hook(lambda gradient: gradient.index_put((torch.tensor(1), torch.tensor(2)), torch.tensor(5.0)))
    shown = step_through(weights.sum(), names={"weights": weights})
    assert "`weights` received 5 at [1, 2], the right sweep gives it 1 at [1, 2]" in shown.sweep.summary()


def test_stepping_changes_nothing() -> None:
    x, moved = leaf(), []
    x.register_post_accumulate_grad_hook(moved.append)
    u = 2 * x
    u.retain_grad()
    y = u * x
    y.backward(retain_graph=True)
    before = x.grad, u.grad, x.grad.clone(), u.grad.clone(), len(moved)
    step_through(y)
    assert x.grad is before[0]
    assert u.grad is before[1]
    assert (x.grad, u.grad, len(moved)) == before[2:]
    y.backward()  # the graph is still there, and no hook of ours
    assert x.grad == 2 * before[2]
    assert len(moved) == 2


def test_a_graph_that_was_used_up_is_said() -> None:
    x = leaf()
    y = x.exp() * x
    y.backward()
    assert "An earlier backward() has used this graph up" in step_through(y).text()


def test_a_hook_that_raises_is_said_and_leaves_nothing_behind() -> None:
    x = leaf()
    u = 2 * x
    handle = u.register_hook(lambda gradient: 1 / 0)
    y = u * x
    assert "The backward pass ended with ZeroDivisionError" in step_through(y).text()
    handle.remove()
    assert x.grad is None
    assert step_through(y).sweep.first is None


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: torch.tensor(1.0), "computed from others that require a gradient"),
        (lambda: torch.ones(3, requires_grad=True) * 2, "a backward pass starts at one number"),
    ],
)
def test_what_has_no_pass_is_refused_in_a_sentence(make: Callable, said: str) -> None:
    with pytest.raises(TypeError, match=said):
        step_through(make())


def test_several_numbers_start_with_the_gradient_that_is_given() -> None:
    x = torch.ones(3, requires_grad=True)
    shown = step_through(x * 2, gradient=torch.tensor([1.0, 2.0, 3.0]), names={"x": x})
    assert shown.sweep.steps[-1].yours == "[2, 4, 6]"


@pytest.mark.parametrize(
    "compute",
    [
        lambda: nn.Linear(4, 3)(torch.rand(2, 4)).sum(),
        lambda: nn.Linear(4, 3)(torch.rand(1, 4)).sum(),
        lambda: (torch.rand(2, 3, requires_grad=True) + torch.rand(3, requires_grad=True)).sum(),
        lambda: (torch.rand(2, 3, requires_grad=True) * torch.rand(2, 1, requires_grad=True).double()).sum(),
        lambda: nn.Conv2d(1, 2, 3)(torch.rand(2, 1, 5, 5)).square().mean(),
        lambda: nn.Sequential(nn.Linear(3, 4), nn.LayerNorm(4), nn.ReLU(), nn.Linear(4, 2))(torch.rand(5, 3)).sum(),
        lambda: (torch.rand(3, requires_grad=True)[None] @ torch.rand(2, 3, 4, requires_grad=True)).sum(),
        lambda: nn.functional.cross_entropy(nn.Linear(3, 4)(torch.rand(5, 3)), torch.arange(5) % 4),
    ],
)
def test_what_torch_broadcasts_or_casts_is_no_hooks_doing(compute: Callable[[], torch.Tensor]) -> None:
    output = compute()
    assert step_through(output, gradient=torch.ones_like(output)).sweep.first is None

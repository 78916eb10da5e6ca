"""Higher derivatives by autograd."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn

Function = Callable[[torch.Tensor], torch.Tensor]


def leaf_of(x: torch.Tensor) -> torch.Tensor:
    """A leaf with the numbers of x."""
    return x.detach().clone().requires_grad_()


def next_derivative(y: torch.Tensor, leaf: torch.Tensor, upstream: torch.Tensor | None = None) -> torch.Tensor:
    """The gradient of y with its graph; zeros where y does not depend on the leaf."""
    if not y.requires_grad:
        return torch.zeros_like(leaf)
    return torch.autograd.grad(y, leaf, upstream, create_graph=True, materialize_grads=True)[0]


def three_derivatives(f: Function, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """f', f'' and f''' at x."""
    leaf = leaf_of(x)
    first = next_derivative(f(leaf), leaf)
    second = next_derivative(first, leaf)
    return first.detach(), second.detach(), next_derivative(second, leaf).detach()


def gradient_of(f: Function, x: torch.Tensor) -> torch.Tensor:
    """The gradient of a function with one number as its result."""
    leaf = leaf_of(x)
    return next_derivative(f(leaf), leaf).detach()


def hessian_vector_product(f: Function, x: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """H v, in the shape of x."""
    leaf = leaf_of(x)
    return next_derivative(next_derivative(f(leaf), leaf), leaf, v).detach()


def hessian_of(f: Function, x: torch.Tensor) -> torch.Tensor:
    """The Hessian at x of one axis: (n, n)."""
    leaf = leaf_of(x)
    return torch.stack([next_derivative(one, leaf).detach() for one in next_derivative(f(leaf), leaf)])


def input_gradients(critic: nn.Module, inputs: torch.Tensor) -> torch.Tensor:
    """Each sample's gradient as a row, with its graph."""
    leaf = leaf_of(inputs)
    return next_derivative(critic(leaf).sum(), leaf).flatten(1)


def gradient_penalty(critic: nn.Module, inputs: torch.Tensor) -> torch.Tensor:
    """The mean over samples of (norm of the input gradient - 1)**2, with its graph."""
    return (torch.linalg.vector_norm(input_gradients(critic, inputs), dim=1) - 1).square().mean()


def newton_step(f: Function, x: torch.Tensor) -> torch.Tensor:
    """Where plain Newton goes from x."""
    return x - torch.linalg.solve(hessian_of(f, x), gradient_of(f, x))


def gradient_through_a_step(w: torch.Tensor, lr: float, train: Function, val: Function) -> torch.Tensor:
    """The gradient of val after a step of gradient descent on train, with respect to the start."""
    leaf = leaf_of(w)
    return next_derivative(val(leaf - lr * next_derivative(train(leaf), leaf)), leaf).detach()

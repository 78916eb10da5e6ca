"""A published solution whose calls are watched or spoilt. This text is part of each region mutant."""

import functools
import itertools
from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch.utils._python_dispatch import _disable_current_modes

from autograder.proving.regions.corruptions import numbers_in

Inside = Callable[..., Any]
"""From the number of a call and its arguments to a token; a false one leaves the call alone."""
OnResult = Callable[[Any, Any], Any]
"""From a token and a result to the result that is returned."""
OnGradient = Callable[[Any, int | None, torch.Tensor, tuple[torch.Tensor, ...]], torch.Tensor]
"""From a token, the index of an argument, its gradient and those that arrived to the gradient that is passed on.

For a function that is no `torch.autograd.Function` the index is None: then it is the gradient of the result, or, for
one that returns no number, of the tensors that it was handed and that have a hook.
"""


def surrounded(
    right: Any, inside: Inside, on_result: OnResult | None = None, on_gradient: OnGradient | None = None
) -> Any:
    """Surround a function, or a `torch.autograd.Function`, so that what some calls give passes through a hook."""
    count = itertools.count(1)

    def token_of(arguments: Any, named: Any) -> Any:
        with torch.no_grad(), _disable_current_modes():  # programs count operations, and not these
            try:
                return inside(next(count), *arguments, **named)
            except Exception:
                return None

    def returned(token: Any, result: Any) -> Any:
        if not (token and on_result):
            return result
        with _disable_current_modes():
            return on_result(token, result)

    def passed_on(
        token: Any, index: int | None, gradient: torch.Tensor | None, *upstream: torch.Tensor | None
    ) -> torch.Tensor | None:
        if gradient is None or not (token and on_gradient):
            return gradient
        arrived = tuple(one for one in upstream or (gradient,) if one is not None)
        with _disable_current_modes():
            return on_gradient(token, index, gradient, arrived)

    def of_function(*arguments: Any, **named: Any) -> Any:
        token = token_of(arguments, named)
        result = returned(token, right(*arguments, **named))
        if token and on_gradient:
            for one in _each_once(numbers_in(result)):
                one.register_hook(functools.partial(passed_on, token, None))
            for one in _each_once(() if numbers_in(result) else numbers_in([arguments, named])):
                if one._backward_hooks or one._post_accumulate_grad_hooks:  # else no gradient arrives at a hook
                    watch(token, one)
        return result

    def watch(token: Any, one: torch.Tensor) -> None:
        arrived: list[torch.Tensor] = []
        hooks = one._backward_hooks or {}
        others = {**hooks}
        hooks.clear()  # torch ignores `move_to_end`
        one.register_hook(arrived.append)  # before those that may replace it
        one._backward_hooks.update(others)
        one.register_hook(lambda gradient: passed_on(token, None, gradient, arrived.pop()))

    def apply(cls: Any, *arguments: Any) -> Any:
        token = token_of(arguments, {})
        result = super(made, cls).apply(*arguments)
        for one in numbers_in(result):
            if isinstance(one, torch.Tensor) and type(one.grad_fn).__name__ == f"{right.__name__}Backward":
                one.grad_fn.token = token  # the node is the `ctx` of backward
        return returned(token, result)

    def backward(ctx: Any, *upstream: Any) -> Any:
        gradients, token = right.backward(ctx, *upstream), getattr(ctx, "token", None)
        if not isinstance(gradients, tuple):
            return passed_on(token, 0, gradients, *upstream)
        return tuple(passed_on(token, index, one, *upstream) for index, one in enumerate(gradients))

    if not isinstance(right, type):
        return functools.wraps(right)(of_function)
    made: Any = type(right)(right.__name__, (right,), {"apply": classmethod(apply), "backward": staticmethod(backward)})
    return made


def _each_once(numbers: Iterable[Any]) -> list[torch.Tensor]:
    """List the tensors that require a gradient, each once: a sign that is turned twice is no mutant."""
    found = {id(one): one for one in numbers if isinstance(one, torch.Tensor) and one.requires_grad}
    return [*found.values()]

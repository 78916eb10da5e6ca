"""Mistakes of step_in_backward."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

import torch

from autograder.diagnosis.hooks.returned import RETURNED_OTHER
from autograder.diagnosis.hypothesis import Mistake
from autograder.references.replay import under

Parameters = Iterable[torch.Tensor]
Step = Callable[[torch.Tensor, float], None]


def _stepping(step: Step) -> Callable[[Parameters, float], list]:
    """A post-accumulate-grad hook on each parameter that calls `step`."""
    return lambda parameters, lr: [
        parameter.register_post_accumulate_grad_hook(lambda p: step(p, lr)) for parameter in parameters
    ]


def _right(p: torch.Tensor, lr: float) -> None:
    p.data -= lr * p.grad
    p.grad = None


def _uphill(p: torch.Tensor, lr: float) -> None:
    p.data += lr * p.grad
    p.grad = None


def _gradient_kept(p: torch.Tensor, lr: float) -> None:
    p.data -= lr * p.grad


def _zeroed(p: torch.Tensor, lr: float) -> None:
    p.data -= lr * p.grad
    p.grad.zero_()


def _another_tensor(p: torch.Tensor, lr: float) -> None:
    p.grad = None


def _another_tensor_forgets(p: torch.Tensor, lr: float) -> None:
    p = p - lr * p.grad
    p.grad = None


def _rate_forgotten(p: torch.Tensor, lr: float) -> None:
    p.data -= p.grad
    p.grad = None


def _tensor_hook(parameters: Parameters, lr: float) -> list:
    def hook(p: torch.Tensor, gradient: torch.Tensor) -> None:
        p.data -= lr * gradient

    return [p.register_hook(functools.partial(hook, p)) for p in parameters]


def _tensor_hook_forgetting(parameters: Parameters, lr: float) -> list:
    def hook(p: torch.Tensor, gradient: torch.Tensor) -> None:
        p.data -= lr * gradient
        p.grad = None  # which the pass fills directly afterwards

    return [p.register_hook(functools.partial(hook, p)) for p in parameters]


def _last_handle(parameters: Parameters, lr: float) -> list:
    return _stepping(_right)(parameters, lr)[-1:]


def _waiting_for_all(parameters: Parameters, lr: float) -> list:
    parameters = list(parameters)

    def hook(_: torch.Tensor) -> None:
        if all(p.grad is not None for p in parameters):
            for p in parameters:
                p.data -= lr * p.grad
                p.grad = None

    return [p.register_post_accumulate_grad_hook(hook) for p in parameters]


def _everybody_steps(parameters: Parameters, lr: float) -> list:
    parameters = list(parameters)

    def hook(_: torch.Tensor) -> None:
        for p in parameters:
            if p.grad is not None:
                p.data -= lr * p.grad

    return [p.register_post_accumulate_grad_hook(hook) for p in parameters]


def _used_up(parameters: Parameters, lr: float) -> list:
    list(parameters)  # of an iterator nothing is left now
    return _stepping(_right)(parameters, lr)


def _mistake(name: str, sentence: str, implementation: Any, raises: str = "") -> Mistake:
    return Mistake(name, sentence, under("step_in_backward", implementation), raises)


NOT_MOVED = (
    "The parameters have not moved. `p = p - ...` makes a new tensor; the parameter itself must change, in place."
)
TENSOR_HOOK = (
    "The step was right and `.grad` was filled all the same: hooks that get the gradient run before it is "
    "accumulated. Which hook runs after that?"
)
LOST = "The caller cannot remove the hooks: a handle for each parameter is to come back."

STEP_IN_BACKWARD = (
    _mistake(
        "uphill",
        "The parameters moved along their gradients, so the loss grows. In which direction does gradient descent go?",
        _stepping(_uphill),
    ),
    _mistake(
        "gradients kept",
        "After the step `.grad` is still there, and the next pass adds to it. When may it be forgotten?",
        _stepping(_gradient_kept),
    ),
    _mistake(
        "zeroed instead of forgotten",
        "`.grad` holds zeros, which take as much memory as any gradient. It is to be None.",
        _stepping(_zeroed),
    ),
    _mistake("another tensor", NOT_MOVED, _stepping(_another_tensor)),
    _mistake("another tensor", NOT_MOVED, _stepping(_another_tensor_forgets)),
    _mistake(
        "learning rate forgotten",
        "Each parameter moved by its whole gradient. A step is `lr` times that long.",
        _stepping(_rate_forgotten),
    ),
    _mistake("a tensor hook instead", TENSOR_HOOK, _tensor_hook),
    _mistake("a tensor hook instead", TENSOR_HOOK, _tensor_hook_forgetting),
    _mistake(
        "waiting for all gradients",
        "The parameters step together when the last gradient has come. Each is to step when its own arrives.",
        _waiting_for_all,
    ),
    _mistake(
        "every hook steps all",
        "Parameters stepped when the gradient of another arrived, when they may still be needed as they were. Each "
        "hook is for its own parameter.",
        _everybody_steps,
        raises="one of the variables needed for gradient computation has been modified",
    ),
    Mistake(
        "the step recorded",
        "This pass is itself recorded, for `create_graph=True`, and so would the step be. Under which context does "
        "autograd record nothing?",
        raises="a leaf Variable that requires grad is being used in an in-place operation",
    ),
    _mistake(
        "an iterator used up",
        "`model.parameters()` can be run through once, and a second loop over it finds nothing. Make a list first.",
        _used_up,
    ),
    Mistake(
        "late binding",
        "A hook changed another parameter than its own. A function in a loop looks the loop's variable up when it "
        "runs, and then it names the last.",
        raises="RuntimeError: output with shape .* doesn't match|The size of tensor a .* must match",
    ),
    Mistake(
        "None found by a hook",
        "A hook found None in `.grad`. Was it forgotten before the step, or does the hook look at another parameter "
        "than the one that it is given?",
        raises="unsupported operand type\\(s\\) for [*-]=?: .*'NoneType'|argument 'other' .* not NoneType",
    ),
    RETURNED_OTHER,
    _mistake("handles lost", LOST, _last_handle),
    Mistake(
        "handles lost",
        LOST,
        raises="TypeError: 'NoneType' object is not (subscriptable|iterable)"
        "|'(NoneType|Tensor|Parameter|function)' object has no attribute 'remove'",
    ),
)

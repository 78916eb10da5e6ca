"""Mistakes of tasks on `torch.autograd.Function`; most end in torch's own exceptions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from autograder.comparison import agree
from autograder.diagnosis.hypothesis import CONFIRMED, Mistake

SAVE = "{read what to save}"
RETURN = "{read one gradient each}"


def function(forward: Callable[..., Any], backward: Callable[..., Any], *, on_class: bool = False) -> type:
    """Make a wrong Function that saves its inputs; a second output is marked as not differentiable.

    Args:
        forward: from the inputs to the output or outputs.
        backward: from the upstream gradients, then the inputs, to the gradients.
        on_class: keep the inputs that are not tensors (without any, the tensors) on the class, where each call of
            `apply` overwrites those of the call before.
    """
    shared: list[Any] = []

    class Wrong(torch.autograd.Function):  # type: ignore[misc]  # mypy does not read torch's types
        """A Function with one mistake."""

        @staticmethod
        def forward(ctx: Any, *inputs: Any) -> Any:
            ctx.save_for_backward(*(one for one in inputs if isinstance(one, torch.Tensor)))
            ctx.others = [one for one in inputs if not isinstance(one, torch.Tensor)]
            shared[:] = ctx.others or inputs
            made = forward(*inputs)
            if isinstance(made, tuple):
                ctx.mark_non_differentiable(made[1])
            return made

        @staticmethod
        def backward(ctx: Any, *upstream: torch.Tensor) -> Any:
            inputs = (*ctx.saved_tensors, *ctx.others)
            if on_class:
                inputs = (*ctx.saved_tensors, *shared) if ctx.others else tuple(shared)
            return backward(*upstream, *inputs)

    return Wrong


class NothingArrived(Mistake):
    """A mistake that leaves some `.grad` None and everything else right."""

    def predict(self, inputs: tuple[Any, ...], expected: Any, got: Any) -> Any:
        """Return CONFIRMED if every wrong observation is a `.grad` that is None."""
        wrong = [key for key, right in expected.items() if not agree(got.get(key), right)]
        none = wrong and all(key.endswith(".grad") and got.get(key) is None for key in wrong)
        return CONFIRMED if none else None


KEPT_ON_CLASS = (
    "kept on the class",
    f"Two calls of `apply` share what one of them kept. Each has its own `ctx`. {SAVE}",
)
UPSTREAM_IGNORED = (
    "upstream gradient ignored",
    "Your `backward` returns the local derivative alone. The upstream gradient is a factor too. "
    "{read upstream in backward}",
)
NOT_A_FUNCTION = Mistake(
    "no node of its own",
    "`apply` must come from `torch.autograd.Function`, with your own `forward` and `backward`, and a node is named "
    "after the name in the `class` line. {read a node of its own}",
)
RAISED = (
    NOT_A_FUNCTION,
    Mistake(
        "a number in save_for_backward",
        f"`save_for_backward` takes tensors. Where do numbers go? {SAVE}",
        raises="TypeError: save_for_backward can only save variables",
    ),
    Mistake(
        "not one gradient for each argument",
        f"`backward` must return one gradient for each argument of `apply`, in their order. {RETURN}",
        raises="RuntimeError: function \\w+ returned an incorrect number of gradients",
    ),
    Mistake(
        "a gradient for a plain argument",
        f"An argument that is not a tensor got a gradient. What belongs in its place? {RETURN}",
        raises="RuntimeError: function \\w+ returned a gradient different than None",
    ),
    Mistake(
        "a gradient of the wrong shape",
        f"Each gradient has the shape of its own input. {RETURN}",
        raises="RuntimeError: Function \\w+ returned an invalid gradient at index \\d+ - got \\[",
    ),
    Mistake(
        "backward returns no tensor",
        f"`backward` returns tensors, and None where there is no gradient. {RETURN}",
        raises="RuntimeError: expected Variable or None",
    ),
    NothingArrived(
        "backward returns nothing",
        "No gradient was returned for an input that needs one. Is there a `return`, is each gradient in its "
        "argument's place, and is what is returned still part of the graph? {read one gradient each}",
        raises="RuntimeError: .* appears? to not have been used in the graph",
    ),
    Mistake(
        "arguments of forward and backward",
        "`forward` begins with `ctx` unless there is a `setup_context`; `backward` takes `ctx` and one upstream "
        "gradient for each output. {read a node of its own}",
        raises="TypeError: ([\\w.]+\\.)?(forward|backward|setup_context)\\(\\) (takes|missing)|missing a required arg",
    ),
    Mistake(
        "nothing kept under that name",
        f"`backward` reads from `ctx` what was never kept there, or what an earlier pass deleted. {SAVE}",
        raises="AttributeError: '\\w+Backward' object has no attribute",
    ),
    Mistake(
        "saved tensors unpacked wrongly",
        f"`ctx.saved_tensors` is a tuple of all that one call of `save_for_backward` kept. {SAVE}",
        raises="ValueError: (not enough|too many) values to unpack|TypeError: .*tuple|TypeError: only integer tensors",
    ),
    Mistake(
        "an instance of the Function",
        "A Function is never instantiated, and all its methods are static. {read a node of its own}",
        raises="RuntimeError: Legacy autograd function|TypeError: \\w+ is not callable",
    ),
    Mistake(
        "autograd asked inside the Function",
        "In `forward` nothing is recorded, nor in `backward` unless `create_graph=True` was given, so autograd "
        "knows no gradient of what they compute. Write the gradient as a formula.",
        raises="RuntimeError: element \\d+ of tensors does not require grad",
        afterwards=False,
    ),
    Mistake(
        "no backward",
        "The class has no method called `backward`, so autograd finds no way back through it.",
        raises="NotImplementedError: You must implement either the backward",
    ),
)
"""Mistakes that can occur in every task that asks for a Function."""

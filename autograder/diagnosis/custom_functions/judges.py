"""Mistakes of passes_gradcheck: judges that are too trusting, too strict, or look at a part only."""

from __future__ import annotations

from collections.abc import Callable

import torch

from autograder.diagnosis.custom_functions.functions import named
from autograder.diagnosis.hypothesis import Mistake
from autograder.references import numeric

JUDGED = "See lesson 06, “gradcheck and gradgradcheck”."
Verdict = Callable[[torch.Tensor, torch.Tensor], bool]
_judge = named("passes_gradcheck")


def close(analytic: torch.Tensor, nudged: torch.Tensor, relative: float = 1e-4, absolute: float = 1e-6) -> bool:
    """Whether two gradients agree: each entry within a part of the largest, plus a little."""
    return bool(((analytic - nudged).abs() <= relative * nudged.abs().max() + absolute).all())


def _judging(
    agree: Verdict = close,
    *,
    upstream: Callable[[torch.Tensor], torch.Tensor] = torch.randn_like,
    missing: bool | None = None,
    decide: Callable[[list[bool]], bool] = all,
) -> Callable[[Callable, tuple], bool]:
    """A judge.

    Args:
        agree: compares the gradients of one input.
        upstream: from the output to the upstream gradient.
        missing: the verdict on a gradient that is None; a gradient of zeros where left out.
        decide: from the verdicts on all inputs to the judge's.
    """

    def judge(function: Callable, inputs: tuple) -> bool:
        leaves = [one.clone().requires_grad_() if isinstance(one, torch.Tensor) else one for one in inputs]
        tensors = [place for place, one in enumerate(inputs) if isinstance(one, torch.Tensor)]
        output = function(*leaves)
        weights = upstream(output.detach())
        gradients = torch.autograd.grad(output, [leaves[place] for place in tensors], weights, allow_unused=True)
        verdicts = []
        for place, gradient in zip(tensors, gradients, strict=True):
            if gradient is None and missing is not None:
                verdicts.append(missing)
                continue
            found = torch.zeros_like(inputs[place]) if gradient is None else gradient
            nudged = numeric.gradient(_moving(function, inputs, place), inputs[place], weights)
            verdicts.append(agree(found, nudged))
        return decide(verdicts)

    return judge


def _moving(function: Callable, inputs: tuple, place: int) -> Callable[[torch.Tensor], torch.Tensor]:
    return lambda moved: function(*(moved if i == place else one for i, one in enumerate(inputs)))


def _first_element(analytic: torch.Tensor, nudged: torch.Tensor) -> bool:
    return close(analytic.reshape(-1)[:1], nudged.reshape(-1)[:1])


PASSES_GRADCHECK = (
    _judge("accepts everything", "Every Function passes, the broken ones too.", lambda function, inputs: True),
    _judge(
        "refuses everything",
        "No Function passes, not even a right one. Do both sides use the same upstream gradient, is there room for "
        "rounding, and is a bool returned?",
        lambda function, inputs: False,
    ),
    _judge(
        "ones as upstream gradient",
        "Functions pass that are right for an upstream gradient of ones and wrong for others, as that of a sum is. "
        f"{JUDGED}",
        _judging(upstream=torch.ones_like),
    ),
    _judge(
        "first argument only",
        "A Function passes that is wrong in its second argument. Each tensor among `inputs` gets its turn.",
        _judging(decide=lambda verdicts: verdicts[0]),
    ),
    _judge(
        "last argument only",
        "A Function passes that is wrong in its first argument. Does each verdict of the loop count, or only the last?",
        _judging(decide=lambda verdicts: verdicts[-1]),
    ),
    _judge(
        "one right argument is enough",
        "A Function passes if one of its gradients is right. All of them have to be.",
        _judging(decide=any),
    ),
    _judge(
        "None taken as right",
        "A gradient that is None was skipped. None claims that the result does not depend on it. Is that so?",
        _judging(missing=True),
    ),
    _judge(
        "None taken as wrong",
        "A Function was refused because a gradient is None. Where the result does not depend on the argument, that is "
        "right.",
        _judging(missing=False),
    ),
    _judge(
        "difference with its sign",
        "Gradients that are too small pass. A large negative difference is a difference too.",
        _judging(lambda analytic, nudged: bool((analytic - nudged).max() < 1e-4 * (1 + nudged.abs().max()))),
    ),
    _judge(
        "sums compared",
        "The elements' sum was compared, or all were moved at once. Errors that cancel in a sum stay hidden.",
        _judging(lambda analytic, nudged: close(analytic.sum(), nudged.sum())),
    ),
    _judge("first element only", "A Function passes that is wrong in a later element.", _judging(_first_element)),
    _judge(
        "tolerance too wide",
        "A Function passes that is wrong by a few percent, or whose gradients are small. Allow a small part of the "
        "gradient's own size.",
        _judging(lambda analytic, nudged: close(analytic, nudged, absolute=0.1)),
    ),
    _judge(
        "tolerance too wide",
        "A Function passes that is wrong by a few percent, or whose gradients are small. Allow a small part of the "
        "gradient's own size.",
        _judging(lambda analytic, nudged: close(analytic, nudged, relative=0.1)),
    ),
    _judge(
        "right Functions refused",
        "Right Functions are refused. Is everything float64, do both sides use the same upstream gradient, and is "
        "there room for differences, which agree to about nine digits?",
        _judging(lambda analytic, nudged: torch.equal(analytic, nudged)),
    ),
    _judge(
        "tolerance without regard to size",
        "Right Functions with large gradients are refused. A difference counts beside the size of what is compared.",
        _judging(lambda analytic, nudged: close(analytic, nudged, relative=0, absolute=1e-8)),
    ),
    _judge(
        "no room at zero",
        "A right Function was refused whose gradient is 0. A small part of 0 is 0, and differences leave rounding "
        "behind: allow a little more.",
        _judging(lambda analytic, nudged: close(analytic, nudged, absolute=0)),
    ),
    Mistake(
        "raises instead of refusing",
        "The judge raised where it should return False. Whose exception is it, and is there a way to ask for a bool?",
        raises="GradcheckError|AssertionError",
    ),
    Mistake(
        "None not expected",
        "A `backward` may return None for an argument; autograd then complains, or hands over None. What does None "
        "claim about the derivative?",
        raises="appears? to not have been used in the graph|NoneType|'NoneType'",
    ),
    Mistake(
        "no leaf of its own",
        "`inputs` arrive without `requires_grad`. Make leaves of them, on copies.",
        raises="gradcheck expects at least one input tensor to require gradient|does not require grad",
    ),
    Mistake(
        "plain arguments treated as tensors",
        "Some of `inputs` are plain numbers. They are handed on as they are.",
        raises="AttributeError: '(int|float)' object has no attribute",
    ),
    Mistake(
        "one shape expected",
        "Inputs and results may have any number of axes, none included.",
        raises="IndexError|TypeError: len\\(\\) of a 0-d tensor|iteration over a 0-d tensor|only (one element|scalar)",
    ),
)

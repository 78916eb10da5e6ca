"""passes_gradcheck: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

from collections.abc import Callable

import torch

from autograder.diagnosis import Mistake
from autograder.references import numeric
from autograder.tasks.answers import known, mistake, right, slip, wrong

Verdict = Callable[[torch.Tensor, torch.Tensor], bool]


def _close(analytic: torch.Tensor, nudged: torch.Tensor) -> bool:
    return bool(((analytic - nudged).abs() <= 1e-4 * nudged.abs().max() + 1e-6).all())


def _judging(agree: Verdict = _close, missing: bool | None = None) -> Callable[[Callable, tuple], bool]:
    """A judge.

    Args:
        agree: compares the gradients of one input.
        missing: the verdict on a gradient that is None; a gradient of zeros where left out.
    """

    def judge(function: Callable, inputs: tuple) -> bool:
        leaves = [one.clone().requires_grad_() if isinstance(one, torch.Tensor) else one for one in inputs]
        tensors = [place for place, one in enumerate(inputs) if isinstance(one, torch.Tensor)]
        output = function(*leaves)
        weights = torch.randn_like(output)
        gradients = torch.autograd.grad(output, [leaves[place] for place in tensors], weights, allow_unused=True)
        verdicts = []
        for place, gradient in zip(tensors, gradients, strict=True):
            if gradient is None and missing is not None:
                verdicts.append(missing)
                continue

            def moving(moved: torch.Tensor, place: int = place) -> torch.Tensor:
                return function(*(moved if i == place else one for i, one in enumerate(inputs)))

            found = torch.zeros_like(inputs[place]) if gradient is None else gradient
            verdicts.append(agree(found, numeric.gradient(moving, inputs[place], weights)))
        return all(verdicts)

    return judge


def _first_element(analytic: torch.Tensor, nudged: torch.Tensor) -> bool:
    return _close(analytic.reshape(-1)[:1], nudged.reshape(-1)[:1])


@mistake("accepts everything", "Every Function passes, even if it is broken.")
def judge_yes():
    def passes_gradcheck(function, inputs):
        function(*inputs)
        return True


@mistake(
    "refuses everything",
    "No Function passes, not even a right one. Do both sides use the same upstream gradient, is there room "
    "for rounding, and do you return a bool?",
)
def judge_returns_nothing():
    def passes_gradcheck(function, inputs):
        function(*inputs)


def judge():
    import torch

    def passes_gradcheck(function, inputs):
        h = 1e-5
        leaves = [one.clone().requires_grad_() if torch.is_tensor(one) else one for one in inputs]
        y = function(*leaves)
        upstream = torch.randn_like(y)
        wanted = [one for one in leaves if torch.is_tensor(one)]
        gradients = torch.autograd.grad(y, wanted, upstream, materialize_grads=True)
        verdicts = []
        for leaf, gradient in zip(wanted, gradients):
            nudged = torch.zeros_like(gradient)
            start = leaf.detach().clone()
            for i in range(start.numel()):
                difference = 0
                for sign in (1, -1):
                    moved = start.clone()
                    moved.view(-1)[i] += sign * h
                    arguments = [moved if one is leaf else one for one in leaves]
                    difference = difference + sign * (function(*arguments) * upstream).sum()
                nudged.view(-1)[i] = (difference / (2 * h)).detach()
            verdicts.append(torch.allclose(gradient, nudged, rtol=1e-4, atol=1e-6 + 1e-5 * nudged.abs().max().item()))
        return all(verdicts)


slip(
    "drawn_twice",
    within=judge,
    was="(function(*arguments) * upstream)",
    wrote="(function(*arguments) * torch.randn_like(y))",
    diagnosed="refuses everything",
)
slip(
    "ones",
    within=judge,
    was="torch.randn_like(y)",
    wrote="torch.ones_like(y)",
    diagnosed="ones as upstream gradient",
    sentence="Functions pass that are right only for an upstream gradient of ones, as a sum sends it. "
    "See lesson 06, “gradcheck and gradgradcheck”.",
)
slip(
    "first",
    within=judge,
    was="all(verdicts)",
    wrote="verdicts[0]",
    diagnosed="first argument only",
    sentence="A Function passes that is wrong in its second argument. Check each tensor among `inputs`.",
)
slip(
    "last",
    within=judge,
    was="all(verdicts)",
    wrote="verdicts[-1]",
    diagnosed="last argument only",
    sentence="A Function passes that is wrong in its first argument. Does each verdict of the loop count, or only "
    "the last?",
)
slip(
    "any",
    within=judge,
    was="all(verdicts)",
    wrote="any(verdicts)",
    diagnosed="any instead of all",
    sentence="A Function passes if one of its gradients is right. All of them must be.",
)


@mistake(
    "None accepted unchecked",
    "A Function passes whose gradient is None where it should not be zero. None claims that the result does not "
    "depend on the argument. Is that so?",
)
def judge_skips_none():
    import torch

    def passes_gradcheck(function, inputs):
        leaves = [one.clone().requires_grad_() if torch.is_tensor(one) else one for one in inputs]
        y = function(*leaves)
        upstream = torch.randn_like(y)
        for place, leaf in enumerate(leaves):
            if not torch.is_tensor(leaf):
                continue
            (gradient,) = torch.autograd.grad(y, leaf, upstream, retain_graph=True, allow_unused=True)
            if gradient is None:
                continue
            for i in range(leaf.numel()):
                step = torch.zeros_like(leaf)
                step.view(-1)[i] = 1e-5
                up, down = list(leaves), list(leaves)
                up[place], down[place] = leaf + step, leaf - step
                slope = ((function(*up) - function(*down)) * upstream).sum().item() / 2e-5
                if abs(slope - gradient.reshape(-1)[i].item()) > 1e-6 + 1e-4 * gradient.abs().max().item():
                    return False
        return True


known(
    Mistake(
        "None always refused",
        "A right Function was refused because a gradient is None. If the result does not depend on the argument, "
        "None is right.",
        _judging(missing=False),
    )
)
slip(
    "signed",
    within=judge,
    was="torch.allclose(gradient, nudged, rtol=1e-4, atol=1e-6 + 1e-5 * nudged.abs().max().item())",
    wrote="((gradient - nudged).max() < 1e-4 * nudged.abs().max() + 1e-6).item()",
    diagnosed="signed difference",
    sentence="Gradients that are too small pass. A large negative difference is a difference too.",
)
slip(
    "sums",
    within=judge,
    was="torch.allclose(gradient, nudged, rtol=1e-4, atol=1e-6 + 1e-5 * nudged.abs().max().item())",
    wrote="torch.allclose(gradient.sum(), nudged.sum(), rtol=1e-4, atol=1e-6 + 1e-6 * gradient.abs().sum().item())",
    diagnosed="sums compared",
    sentence="You compared sums over elements, or moved all elements at once. Errors that cancel in a sum stay hidden.",
)
known(Mistake("first element only", "A Function passes that is wrong in a later element.", _judging(_first_element)))
slip(
    "wide",
    within=judge,
    was="torch.allclose(gradient, nudged, rtol=1e-4, atol=1e-6 + 1e-5 * nudged.abs().max().item())",
    wrote="torch.allclose(gradient, nudged, atol=0.1)",
    diagnosed="tolerance too wide",
    sentence="A Function passes that is wrong by a few percent, or whose gradients are small. Allow a small fraction of "
    "the gradient's own size.",
)
slip(
    "percents",
    within=judge,
    was="torch.allclose(gradient, nudged, rtol=1e-4, atol=1e-6 + 1e-5 * nudged.abs().max().item())",
    wrote="torch.allclose(gradient, nudged, rtol=0.1)",
    diagnosed="tolerance too wide",
    predicts=True,
)
slip(
    "equal",
    within=judge,
    was="torch.allclose(gradient, nudged, rtol=1e-4, atol=1e-6 + 1e-5 * nudged.abs().max().item())",
    wrote="torch.equal(gradient, nudged)",
    diagnosed="right Functions refused",
    sentence="Right Functions are refused. Is everything float64? Do both sides use the same upstream gradient? "
    "Finite differences are right to about nine digits only: is there room for that?",
)
slip(
    "single",
    within=judge,
    was="moved = start.clone()",
    wrote="moved = start.float()",
    diagnosed="right Functions refused",
)
slip("one_element", within=judge, was="range(start.numel())", wrote="range(1)", diagnosed="right Functions refused")
slip(
    "strict",
    within=judge,
    was="torch.allclose(gradient, nudged, rtol=1e-4, atol=1e-6 + 1e-5 * nudged.abs().max().item())",
    wrote="((gradient - nudged).abs() < 1e-8).all().item()",
    diagnosed="no relative tolerance",
    sentence="Right Functions with large gradients are refused. Measure a difference relative to the size of what you "
    "compare.",
)
slip(
    "a_part_only",
    within=judge,
    was="torch.allclose(gradient, nudged, rtol=1e-4, atol=1e-6 + 1e-5 * nudged.abs().max().item())",
    wrote="((gradient - nudged).abs() <= 1e-4 * nudged.abs().max()).all().item()",
    diagnosed="no absolute tolerance",
    sentence="A right Function was refused whose gradient is 0. A fraction of 0 is 0, and differences have rounding errors, "
    "which grow as the step shrinks. How much do you allow, and how small is your step?",
)


@mistake(
    "raises instead of returning False",
    "The judge raised an exception where it should return False. Which call raised it?",
    raises="GradcheckError|AssertionError",
)
def judge_gradcheck_raises():
    import torch

    def passes_gradcheck(function, inputs):
        leaves = [one.clone().requires_grad_() if torch.is_tensor(one) else one for one in inputs]
        return torch.autograd.gradcheck(function, leaves)


slip(
    "raising",
    within=judge,
    was="verdicts.append(torch.allclose(gradient, nudged, rtol=1e-4, atol=1e-6 + 1e-5 * nudged.abs().max().item()))",
    wrote="torch.testing.assert_close(gradient, nudged)",
    diagnosed="raises instead of returning False",
)
known(
    Mistake(
        "None not handled",
        "Your judge stops at a gradient that is None. A `backward` may return None for an argument: what does it "
        "claim about the derivative?",
        raises="appears? to not have been used in the graph|NoneType(?!.*; None was (the .grad|returned by a (func|meth)))",
    )
)
slip("not_unused", within=judge, was="materialize_grads=True", wrote="retain_graph=True", diagnosed="None not handled")


@mistake(
    "inputs without requires_grad",
    "No tensor among `inputs` requires a gradient. Make copies of them that do.",
    raises="gradcheck expects at least one input tensor to require gradient|does not require grad",
)
def judge_gradcheck_as_it_is():
    import torch

    def passes_gradcheck(function, inputs):
        return torch.autograd.gradcheck(function, inputs, raise_exception=False)


known(
    Mistake(
        "plain arguments treated as tensors",
        "You treated a plain number among `inputs` as a tensor. Pass it on as it is.",
        raises="AttributeError: '(int|float)' object has no attribute",
    ),
    Mistake(
        "fixed shape assumed",
        "Your judge stops at a shape that it does not expect. Inputs and results may have any number of axes, or none.",
        raises="IndexError|TypeError: len\\(\\) of a 0-d tensor|iteration over a 0-d tensor|only (one element|scalar)",
    ),
)
slip(
    "numbers_too",
    within=judge,
    was=" if torch.is_tensor(one) else one for",
    wrote=" for",
    diagnosed="plain arguments treated as tensors",
)


@wrong("not attempted")
def judge_not_attempted():
    def passes_gradcheck(function, inputs):
        raise NotImplementedError  # your code here


@right
def judge_by_gradcheck():
    import torch

    def passes_gradcheck(function, inputs):
        leaves = tuple(one.clone().requires_grad_() if torch.is_tensor(one) else one for one in inputs)
        return torch.autograd.gradcheck(function, leaves, raise_exception=False)


@right
def judge_by_a_direction():
    import torch

    def passes_gradcheck(function, inputs):
        torch.manual_seed(1)
        leaves = [one.clone().requires_grad_(True) if isinstance(one, torch.Tensor) else one for one in inputs]
        y = function(*leaves)
        upstream = torch.randn(y.shape, dtype=y.dtype)
        ok = True
        for k, one in enumerate(inputs):
            if not isinstance(one, torch.Tensor):
                continue
            (gradient,) = torch.autograd.grad(y, leaves[k], upstream, retain_graph=True, allow_unused=True)
            gradient = torch.zeros_like(one) if gradient is None else gradient
            for _ in range(5):
                direction = torch.randn_like(one)

                def along(t):
                    moved = list(inputs)
                    moved[k] = one + t * direction
                    return (function(*moved) * upstream).sum()

                slope = (along(1e-5) - along(-1e-5)) / 2e-5
                claimed = (gradient * direction).sum()
                scale = max((gradient * direction).abs().sum().item(), abs(slope.item()))
                ok = ok and abs(slope.item() - claimed.item()) <= 1e-6 + 1e-4 * scale
        return ok


@right
def judge_by_tables():
    import torch

    def passes_gradcheck(function, inputs):
        for k, point in enumerate(inputs):
            if not torch.is_tensor(point):
                continue

            def of(x):
                return function(*[x if i == k else one for i, one in enumerate(inputs)]).reshape(-1)

            leaf = point.detach().clone().requires_grad_()
            y = of(leaf)
            rows = [torch.autograd.grad(e, leaf, retain_graph=True, materialize_grads=True)[0] for e in y]
            rows = torch.stack(rows).reshape(len(y), -1)
            columns = []
            for i in range(point.numel()):
                step = torch.zeros_like(point)
                step.view(-1)[i] = 1e-5
                columns.append((of(point + step) - of(point - step)) / 2e-5)
            table = torch.stack(columns, 1).detach()
            if (rows - table).abs().max() > 1e-3 * table.abs().max() + 1e-7:
                return False
        return True

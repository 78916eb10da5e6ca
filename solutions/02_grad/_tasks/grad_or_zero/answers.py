"""grad_or_zero: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, mistake, right, wrong

from ..shared import NOT_ALLOWED, Nodes


def found(output: torch.Tensor, inputs: Nodes) -> Sequence[torch.Tensor | None]:
    """The gradients, None where there is no path; the graph is retained."""
    return torch.autograd.grad(output, list(inputs), allow_unused=True, retain_graph=True)


def _with(zero: Callable[[torch.Tensor, torch.Tensor], object]) -> Callable[[torch.Tensor, Nodes], tuple]:
    """Gradients, and `zero(output, input)` in the place of a missing one."""
    return lambda output, inputs: tuple(
        zero(output, one) if gradient is None else gradient
        for one, gradient in zip(inputs, found(output, inputs), strict=True)
    )


known(
    NOT_ALLOWED,
    Mistake(
        "zeros without their shape",
        "You returned a single 0 instead of a tensor of zeros with the shape of the input.",
        _with(lambda output, one: one.new_zeros(())),
    ),
)


@wrong("unused tensors not allowed for", loses=("zeros for what it does not use",))
def the_plain_call():
    import torch

    def grad_or_zero(output, inputs):
        return torch.autograd.grad(output, inputs)


@wrong("zeros without their shape", predicts=True, loses=("zeros for what it does not use",))
def a_scalar_zero():
    import torch

    def grad_or_zero(output, inputs):
        found = torch.autograd.grad(output, inputs, allow_unused=True)
        return tuple(torch.tensor(0.0) if g is None else g for g in found)


@wrong("zeros without their shape", predicts=True, loses=("zeros for what it does not use",))
def a_plain_zero():
    import torch

    def grad_or_zero(output, inputs):
        found = torch.autograd.grad(output, inputs, allow_unused=True)
        return tuple(0 if g is None else g for g in found)


@wrong("zeros without their shape", predicts=True, loses=("zeros for what it does not use",))
def zeros_like_the_wrong_tensor():
    import torch

    def grad_or_zero(output, inputs):
        found = torch.autograd.grad(output, inputs, allow_unused=True)
        return tuple(torch.zeros_like(output) if g is None else g for g in found)


@mistake(
    "zeros in the default dtype",
    "The zeros have the right shape, but the default dtype. They should have the dtype of their input.",
    loses=("zeros for what it does not use",),
)
def zeros_of_the_shape():
    import torch

    def grad_or_zero(output, inputs):
        found = torch.autograd.grad(output, inputs, allow_unused=True)
        return tuple(torch.zeros(x.shape) if g is None else g for x, g in zip(inputs, found))


@mistake(
    "unused inputs left out",
    "The result is shorter than `inputs`. An input that the output does not use has zeros in its place.",
    loses=("zeros for what it does not use",),
)
def none_filtered_out():
    import torch

    def grad_or_zero(output, inputs):
        found = torch.autograd.grad(output, inputs, allow_unused=True)
        return tuple(g for g in found if g is not None)


@mistake(
    "ones instead of zeros",
    "You returned a tensor of ones where the output does not depend on the input. How far does the output move if such an input "
    "moves?",
    loses=("zeros for what it does not use",),
)
def ones_like():
    import torch

    def grad_or_zero(output, inputs):
        found = torch.autograd.grad(output, inputs, allow_unused=True)
        return tuple(torch.ones_like(x) if g is None else g for x, g in zip(inputs, found))


@mistake(
    "input returned as its gradient",
    "Where you found no gradient, you returned the input itself. How far does the output move if such an input moves?",
    loses=("zeros for what it does not use",),
)
def the_input_for_its_gradient():
    import torch

    def grad_or_zero(output, inputs):
        found = torch.autograd.grad(output, inputs, allow_unused=True)
        return tuple(x if g is None else g for x, g in zip(inputs, found))


@wrong(".grad filled")
def backward_and_zeros():
    import torch

    def grad_or_zero(output, inputs):
        output.backward()
        return tuple(torch.zeros_like(x) if x.grad is None else x.grad for x in inputs)


@mistake(
    "inner nodes taken for unused",
    "You returned zeros for inner tensors on which the output does depend. Only leaves store gradients, but every node "
    "has one.",
)
def zeros_where_there_is_a_history():
    import torch

    def grad_or_zero(output, inputs):
        result = []
        for x in inputs:
            if x.grad_fn is not None:
                result.append(torch.zeros_like(x))
            else:
                result += torch.autograd.grad(output, x, materialize_grads=True, retain_graph=True)
        return tuple(result)


@wrong("not attempted")
def grad_or_zero_not_attempted():
    def grad_or_zero(output, inputs):
        raise NotImplementedError  # your code here


@wrong("None instead of a gradient", loses=("zeros for what it does not use",))
def none_left_in():
    import torch

    def grad_or_zero(output, inputs):
        return torch.autograd.grad(output, inputs, allow_unused=True)


@wrong("graph already freed")
def one_by_one_without_retaining():
    import torch

    def grad_or_zero(output, inputs):
        return tuple(torch.autograd.grad(output, x, materialize_grads=True)[0] for x in inputs)


@right
def zeros_by_hand():
    import torch

    def grad_or_zero(output, inputs):
        found = torch.autograd.grad(output, inputs, allow_unused=True)
        return [torch.zeros_like(x) if g is None else g for x, g in zip(inputs, found)]


@right
def one_input_at_a_time():
    import torch

    def grad_or_zero(output, inputs):
        result = ()
        for x in inputs:
            result += torch.autograd.grad(output, [x], retain_graph=True, materialize_grads=True)
        return result


@right
def a_path_of_zeros_added():
    import torch

    def grad_or_zero(output, inputs):
        # every input leads to this number, and what leads there by this way alone has the gradient 0
        anchored = output.sum() + sum(0 * x.sum().to(output) for x in inputs)
        return torch.autograd.grad(anchored, list(inputs))


@right
def errors_taken_for_an_answer():
    import torch

    def grad_or_zero(output, inputs):
        result = []
        for x in inputs:
            try:
                result.append(torch.autograd.grad(output, x, retain_graph=True)[0])
            except RuntimeError:
                result.append(torch.zeros(x.shape, dtype=x.dtype, device=x.device))
        return tuple(result)

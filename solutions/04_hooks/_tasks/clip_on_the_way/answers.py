"""clip_on_the_way: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, mistake, right, wrong

from ..shared import RETURNED_OTHER

Hook = Callable[[torch.Tensor, float], torch.Tensor | None]


def _hooked(hook: Hook) -> Callable[[torch.Tensor, float], Any]:
    return lambda t, max_norm: t.register_hook(lambda gradient: hook(gradient, max_norm))


def _by_length(length: Callable[[torch.Tensor], torch.Tensor]) -> Callable[[torch.Tensor, float], Any]:
    """Clipping with another length than the Euclidean one of the whole tensor."""
    return _hooked(lambda gradient, max_norm: gradient / (length(gradient) / max_norm).clamp(min=1))


@mistake(
    "clipped by value",
    "Each element was cut off for itself, which turns the gradient into another direction. One factor is "
    "needed for the whole tensor.",
)
def clamped():
    def clip_on_the_way(t, max_norm):
        return t.register_hook(lambda gradient: gradient.clamp(-max_norm, max_norm))


@mistake(
    "changed in place",
    "A neighbour's gradient shrank as well. What a hook receives may belong to other tensors too, so "
    "nothing may be written into it.",
    loses=("neighbours and old gradients stay",),
)
def multiplied_in_place():
    def clip_on_the_way(t, max_norm):
        def clip(gradient):
            length = gradient.norm()
            if length > max_norm:
                gradient.detach().mul_(max_norm / length.detach())  # with a graph it would hold itself for ever
            return gradient

        return t.register_hook(clip)


@mistake(
    "clipped after accumulation",
    "What `.grad` held from an earlier pass was clipped too. Only the gradient that arrives is to be "
    "scaled, before it is added.",
    loses=("neighbours and old gradients stay",),
)
def clip_grad_norm_on_leaves():
    import torch

    def clip_on_the_way(t, max_norm):
        if t.is_leaf:

            def clip_total(p):
                torch.nn.utils.clip_grad_norm_([p], max_norm)

            return t.register_post_accumulate_grad_hook(clip_total)

        def clip(gradient):
            return gradient * min(1.0, max_norm / max(float(gradient.norm()), 1e-12))

        return t.register_hook(clip)


@mistake(
    "always scaled to max_norm",
    "Gradients that were short enough were scaled too. Those that fit, and zero, which has no direction, "
    "are to pass as they are.",
    loses=("short ones and zero pass",),
)
def always_divided():
    def clip_on_the_way(t, max_norm):
        return t.register_hook(lambda gradient: gradient / gradient.norm() * max_norm)


@wrong("always scaled to max_norm", predicts=True, loses=("short ones and zero pass",))
def always_divided_except_zero():
    def clip_on_the_way(t, max_norm):
        def clip(gradient):
            length = gradient.norm()
            return gradient if length == 0 else gradient * (max_norm / length)

        return t.register_hook(clip)


@mistake("each row for itself", "Each row got a factor of its own. The length is that of the whole tensor.")
def row_by_row():
    def clip_on_the_way(t, max_norm):
        def clip(gradient):
            length = gradient.norm(dim=-1, keepdim=True)
            return gradient * (max_norm / length.clamp(min=max_norm))

        return t.register_hook(clip)


known(
    Mistake(
        "another length",
        "The gradient keeps its direction and has the wrong length. The Euclidean norm is the root of the sum "
        "of all squares.",
        _by_length(lambda gradient: (gradient**2).mean() ** 0.5),
    )
)


@wrong("another length", predicts=True)
def root_forgotten():
    def clip_on_the_way(t, max_norm):
        def clip(gradient):
            length = (gradient * gradient).sum()
            return gradient * (max_norm / length) if length > max_norm else gradient

        return t.register_hook(clip)


@wrong("another length", predicts=True)
def largest_element():
    def clip_on_the_way(t, max_norm):
        def clip(gradient):
            length = gradient.abs().max()
            return gradient * (max_norm / length) if length > max_norm else gradient

        return t.register_hook(clip)


@wrong("another length", predicts=True)
def sum_of_sizes():
    import torch

    def clip_on_the_way(t, max_norm):
        def clip(gradient):
            length = torch.linalg.vector_norm(gradient, ord=1)
            return gradient * (max_norm / length) if length > max_norm else gradient

        return t.register_hook(clip)


@mistake(
    "brought to length 1",
    "A gradient that is too long is to have the length `max_norm` afterwards, and this one has the length 1.",
)
def max_norm_forgotten():
    def clip_on_the_way(t, max_norm):
        def clip(gradient):
            if gradient.norm() > max_norm:
                return gradient / gradient.norm()

        return t.register_hook(clip)


@mistake(
    "max_norm as the factor", "The gradient was multiplied by `max_norm`. Which factor makes its length `max_norm`?"
)
def times_max_norm():
    def clip_on_the_way(t, max_norm):
        def clip(gradient):
            return max_norm * gradient if gradient.norm() > max_norm else gradient

        return t.register_hook(clip)


@mistake("long gradients made zero", "A gradient that is too long became 0. It is to keep its direction.")
def refused():
    import torch

    def clip_on_the_way(t, max_norm):
        return t.register_hook(lambda gradient: torch.where(gradient.norm() > max_norm, 0.0, gradient))


@mistake(
    "nothing returned",
    "The gradient passed as it came. A new tensor that a hook makes reaches nobody unless the hook returns it.",
)
def assigned_to_the_argument():
    def clip_on_the_way(t, max_norm):
        def clip(gradient):
            if gradient.norm() > max_norm:
                gradient = gradient * (max_norm / gradient.norm())

        return t.register_hook(clip)


@mistake(
    "only the first pass",
    "The first pass is clipped and the second is not. The hook stays until the caller removes it.",
    loses=("until the handle is removed",),
)
def a_hook_that_removes_itself():
    def clip_on_the_way(t, max_norm):
        def clip(gradient):
            handle.remove()
            return gradient * (max_norm / gradient.norm().clamp(min=max_norm))

        handle = t.register_hook(clip)
        return handle


@mistake(
    "handle not returned",
    "The caller cannot remove the hook, because its handle did not come back.",
    raises="'(NoneType|Tensor|function)' object has no attribute 'remove'",
    afterwards=True,
    loses=("until the handle is removed",),
)
def handle_kept_back():
    def clip_on_the_way(t, max_norm):
        def clip(gradient):
            return gradient * (max_norm / gradient.norm().clamp(min=max_norm))

        t.register_hook(clip)


known(RETURNED_OTHER)


@wrong("a returned value of another kind")
def a_lambda_after_accumulation():
    import torch

    def clip_on_the_way(t, max_norm):
        if t.is_leaf:
            return t.register_post_accumulate_grad_hook(lambda p: torch.nn.utils.clip_grad_norm_([p], max_norm))
        return t.register_hook(lambda gradient: gradient * min(1.0, max_norm / (float(gradient.norm()) + 1e-9)))


@mistake(
    "a hook for leaves only",
    "Post-accumulate-grad hooks exist on leaves, and `t` may be any tensor. Besides, they come after the sum.",
    raises="post accumulate grad hooks cannot be registered on non-leaf",
)
def post_accumulate_on_anything():
    import torch

    def clip_on_the_way(t, max_norm):
        def clip(p):
            torch.nn.utils.clip_grad_norm_([p], max_norm)

        return t.register_post_accumulate_grad_hook(clip)


@wrong("not attempted")
def clip_on_the_way_not_attempted():
    def clip_on_the_way(t, max_norm):
        raise NotImplementedError  # your code here


@right
def a_factor_of_at_most_one():
    def clip_on_the_way(t, max_norm):
        def clip(gradient):
            return gradient * (max_norm / gradient.norm()).clamp(max=1)

        return t.register_hook(clip)


@right
def nothing_returned_where_it_fits():
    def clip_on_the_way(t, max_norm):
        def clip(gradient):
            length = float((gradient**2).sum()) ** 0.5
            if length > max_norm:
                return gradient / length * max_norm

        return t.register_hook(clip)


@right
def the_usual_small_number():
    import torch

    def clip_on_the_way(t, max_norm):
        return t.register_hook(
            lambda gradient: gradient.clone() * min(1.0, max_norm / (torch.linalg.vector_norm(gradient).item() + 1e-6))
        )


@right
def renorm():
    def clip_on_the_way(t, max_norm):
        def clip(gradient):
            return gradient.reshape(1, -1).renorm(2, 0, max_norm).reshape(gradient.shape)

        return t.register_hook(clip)


@right
def clip_grad_norm_on_a_copy():
    import torch

    def clip_on_the_way(t, max_norm):
        def clip(gradient):
            carrier = torch.zeros_like(gradient, requires_grad=True)
            carrier.grad = gradient.detach().clone()
            torch.nn.utils.clip_grad_norm_(carrier, max_norm)
            return carrier.grad

        return t.register_hook(clip)

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
    "You limited each element separately, which turns the gradient in another direction. Use one factor for the whole "
    "tensor.",
)
def clamped():
    def clip_on_the_way(t, max_norm):
        return t.register_hook(lambda gradient: gradient.clamp(-max_norm, max_norm))


@mistake(
    "changed in place",
    "Another tensor's gradient shrank as well. The tensor that a hook receives may belong to others too, so never "
    "write into it. See lesson 04, “Shared storage”.",
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
    "You also clipped what `.grad` held from an earlier pass. Scale only the gradient that arrives, before it is added.",
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
    "You also scaled gradients that were short enough. Let those pass unchanged, and zero too, which has no direction.",
    loses=("short gradients and zero pass",),
)
def always_divided():
    def clip_on_the_way(t, max_norm):
        return t.register_hook(lambda gradient: gradient / gradient.norm() * max_norm)


@wrong("always scaled to max_norm", predicts=True, loses=("short gradients and zero pass",))
def always_divided_except_zero():
    def clip_on_the_way(t, max_norm):
        def clip(gradient):
            length = gradient.norm()
            return gradient if length == 0 else gradient * (max_norm / length)

        return t.register_hook(clip)


@mistake("clipped row by row", "You gave each row its own factor. Measure the length of the whole tensor.")
def row_by_row():
    def clip_on_the_way(t, max_norm):
        def clip(gradient):
            length = gradient.norm(dim=-1, keepdim=True)
            return gradient * (max_norm / length.clamp(min=max_norm))

        return t.register_hook(clip)


known(
    Mistake(
        "another norm than Euclidean",
        "The gradient keeps its direction and has the wrong length. The Euclidean norm is the root of the sum of all "
        "squared elements.",
        _by_length(lambda gradient: (gradient**2).mean() ** 0.5),
    )
)


@wrong("another norm than Euclidean", predicts=True)
def root_forgotten():
    def clip_on_the_way(t, max_norm):
        def clip(gradient):
            length = (gradient * gradient).sum()
            return gradient * (max_norm / length) if length > max_norm else gradient

        return t.register_hook(clip)


@wrong("another norm than Euclidean", predicts=True)
def largest_element():
    def clip_on_the_way(t, max_norm):
        def clip(gradient):
            length = gradient.abs().max()
            return gradient * (max_norm / length) if length > max_norm else gradient

        return t.register_hook(clip)


@wrong("another norm than Euclidean", predicts=True)
def sum_of_sizes():
    import torch

    def clip_on_the_way(t, max_norm):
        def clip(gradient):
            length = torch.linalg.vector_norm(gradient, ord=1)
            return gradient * (max_norm / length) if length > max_norm else gradient

        return t.register_hook(clip)


@mistake(
    "scaled to length 1",
    "You scaled a gradient that is too long to length 1. Scale it to length `max_norm`.",
)
def max_norm_forgotten():
    def clip_on_the_way(t, max_norm):
        def clip(gradient):
            if gradient.norm() > max_norm:
                return gradient / gradient.norm()

        return t.register_hook(clip)


@mistake(
    "max_norm as the factor", "You multiplied the gradient by `max_norm`. Which factor makes its length `max_norm`?"
)
def times_max_norm():
    def clip_on_the_way(t, max_norm):
        def clip(gradient):
            return max_norm * gradient if gradient.norm() > max_norm else gradient

        return t.register_hook(clip)


@mistake("long gradients made zero", "A gradient that is too long became 0. It must keep its direction.")
def refused():
    import torch

    def clip_on_the_way(t, max_norm):
        return t.register_hook(lambda gradient: torch.where(gradient.norm() > max_norm, 0.0, gradient))


@mistake(
    "nothing returned",
    "The gradient passed unchanged. If a hook makes a new tensor and does not return it, PyTorch never sees it.",
)
def assigned_to_the_argument():
    def clip_on_the_way(t, max_norm):
        def clip(gradient):
            if gradient.norm() > max_norm:
                gradient = gradient * (max_norm / gradient.norm())

        return t.register_hook(clip)


@mistake(
    "hook removed after one pass",
    "You clipped the first pass and not the second. The hook must stay until the caller removes it.",
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
    "The caller cannot remove the hook, because you did not return its handle.",
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


@wrong("return value of wrong type")
def a_lambda_after_accumulation():
    import torch

    def clip_on_the_way(t, max_norm):
        if t.is_leaf:
            return t.register_post_accumulate_grad_hook(lambda p: torch.nn.utils.clip_grad_norm_([p], max_norm))
        return t.register_hook(lambda gradient: gradient * min(1.0, max_norm / (float(gradient.norm()) + 1e-9)))


@mistake(
    "post-accumulate hook on non-leaf",
    "Post-accumulate-grad hooks exist on leaves only, and `t` may be any tensor. Besides, they run after the sum.",
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

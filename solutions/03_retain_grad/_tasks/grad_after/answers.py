"""grad_after: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

from collections.abc import Callable

import torch

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, mistake, right, wrong

Function = Callable[[torch.Tensor], torch.Tensor]
Log = list[torch.Tensor | None]


def _none_noted_first(f: Function, x: torch.Tensor, times: int) -> Log:
    leaf, log = x.detach().clone().requires_grad_(), []
    for _ in range(times):
        log.append(None if leaf.grad is None else leaf.grad.clone())
        f(leaf).backward()
    return log


def _on_a_clone(f: Function, x: torch.Tensor, times: int) -> Log:
    leaf, log = x.clone().requires_grad_(), []
    for _ in range(times):
        f(leaf).backward()
        log.append(None if leaf.grad is None else leaf.grad.clone())
    return log


@mistake(
    "aliases of one tensor",
    "All entries hold what `.grad` holds at the end. `.grad` is one tensor into which every pass writes; "
    "did the list get that tensor, or a copy?",
    loses=("after each pass",),
)
def the_gradient_itself():
    def grad_after(f, x, times):
        leaf = x.detach().clone().requires_grad_()
        log = []
        for _ in range(times):
            f(leaf).backward()
            log.append(leaf.grad)
        return log


@wrong("aliases of one tensor")
def detached_and_still_the_same_memory():
    def grad_after(f, x, times):
        leaf = x.detach().clone().requires_grad_()
        log = []
        for _ in range(times):
            f(leaf).backward()
            log.append(leaf.grad.detach())
        return log


@mistake(
    "cleared in between",
    "Each entry is the gradient of its own pass alone. Use one leaf for all passes, and clear nothing in between: what "
    "does `backward()` do with a number that is already in `.grad`?",
)
def zeroed_each_time():
    def grad_after(f, x, times):
        leaf = x.detach().clone().requires_grad_()
        log = []
        for _ in range(times):
            leaf.grad = None
            f(leaf).backward()
            log.append(leaf.grad.clone())
        return log


@wrong("cleared in between")
def a_new_leaf_each_time():
    def grad_after(f, x, times):
        log = []
        for _ in range(times):
            leaf = x.detach().clone().requires_grad_()
            f(leaf).backward()
            log.append(leaf.grad)
        return log


@mistake(
    "one call for all passes",
    "All passes give the gradient of the first call of `f`. Each pass has its own call, and `f` may "
    "answer differently each time.",
)
def one_graph_kept():
    def grad_after(f, x, times):
        leaf = x.detach().clone().requires_grad_()
        y = f(leaf)
        log = []
        for _ in range(times):
            y.backward(retain_graph=True)
            log.append(leaf.grad.clone())
        return log


known(
    Mistake(
        "noted before the pass",
        "Each entry shows what `.grad` held before its pass, so it is one pass too early.",
        _none_noted_first,
    )
)


@wrong("noted before the pass", predicts=True)
def too_early():
    import torch

    def grad_after(f, x, times):
        leaf = x.detach().clone().requires_grad_()
        leaf.grad = torch.zeros_like(leaf)
        log = []
        for _ in range(times):
            log.append(leaf.grad.clone())
            f(leaf).backward()
        return log


@mistake("only the last pass noted", "There is one entry, from the end. The list has an entry for each pass.")
def noted_once():
    def grad_after(f, x, times):
        leaf = x.detach().clone().requires_grad_()
        for _ in range(times):
            f(leaf).backward()
        return [leaf.grad]


@wrong("requires_grad switched on", loses=("the caller's tensor as before",))
def on_the_callers_tensor():
    def grad_after(f, x, times):
        x.requires_grad_()
        log = []
        for _ in range(times):
            f(x).backward()
            log.append(x.grad.clone())
        return log


known(
    Mistake(
        "a clone is not a leaf",
        "A clone of a tensor that requires a gradient is an inner tensor: its `.grad` stays None, and the "
        "caller's is filled. See lesson 03, “A leaf of your own”.",
        _on_a_clone,
        raises="NoneType.*; None was the .grad of an inner tensor, made by Clone",
    )
)


@wrong("a clone is not a leaf", loses=("the caller's tensor as before",))
def on_a_clone():
    def grad_after(f, x, times):
        x = x.clone().requires_grad_()
        log = []
        for _ in range(times):
            f(x).backward()
            log.append(x.grad.clone())
        return log


@wrong("not attempted")
def grad_after_not_attempted():
    def grad_after(f, x, times):
        raise NotImplementedError  # your code here


@wrong("graph already freed")
def one_graph_used_again():
    def grad_after(f, x, times):
        leaf = x.detach().clone().requires_grad_()
        y = f(leaf)
        log = []
        for _ in range(times):
            y.backward()
            log.append(leaf.grad.clone())
        return log


@wrong("gradient of a vector")
def a_vector():
    def grad_after(f, x, times):
        leaf = x.detach().clone().requires_grad_()
        return [(f(leaf) * leaf).backward() for _ in range(times)]


@right
def sums_of_grad():
    import torch

    def grad_after(f, x, times):
        total = torch.zeros_like(x).detach()
        log = []
        for _ in range(times):
            leaf = torch.empty_like(x).copy_(x.detach()).requires_grad_(True)
            (gradient,) = torch.autograd.grad(f(leaf), leaf)
            total = total + gradient
            log.append(total)
        return log


@right
def a_parameter_and_deep_copies():
    import copy
    from torch import nn

    def grad_after(f, x, times):
        leaf = nn.Parameter(x.detach().clone())
        log = ()
        for _ in range(times):
            f(leaf).sum().backward()
            log += (copy.deepcopy(leaf.grad),)
        return log


@right
def the_gradient_exchanged_for_a_new_tensor():
    def grad_after(f, x, times):
        leaf = x.detach().clone()
        leaf.requires_grad = True
        log = []
        while len(log) < times:
            f(leaf).backward()
            log.append(leaf.grad)
            leaf.grad = leaf.grad + 0
        return log

"""Mistakes of grad_after: aliases, clearing, too few calls, somebody else's leaf."""

from __future__ import annotations

from collections.abc import Callable

import torch

from autograder.diagnosis.hypothesis import Mistake
from autograder.references.replay import under

Function = Callable[[torch.Tensor], torch.Tensor]
Log = list[torch.Tensor | None]


def _leaf(x: torch.Tensor) -> torch.Tensor:
    return x.detach().clone().requires_grad_()


def _aliases(f: Function, x: torch.Tensor, times: int) -> Log:
    leaf, log = _leaf(x), []
    for _ in range(times):
        f(leaf).backward()
        log.append(leaf.grad)
    return log


def _cleared(f: Function, x: torch.Tensor, times: int) -> Log:
    return [torch.autograd.grad(f(leaf), leaf)[0] for leaf in (_leaf(x) for _ in range(times))]


def _one_graph(f: Function, x: torch.Tensor, times: int) -> Log:
    leaf = _leaf(x)
    (gradient,) = torch.autograd.grad(f(leaf), leaf)
    return [(k + 1) * gradient for k in range(times)]


def _noted_before(first: Callable[[torch.Tensor], torch.Tensor | None]) -> Callable[..., Log]:
    """`first`: what lies in a leaf's `.grad` at the start."""

    def grad_after(f: Function, x: torch.Tensor, times: int) -> Log:
        leaf, log = _leaf(x), []
        for _ in range(times):
            log.append(first(leaf) if leaf.grad is None else leaf.grad.clone())
            f(leaf).backward()
        return log

    return grad_after


def _only_the_last(f: Function, x: torch.Tensor, times: int) -> Log:
    leaf = _leaf(x)
    for _ in range(times):
        f(leaf).backward()
    return [leaf.grad]


def _on_the_callers(f: Function, x: torch.Tensor, times: int) -> Log:
    x.requires_grad_()
    log = []
    for _ in range(times):
        f(x).backward()
        log.append(x.grad.clone())
    return log


def _on_a_clone(f: Function, x: torch.Tensor, times: int) -> Log:
    leaf, log = x.clone().requires_grad_(), []
    for _ in range(times):
        f(leaf).backward()
        log.append(None if leaf.grad is None else leaf.grad.clone())
    return log


def _mistake(name: str, sentence: str, implementation: Callable[[Function, torch.Tensor, int], Log]) -> Mistake:
    return Mistake(name, sentence, under("grad_after", implementation))


CLONE = (
    "A clone of a tensor that requires a gradient is an inner tensor: its `.grad` stays None, and the caller's is "
    "filled. See lesson 03, “A leaf of your own”."
)

GRAD_AFTER = (
    _mistake(
        "one tensor under many names",
        "All entries hold what lies in `.grad` at the end. `.grad` is one tensor into which every pass writes; did "
        "the list get that tensor, or a copy?",
        _aliases,
    ),
    _mistake(
        "cleared in between",
        "Each entry is the gradient of its own pass alone. Nothing is to be cleared in between: what does `backward()` "
        "do with a number that lies in `.grad`?",
        _cleared,
    ),
    _mistake(
        "one call for all passes",
        "All passes bring the gradient of the first call of `f`. Each pass has a call of its own, and `f` may answer "
        "differently each time.",
        _one_graph,
    ),
    *(
        _mistake(
            "noted before the pass",
            "Each entry shows what lay there before its pass: it comes one pass too early.",
            _noted_before(first),
        )
        for first in (torch.zeros_like, lambda leaf: None)
    ),
    _mistake(
        "only the last pass noted",
        "There is one entry, from the end. The list has an entry for each pass.",
        _only_the_last,
    ),
    _mistake(
        "the caller's tensor as leaf",
        "The deposits went to the caller's tensor: its `.grad` or its `requires_grad` is not what it was. See lesson "
        "03, “A leaf of your own”.",
        _on_the_callers,
    ),
    _mistake("a clone is no leaf", CLONE, _on_a_clone),
    Mistake("a clone is no leaf", CLONE, raises="AttributeError: 'NoneType' object has no attribute 'clone'"),
)

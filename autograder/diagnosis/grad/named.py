"""Mistakes of named_gradients."""

from __future__ import annotations

from collections.abc import Callable

import torch

from autograder.diagnosis.grad.unused import NOT_ALLOWED, found
from autograder.diagnosis.hypothesis import Mistake
from autograder.references.replay import under

Named = dict[str, torch.Tensor]


def _by_name(output: torch.Tensor, named: Named) -> dict[str, torch.Tensor | None]:
    return dict(zip(named, found(output, list(named.values())), strict=True))


def _right(output: torch.Tensor, named: Named) -> Named:
    return {name: one for name, one in _by_name(output, named).items() if one is not None}


def _with_zeros(output: torch.Tensor, named: Named) -> Named:
    return {n: torch.zeros_like(named[n]) if one is None else one for n, one in _by_name(output, named).items()}


def _out_of_step(output: torch.Tensor, named: Named) -> Named:
    return dict(zip(named, _right(output, named).values(), strict=False))


def _sorted_names(output: torch.Tensor, named: Named) -> Named:
    pairs = zip(sorted(named), found(output, list(named.values())), strict=True)
    return {name: one for name, one in pairs if one is not None}


def _one_call_each(output: torch.Tensor, named: Named) -> Named:
    gradients = {name: found(output, [one])[0] for name, one in named.items()}
    return {name: one for name, one in gradients.items() if one is not None}


def _taken_out(output: torch.Tensor, named: Named) -> Named:
    right = _right(output, named)
    for name in set(named) - set(right):
        del named[name]
    return right


def _written_over(output: torch.Tensor, named: Named) -> Named:
    for name, gradient in _by_name(output, named).items():
        if gradient is None:
            del named[name]
        else:
            named[name] = gradient
    return named


def _names_by_tensor(output: torch.Tensor, named: Named) -> Named:
    names = {one: name for name, one in named.items()}
    pairs = zip(names.values(), found(output, list(names)), strict=True)
    return {name: one for name, one in pairs if one is not None}


def _stored_by_backward(output: torch.Tensor, named: Named) -> Named:
    output.backward()
    return {name: one.grad for name, one in named.items() if one.grad is not None}


def _name(name: str, sentence: str, implementation: Callable, raises: str = "") -> Mistake:
    return Mistake(name, sentence, under("named_gradients", implementation), raises)


NAMED_GRADIENTS = (
    NOT_ALLOWED,
    _name(
        "unused names kept",
        "A name whose tensor the output does not depend on is in the result, with None. Such names are left out.",
        _by_name,
    ),
    _name(
        "zeros for unused names",
        "A name whose tensor the output does not depend on is in the result, with zeros. Such names are left out.",
        _with_zeros,
    ),
    _name(
        "a gradient of 0 taken for none",
        "A gradient may be 0; None says that no path leads there. In an `if`, a tensor that holds 0 counts as false, "
        "and one with several elements raises.",
        lambda output, named: {name: one for name, one in _right(output, named).items() if one.any()},
        raises="RuntimeError: Boolean value of Tensor with more than one value",
    ),
    _name(
        "names out of step",
        "Gradients stand under the wrong names: after a name that should have been left out, each has moved on by one.",
        _out_of_step,
    ),
    _name(
        "names sorted, tensors not",
        "Gradients stand under each other's names: names and tensors were taken in two different orders.",
        _sorted_names,
    ),
    _name(
        "a pass for each name",
        "The graph was run through once for each name. One call takes the tensors of all names.",
        _one_call_each,
    ),
    _name(
        "named changed",
        "`named` is the caller's dict, and it holds other names or tensors than before. Make a new dict.",
        _taken_out,
    ),
    _name(
        "named changed",
        "`named` is the caller's dict, and it holds other names or tensors than before. Make a new dict.",
        _written_over,
    ),
    Mistake(
        "changed while looped over",
        "A dict lost an entry while a loop went through it, which Python refuses. Make a new dict of what is to stay.",
        raises="RuntimeError: dictionary (changed size|keys changed) during iteration",
    ),
    _name(
        "a second name lost",
        "One tensor stood under two names, and one of them is missing. A dict keyed by tensors has room for one name.",
        _names_by_tensor,
    ),
    _name(
        "gradients without names",
        "A sequence came back. The task asks for a dict from the names in `named` to gradients.",
        lambda output, named: tuple(_right(output, named).values()),
    ),
    _name(
        "backward instead of grad",
        "`backward()` fills the leaves' `.grad`, and inner nodes have none to read. Which function returns gradients?",
        _stored_by_backward,
    ),
)

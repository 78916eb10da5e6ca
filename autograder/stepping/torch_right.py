"""The right gradients of a torch graph: torch's own nodes called without hooks, custom Functions by differences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from autograder.stepping.own_functions import UnknownError, is_own, right_of_function
from autograder.stepping.torch_pass import Gradients, TorchPass, Visit, leaf

Values = dict[tuple[int, int], torch.Tensor]
CLOSE = {torch.float64: 1e-7, torch.float32: 1e-4}
ROUGH = 1e-4
"""Relative; what differences of a forward are good for."""


@dataclass
class TorchRight:
    """What a pass without hooks, and with right Functions, would have brought.

    Attributes:
        arriving: by node, the right gradient for each of its results; no entry if it is not known.
        hooked: nodes that passed on something else than torch's own backward makes of what they took.
        wrong: by node of a custom Function, what it passed on, and the derivative of its forward.
        unjudged: by node of a custom Function, why it cannot be judged; its backward is taken as it is.
    """

    arriving: dict[int, Gradients] = field(default_factory=dict)
    hooked: set[int] = field(default_factory=set)
    wrong: dict[int, tuple[Gradients, Gradients]] = field(default_factory=dict)
    unjudged: dict[int, str] = field(default_factory=dict)


def torch_right(graph: TorchPass, output: torch.Tensor, start: torch.Tensor, values: Values) -> TorchRight:
    """Sweep through the graph in the order of the pass that was seen."""
    right = TorchRight()
    sums: Values = {(0, output.output_nr): start.detach()}
    unknown: set[int] = set()
    for visit in graph.visits:
        at = visit.node
        if at in unknown:
            unknown |= {source for source, _ in graph.nexts[at] if source is not None}
            continue
        arriving = tuple(sums.get((at, which)) for which in range(len(visit.taken)))
        right.arriving[at] = arriving
        if leaf(graph.nodes[at]) is not None or visit.passed is None:
            continue
        passed = _passed(graph, visit, arriving, values, right)
        for index, (source, which) in enumerate(graph.nexts[at]):
            if source is None:
                continue
            if passed is None:
                unknown.add(source)
            elif index < len(passed) and (one := passed[index]) is not None:
                sums[source, which] = one if (source, which) not in sums else sums[source, which] + one
    return right


def _passed(graph: TorchPass, visit: Visit, arriving: Gradients, values: Values, right: TorchRight) -> Gradients | None:
    """Return what a node should pass on of the right gradients, and note what its own pass did otherwise."""
    node, at = graph.nodes[visit.node], visit.node
    same = alike(arriving, visit.taken)
    if not is_own(node):
        own = _called(graph, at, visit.taken)
        if own is None:
            right.unjudged[at] = "torch does not call it a second time"
            return visit.passed if same else None
        if not alike(own, visit.passed or ()):
            right.hooked.add(at)
        return own if same else _called(graph, at, arriving)
    inputs = [None if source is None else values.get((source, which)) for source, which in graph.nexts[at]]
    try:
        if any(source is None for source, _ in graph.nexts[at]):
            raise UnknownError("some of its tensors require no gradient, and their numbers are not kept")
        judged = _of_function(node, inputs, visit.taken)
        if not alike(judged, visit.passed or (), ROUGH):
            right.wrong[at] = (visit.passed or (), judged)
        elif same:
            return visit.passed
        return judged if same else _of_function(node, inputs, arriving)
    except UnknownError as error:
        right.unjudged[at] = str(error)
        return visit.passed if same else None


def _of_function(node: Any, inputs: Sequence[torch.Tensor | None], upstream: Gradients) -> Gradients:
    found = right_of_function(node, inputs, upstream)
    return tuple(one.to(like.dtype) for one, like in zip(found, inputs, strict=True) if like is not None)


def _called(graph: TorchPass, at: int, gradients: Gradients) -> Gradients | None:
    """Call torch's own backward of a node, which runs no hooks; what it gives is fitted to the inputs, as in a pass."""
    node = graph.nodes[at]
    try:
        given = [_zeros(node, which) if one is None else one for which, one in enumerate(gradients)]
        with torch.no_grad():
            found = node(*given)
    except Exception:  # a kind of node that torch calls only itself
        return None
    found = tuple(found) if isinstance(found, (tuple, list)) else (found,)
    return tuple(
        one if one is None or source is None else _fitted(one, graph.nodes[source]._input_metadata[which])
        for one, (source, which) in zip(found, graph.nexts[at], strict=False)
    )


def _fitted(gradient: torch.Tensor, like: Any) -> torch.Tensor:
    """Sum a gradient over what its input was broadcast along, and give it the input's dtype: the engine's own part."""
    return gradient.sum_to_size(like.shape).to(like.dtype)


def _zeros(node: Any, which: int) -> torch.Tensor:
    like = node._input_metadata[which]
    return torch.zeros(like.shape, dtype=like.dtype, device=like.device)


def alike(one: Gradients, other: Gradients, tolerance: float | None = None) -> bool:
    """Whether gradients are equal but for rounding; none at all is zero."""
    pairs = zip(one, other, strict=False)
    return all(_alike(a, b, tolerance) for a, b in pairs)


def _alike(a: torch.Tensor | None, b: torch.Tensor | None, tolerance: float | None) -> bool:
    if a is None or b is None:
        held = a if b is None else b
        return held is None or not bool((held != 0).any())
    if a.shape != b.shape:
        return False
    close = tolerance or CLOSE.get(b.dtype, 1e-2)
    size = float(b.detach().abs().max()) if b.numel() else 0.0
    return bool(torch.isclose(a.to(b.dtype), b, rtol=close, atol=close * size, equal_nan=True).all())

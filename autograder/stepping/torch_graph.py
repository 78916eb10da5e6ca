"""Stepping through a torch backward pass, with hooks and custom Functions as they are in force."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch

from autograder.pictures.autograd_nodes import kind
from autograder.pictures.text import clean
from autograder.stepping.labels import distinct
from autograder.stepping.own_functions import is_own, name_of, values
from autograder.stepping.sweep import UNKNOWN, Place, Step, Sweep
from autograder.stepping.tensor_texts import one_and_other, text_of
from autograder.stepping.torch_pass import Gradients, TorchPass, Visit, leaf, living, read, run
from autograder.stepping.torch_right import TorchRight, alike, torch_right

_FREED = "second time"  # in torch's message; a test fails when an upgrade changes it


def tensor_sweep(output: torch.Tensor, names: Mapping[str, object], gradient: object) -> Sweep:
    """Run a tensor's backward pass once, watched, and compare it with one without hooks and with right Functions.

    Args:
        output: the tensor.
        names: tensors by name; other entries are ignored.
        gradient: what the pass starts with; 1 for a single number.

    Raises:
        TypeError: it has no graph, or holds several numbers and no gradient is given.
    """
    with torch._C.DisableTorchFunctionSubclass():
        graph = read(output)
        start = _start(output, gradient)
        named = {name: one for name, one in names.items() if issubclass(type(one), torch.Tensor)}
        tensors = living(graph.nodes, [output, *named.values()])
        known = values(graph.nodes, tensors)
        run(graph, output, start, tensors)
        right = torch_right(graph, output, start, known)
        labels = _labels(graph, named)
        places = [
            Place(label, _kind(node), text_of(known[at, 0]) if (at, 0) in known else "")
            for at, (node, label) in enumerate(zip(graph.nodes, labels, strict=True))
        ]
        edges = [(source, at, "") for at, one in enumerate(graph.nexts) for source, _ in one if source is not None]
        steps = [_step(visit, time + 1, graph, right, labels) for time, visit in enumerate(graph.visits)]
    changes = [(step.node, step.yours) for step in steps]
    return Sweep(places, edges, steps, changes, _notes(right, labels), _ended(graph))


def _start(output: torch.Tensor, gradient: object) -> torch.Tensor:
    if isinstance(gradient, torch.Tensor) and gradient.shape == output.shape:
        return gradient.detach().to(output)
    if gradient is not None or output.numel() != 1:
        shape = tuple(output.shape)
        raise TypeError(
            f"a backward pass starts at one number, and this tensor has the shape {shape}: step through its sum, or "
            f"give step_through(output, gradient=...) a tensor of that shape"
        )
    return torch.ones_like(output, requires_grad=False)


def _step(visit: Visit, time: int, graph: TorchPass, right: TorchRight, labels: Sequence[str]) -> Step:
    at = visit.node
    if at not in right.arriving:
        return Step(at, _texts(visit.taken), UNKNOWN, False, _why_unknown(at, graph, right, labels), time)
    expected = right.arriving[at]
    if alike(visit.taken, expected):
        return Step(at, _texts(visit.taken), _texts(expected), time=time)
    place = next((i for i, (a, b) in enumerate(zip(visit.taken, expected, strict=True)) if not alike((a,), (b,))), 0)
    yours, wanted = one_and_other(visit.taken[place], expected[place])
    return Step(at, yours, wanted, True, _because(visit, graph, right, labels), time)


def _because(visit: Visit, graph: TorchPass, right: TorchRight, labels: Sequence[str]) -> str:
    """Say which hook or Function made the difference."""
    at = visit.node
    if not alike(visit.taken, visit.arrived):
        place = next(
            i for i, (a, b) in enumerate(zip(visit.taken, visit.arrived, strict=True)) if not alike((a,), (b,))
        )
        after, before = one_and_other(visit.taken[place], visit.arrived[place])
        return f"a hook on `{labels[at]}` changed {before} to {after}"
    users = [user for user, inputs in enumerate(graph.nexts) if any(source == at for source, _ in inputs)]
    for user in users:
        if user in right.wrong:
            place = next(i for i, (source, _) in enumerate(graph.nexts[user]) if source == at)
            got, expected = right.wrong[user]
            if place < min(len(got), len(expected)) and not alike((got[place],), (expected[place],)):
                yours, wanted = one_and_other(got[place], expected[place])
                return (
                    f"the backward of your Function `{name_of(graph.nodes[user])}` passes on {yours}, and the "
                    f"derivative of its forward, by finite differences, gives {wanted}"
                )
    for user in users:
        if user in right.hooked:
            return f"a hook on the node of `{labels[user]}` changed what it passes on"
    return f"what {' and '.join(f'`{labels[user]}`' for user in users)} passed on differed already"


def _why_unknown(at: int, graph: TorchPass, right: TorchRight, labels: Sequence[str]) -> str:
    for user, inputs in enumerate(graph.nexts):
        if user in right.unjudged and any(source == at for source, _ in inputs):
            return f"`{labels[user]}` was given a wrong gradient, and {right.unjudged[user]}"
    return ""


def _labels(graph: TorchPass, named: Mapping[str, Any]) -> list[str]:
    labels = []
    for node in graph.nodes:
        own = leaf(node)
        found = (name for name, one in named.items() if one is own or (own is None and one.grad_fn is node))
        labels.append(next((clean(name, 24) for name in found), "") or ("leaf" if own is not None else _kind(node)))
    return distinct(labels)


def _kind(node: torch.autograd.graph.Node) -> str:
    return "" if leaf(node) is not None else name_of(node) if is_own(node) else kind(node)


def _texts(gradients: Gradients) -> str:
    return ", ".join("nothing" if one is None else text_of(one) for one in gradients)


def _notes(right: TorchRight, labels: Sequence[str]) -> list[str]:
    notes = [
        f"`{labels[at]}` cannot be judged here, because {why}: its backward is taken as it is"
        for at, why in list(right.unjudged.items())[:3]
    ]
    if right.wrong:
        notes.append(
            "If a Function is meant to pass on something else than the derivative of its forward, as a reversed or "
            "straight-through gradient, its difference is not a mistake"
        )
    return notes


def _ended(graph: TorchPass) -> str:
    if graph.ended is None:
        return ""
    said = " ".join(str(graph.ended).split())
    if _FREED in said:
        return (
            "An earlier backward() has used this graph up: compute the tensor again and step through it before "
            "backward(), or call backward(retain_graph=True)"
        )
    return f"The backward pass ended with {type(graph.ended).__name__}: {clean(said, 160)}"

"""Mistakes of one_at_a_time and all_partials: the same answer, by many passes and by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch

from autograder.diagnosis.hypothesis import Mistake
from autograder.references.replay import under

Nodes = Sequence[torch.Tensor]


def _one_call_each(a: torch.Tensor, nodes: Nodes) -> tuple:
    return tuple(torch.autograd.grad(a, node, retain_graph=True)[0] for node in nodes)


def _one_call_for_all(a: torch.Tensor, nodes: Nodes) -> tuple:
    return torch.autograd.grad(a, list(nodes), retain_graph=True)


def _asked_twice(a: torch.Tensor, nodes: Nodes) -> tuple:
    return (_one_call_each(a, nodes), _one_call_each(a, nodes))[1]


def _by_backward(a: torch.Tensor, nodes: Nodes) -> tuple:
    for node in nodes:
        node.retain_grad()
    a.backward()
    return tuple(node.grad for node in nodes)


def _by_backward_for_inputs(a: torch.Tensor, nodes: Nodes) -> tuple:
    a.backward(inputs=list(nodes))
    return tuple(node.grad for node in nodes)


def _by_backward_for_each_input(a: torch.Tensor, nodes: Nodes) -> tuple:
    for node in nodes:
        a.backward(inputs=[node], retain_graph=True)
    return tuple(node.grad for node in nodes)


def _by_backward_without_retaining(a: torch.Tensor, nodes: Nodes) -> tuple:
    a.backward()
    return tuple(node.grad for node in nodes)


def _by_backward_in_a_loop(a: torch.Tensor, nodes: Nodes) -> tuple:
    found = []
    for node in nodes:
        node.retain_grad()
        a.backward(retain_graph=True)
        found.append(node.grad.clone())
    return tuple(found)


def _by_backward_in_a_loop_without_retaining(a: torch.Tensor, nodes: Nodes) -> tuple:
    for _ in nodes:
        a.backward(retain_graph=True)
    return tuple(node.grad for node in nodes)


BY_BACKWARD = (_by_backward, _by_backward_for_inputs, _by_backward_for_each_input)
NOT_RETAINING = (_by_backward_without_retaining, _by_backward_in_a_loop_without_retaining)
FILLED = "The leaves' `.grad` was filled: that is what `backward()` does. Which function only returns gradients?"
NOT_KEPT = "`backward()` keeps the gradients of leaves only, so inner nodes have None."
Implementation = Callable[[torch.Tensor, Nodes], object]


def _mistakes(task: str, *rows: tuple[str, str, Implementation]) -> tuple[Mistake, ...]:
    return tuple(Mistake(name, sentence, under(task, implementation)) for name, sentence, implementation in rows)


HIDDEN_NAME = Mistake(
    "a loop variable named grad",
    "A name of yours hides the function of the same name; what is called is a tensor, a tuple or not yet "
    "there. See lesson 02, “A loop variable named grad”.",
    raises="'(tuple|Tensor)' object is not callable|UnboundLocalError: cannot access local variable 'grad'",
)
NODES_AS_ARGUMENTS = Mistake(
    "nodes handed over one by one",
    "`*nodes` makes an argument of each node, and the second of them is taken for the upstream gradient, the third for "
    "an option. All nodes stand in one argument.",
    raises="TypeError: only integer tensors of a single element can be converted to an index"
    "|TypeError: grad\\(\\) takes from 2 to \\d+ positional arguments",
)


def _of_both(task: str, gradients: Implementation) -> tuple[Mistake, ...]:
    """What goes wrong in either task, where `gradients` is the task's own way to get them."""
    rows = _mistakes(
        task,
        *(("backward instead of grad", FILLED, way) for way in BY_BACKWARD),
        (
            "backward in a loop",
            "`backward()` was called for each node. It runs through the whole graph and stores its results in `.grad`, "
            "where they add up. Which function returns gradients and stores nothing?",
            _by_backward_in_a_loop,
        ),
        *(("inner nodes after backward", NOT_KEPT, way) for way in NOT_RETAINING),
        (
            "order turned round",
            "The gradients are right and stand in reverse order. They are asked for in the order of `nodes`.",
            lambda a, nodes: tuple(reversed(gradients(a, nodes))),
        ),
        (
            "only the first node",
            "One gradient came back. `nodes` holds several tensors, and each has its own.",
            lambda a, nodes: torch.autograd.grad(a, nodes[0]),
        ),
        (
            "only the first node",
            "One gradient came back. `nodes` holds several tensors, and each has its own.",
            lambda a, nodes: gradients(a, nodes)[0],
        ),
        (
            "only the last node",
            "One gradient came back, the last one. Was each result kept before the next one took its name?",
            lambda a, nodes: gradients(a, nodes)[-1:],
        ),
        (
            "only the last node",
            "One gradient came back, the last one. Was each result kept before the next one took its name?",
            lambda a, nodes: gradients(a, nodes)[-1],
        ),
        (
            "numbers instead of tensors",
            "Plain numbers came back. A gradient is a tensor with the shape of its node; leave it as it is.",
            lambda a, nodes: [one.tolist() for one in gradients(a, nodes)],
        ),
        (
            "all gradients for each node",
            "Each entry holds the gradients of all nodes. Inside the loop, which node is meant?",
            lambda a, nodes: [_one_call_for_all(a, nodes) for _ in nodes],
        ),
    )
    return (*rows, HIDDEN_NAME, NODES_AS_ARGUMENTS)


ONE_AT_A_TIME = _of_both("one_at_a_time", _one_call_each) + _mistakes(
    "one_at_a_time",
    (
        "one call for all nodes",
        "All gradients came from a single backward pass. Here each node is asked for in a call of its own, so that "
        "the cost shows.",
        _one_call_for_all,
    ),
    (
        "each node asked twice",
        "There were twice as many backward passes as nodes. Is `torch.autograd.grad` called again to look at a "
        "result that was there already?",
        _asked_twice,
    ),
)
ALL_PARTIALS = _of_both("all_partials", _one_call_for_all) + _mistakes(
    "all_partials",
    (
        "a pass for each node",
        "The graph was run through once for each node. What else may stand in the place of a single node in the call?",
        _one_call_each,
    ),
    (
        "two passes for all",
        "The graph was run through more than once. The gradients of all nodes come from the same pass.",
        lambda a, nodes: (_one_call_for_all(a, nodes), _one_call_for_all(a, nodes))[1],
    ),
)

"""all_partials: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

import torch

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, mistake, right, wrong

from ..shared import (
    ALL_FOR_EACH,
    FIRST_ONLY,
    HIDDEN_NAME,
    LAST_ONLY,
    NODES_AS_ARGUMENTS,
    NUMBERS,
    ORDER_REVERSED,
    Nodes,
)


def _one_call_for_all(a: torch.Tensor, nodes: Nodes) -> tuple:
    return torch.autograd.grad(a, list(nodes), retain_graph=True)


@wrong(".grad filled")
def backward_and_grad():
    def all_partials(a, nodes):
        for node in nodes:
            node.retain_grad()
        a.backward()
        return tuple(node.grad for node in nodes)


@wrong(".grad filled")
def backward_for_these_inputs():
    def all_partials(a, nodes):
        a.backward(inputs=list(nodes))
        return tuple(node.grad for node in nodes)


@wrong(".grad filled")
def backward_again_and_again():
    def all_partials(a, nodes):
        gradients = []
        for node in nodes:
            node.retain_grad()
            a.backward(retain_graph=True)
            gradients.append(node.grad.clone())
        return tuple(gradients)


@wrong(".grad filled")
def backward_without_retain_grad():
    def all_partials(a, nodes):
        a.backward()
        return tuple(node.grad for node in nodes)


@mistake(*ORDER_REVERSED, loses=("every partial, returned and not stored",))
def backwards_as_the_graph():
    import torch

    def all_partials(a, nodes):
        return torch.autograd.grad(a, list(nodes)[::-1])


known(
    Mistake(*FIRST_ONLY, lambda a, nodes: torch.autograd.grad(a, nodes[0])),
    Mistake(
        *LAST_ONLY,
        lambda a, nodes: _one_call_for_all(a, nodes)[-1:],
        lambda a, nodes: _one_call_for_all(a, nodes)[-1],
    ),
    Mistake(*NUMBERS, lambda a, nodes: [one.tolist() for one in _one_call_for_all(a, nodes)]),
    Mistake(*ALL_FOR_EACH, lambda a, nodes: [_one_call_for_all(a, nodes) for _ in nodes]),
    HIDDEN_NAME,
    NODES_AS_ARGUMENTS,
)


@wrong("only the first node", predicts=True)
def the_first_of_the_tuple():
    import torch

    def all_partials(a, nodes):
        return torch.autograd.grad(a, nodes)[0]


@wrong("a loop variable named grad")
def grad_hides_grad():
    from torch.autograd import grad

    def all_partials(a, nodes):
        found = []
        for node in nodes:
            grad = grad(a, node, retain_graph=True)
            found.append(grad[0])
        return tuple(found)


@wrong("nodes as separate arguments")
def with_a_star():
    import torch

    def all_partials(a, nodes):
        return torch.autograd.grad(a, *nodes)


@mistake(
    "a pass for each node",
    "You ran through the graph once for each node. What may you give the call instead of a single node?",
    loses=("one backward pass",),
)
def one_call_for_each_node():
    import torch

    def all_partials(a, nodes):
        return tuple(torch.autograd.grad(a, node, retain_graph=True)[0] for node in nodes)


@mistake(
    "two passes for all",
    "You ran through the graph more than once. The gradients of all nodes can come from the same pass.",
    loses=("one backward pass",),
)
def one_pass_to_look_and_one_to_return():
    import torch

    def all_partials(a, nodes):
        assert all(g is not None for g in torch.autograd.grad(a, nodes, retain_graph=True))
        return torch.autograd.grad(a, nodes)


@wrong("not attempted")
def all_partials_not_attempted():
    def all_partials(a, nodes):
        raise NotImplementedError  # your code here


@wrong("graph already freed")
def a_loop_without_retaining():
    import torch

    def all_partials(a, nodes):
        return tuple(torch.autograd.grad(a, node)[0] for node in nodes)


@wrong("left in a tuple")
def tuples_of_one():
    import torch

    def all_partials(a, nodes):
        return tuple(torch.autograd.grad(a, node, retain_graph=True) for node in nodes)


@wrong("not part of the graph")
def copies_that_require_grad():
    import torch

    def all_partials(a, nodes):
        leaves = [node.detach().requires_grad_() for node in nodes]
        return torch.autograd.grad(a, leaves)


@right
def a_list_of_nodes():
    from torch.autograd import grad

    def all_partials(a, nodes):
        return list(grad(outputs=[a], inputs=list(nodes), retain_graph=True))


@right
def of_the_sum_of_one_element():
    import torch

    def all_partials(a, nodes):
        named = {str(i): node for i, node in enumerate(nodes)}
        found = torch.autograd.grad(a.reshape(()), tuple(named.values()))
        return tuple(found)


@right
def by_a_dict_of_inputs():
    import torch

    def all_partials(a, nodes):
        found = torch.autograd.grad(a, dict(enumerate(nodes)), retain_graph=True)
        return tuple(found[i] for i in range(len(nodes)))


@right
def with_hooks_and_a_pass_for_all():
    import torch

    def all_partials(a, nodes):
        caught = {}
        handles = [node.register_hook(lambda g, i=i: caught.update({i: g.clone()})) for i, node in enumerate(nodes)]
        torch.autograd.grad(a, nodes)
        for handle in handles:
            handle.remove()
        return tuple(caught[i] for i in range(len(nodes)))

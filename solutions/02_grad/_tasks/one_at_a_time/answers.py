"""one_at_a_time: mistakes, other ways to make them, and right answers."""

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


def _one_call_each(a: torch.Tensor, nodes: Nodes) -> tuple:
    return tuple(torch.autograd.grad(a, node, retain_graph=True)[0] for node in nodes)


@wrong(".grad filled")
def backward_for_one_input():
    def one_at_a_time(a, nodes):
        for node in nodes:
            a.backward(inputs=[node], retain_graph=True)
        return tuple(node.grad for node in nodes)


@wrong(".grad filled")
def each_backward_adds():
    def one_at_a_time(a, nodes):
        gradients = []
        for node in nodes:
            node.retain_grad()
            a.backward(retain_graph=True)
            gradients.append(node.grad.clone())
        return tuple(gradients)


@wrong(".grad filled")
def backward_for_each_and_grad():
    def one_at_a_time(a, nodes):
        for node in nodes:
            a.backward(retain_graph=True)
        return tuple(node.grad for node in nodes)


@mistake(*ORDER_REVERSED, loses=("every partial, returned and not stored",))
def each_put_in_front():
    import torch

    def one_at_a_time(a, nodes):
        gradients = ()
        for node in nodes:
            gradients = torch.autograd.grad(a, node, retain_graph=True) + gradients
        return gradients


known(
    Mistake(*FIRST_ONLY, lambda a, nodes: _one_call_each(a, nodes)[0]),
    Mistake(*LAST_ONLY, lambda a, nodes: _one_call_each(a, nodes)[-1]),
)


@wrong("only the first node", predicts=True)
def return_inside_the_loop():
    import torch

    def one_at_a_time(a, nodes):
        for node in nodes:
            return torch.autograd.grad(a, node, retain_graph=True)


@wrong("only the last node", predicts=True, loses=("every partial, returned and not stored",))
def overwritten_in_the_loop():
    import torch

    def one_at_a_time(a, nodes):
        for node in nodes:
            result = torch.autograd.grad(a, node, retain_graph=True)
        return result


@mistake(*NUMBERS, loses=("every partial, returned and not stored",))
def items():
    import torch

    def one_at_a_time(a, nodes):
        return tuple(torch.autograd.grad(a, node, retain_graph=True)[0].tolist() for node in nodes)


@mistake(*ALL_FOR_EACH)
def nodes_for_node():
    import torch

    def one_at_a_time(a, nodes):
        return tuple(torch.autograd.grad(a, nodes, retain_graph=True) for node in nodes)


known(HIDDEN_NAME, NODES_AS_ARGUMENTS)


@wrong("a loop variable named grad")
def grad_becomes_a_tuple():
    from torch.autograd import grad

    def one_at_a_time(a, nodes):
        found = []
        for node in nodes:
            grad = grad(a, node, retain_graph=True)
            found.append(grad[0])
        return tuple(found)


@mistake(
    "one call for all nodes",
    "All gradients came from a single backward pass. Here each node needs its own call, so that the cost shows.",
    loses=("one backward pass for each node",),
)
def all_in_one_call():
    import torch

    def one_at_a_time(a, nodes):
        return torch.autograd.grad(a, nodes)


@mistake(
    "each node asked twice",
    "There were twice as many backward passes as nodes. Do you call `torch.autograd.grad` again to look at a result "
    "that you already have?",
    loses=("one backward pass for each node",),
)
def asked_to_see_whether_it_is_there():
    import torch

    def one_at_a_time(a, nodes):
        gradients = []
        for node in nodes:
            if torch.autograd.grad(a, node, retain_graph=True, allow_unused=True)[0] is not None:
                gradients.append(torch.autograd.grad(a, node, retain_graph=True)[0])
        return tuple(gradients)


@wrong("not attempted")
def one_at_a_time_not_attempted():
    def one_at_a_time(a, nodes):
        raise NotImplementedError  # your code here


@wrong("left in a tuple", loses=("every partial, returned and not stored",))
def one_tuples_left_in():
    import torch

    def one_at_a_time(a, nodes):
        return tuple(torch.autograd.grad(a, node, retain_graph=True) for node in nodes)


@wrong("graph already freed")
def nothing_retained():
    import torch

    def one_at_a_time(a, nodes):
        return tuple(torch.autograd.grad(a, node)[0] for node in nodes)


@wrong("graph already freed")
def retained_by_the_last_only():
    import torch

    def one_at_a_time(a, nodes):
        gradients = []
        for node in nodes:
            gradients += torch.autograd.grad(a, node, retain_graph=node is nodes[-1])
        return tuple(gradients)


@wrong("None returned", loses=("every partial, returned and not stored",))
def printed_only():
    import torch

    def one_at_a_time(a, nodes):
        for node in nodes:
            print(torch.autograd.grad(a, node, retain_graph=True)[0])


@wrong("several numbers taken for one")
def one_number_each():
    import torch

    def one_at_a_time(a, nodes):
        return torch.tensor([torch.autograd.grad(a, node, retain_graph=True)[0].item() for node in nodes])


@right
def a_loop_that_unpacks():
    import torch

    def one_at_a_time(a, nodes):
        gradients = []
        for node in nodes:
            (gradient,) = torch.autograd.grad(outputs=a, inputs=[node], retain_graph=True)
            gradients.append(gradient)
        return gradients


@right
def retained_but_by_the_last():
    from torch.autograd import grad

    def one_at_a_time(a, nodes):
        last = len(nodes) - 1
        return [grad(a, node, retain_graph=i < last)[0] for i, node in enumerate(nodes)]


@right
def with_create_graph():
    import torch

    def one_at_a_time(a, nodes):
        def of(node):
            return torch.autograd.grad(a, node, grad_outputs=torch.ones_like(a), create_graph=True)

        return tuple(sum(map(of, nodes), ()))


@right
def by_a_dict_of_one():
    import torch

    def one_at_a_time(a, nodes):
        return tuple(torch.autograd.grad(a, {"it": node}, retain_graph=True)["it"] for node in nodes)

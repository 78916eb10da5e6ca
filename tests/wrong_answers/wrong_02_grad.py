"""Wrong answers to exercise 02."""

from tests.answers import wrong

# all_partials


@wrong("all_partials", diagnosed="not attempted")
def all_partials_not_attempted():
    def all_partials(a, nodes):
        raise NotImplementedError  # your code here


@wrong("all_partials", diagnosed="a pass for each node", loses=("one backward pass",))
def one_call_for_each_node():
    import torch

    def all_partials(a, nodes):
        return tuple(torch.autograd.grad(a, node, retain_graph=True)[0] for node in nodes)


@wrong("all_partials", diagnosed="graph already freed")
def a_loop_without_retaining():
    import torch

    def all_partials(a, nodes):
        return tuple(torch.autograd.grad(a, node)[0] for node in nodes)


@wrong("all_partials", diagnosed="backward instead of grad")
def backward_and_grad():
    def all_partials(a, nodes):
        for node in nodes:
            node.retain_grad()
        a.backward()
        return tuple(node.grad for node in nodes)


@wrong("all_partials", diagnosed="inner nodes after backward")
def backward_without_retain_grad():
    def all_partials(a, nodes):
        a.backward()
        return tuple(node.grad for node in nodes)


@wrong("all_partials", diagnosed="a loop variable named grad")
def grad_hides_grad():
    from torch.autograd import grad

    def all_partials(a, nodes):
        found = []
        for node in nodes:
            grad = grad(a, node, retain_graph=True)
            found.append(grad[0])
        return tuple(found)


@wrong("all_partials", diagnosed="left in a tuple")
def tuples_of_one():
    import torch

    def all_partials(a, nodes):
        return tuple(torch.autograd.grad(a, node, retain_graph=True) for node in nodes)

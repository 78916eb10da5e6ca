"""Right answers to exercise 02."""

from tests.answers import right

# all_partials


@right("all_partials")
def a_list_of_nodes():
    from torch.autograd import grad

    def all_partials(a, nodes):
        return list(grad(outputs=[a], inputs=list(nodes), retain_graph=True))


@right("all_partials")
def by_a_dict_of_inputs():
    import torch

    def all_partials(a, nodes):
        named = {str(i): node for i, node in enumerate(nodes)}
        found = torch.autograd.grad(a.sum(), tuple(named.values()))
        return tuple(found)

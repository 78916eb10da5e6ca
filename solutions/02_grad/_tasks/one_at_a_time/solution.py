import torch


def one_at_a_time(a: torch.Tensor, nodes: list[torch.Tensor]) -> tuple[torch.Tensor, ...]:
    """Compute partial derivatives, with one call to torch.autograd.grad for each node.

    Args:
        a: the output, with one element.
        nodes: leaves and inner tensors of its graph.

    Returns:
        The gradient of `a` with respect to each node, in the order of `nodes`.
    """
    ### BEGIN SOLUTION
    return tuple(torch.autograd.grad(a, node, retain_graph=True)[0] for node in nodes)
    ### END SOLUTION

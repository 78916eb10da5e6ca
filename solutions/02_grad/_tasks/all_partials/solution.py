import torch


def all_partials(a: torch.Tensor, nodes: list[torch.Tensor]) -> tuple[torch.Tensor, ...]:
    """Compute all partial derivatives in one backward pass.

    Args:
        a: the output, with one element.
        nodes: leaves and inner tensors of its graph.

    Returns:
        The gradient of `a` with respect to each node, in the order of `nodes`.
    """
    ### BEGIN SOLUTION
    return torch.autograd.grad(a, nodes)
    ### END SOLUTION

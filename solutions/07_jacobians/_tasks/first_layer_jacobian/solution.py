import torch


def first_layer_jacobian(layer: torch.nn.Module, x: torch.Tensor) -> torch.Tensor:
    """Compute the Jacobian of a layer's outputs with respect to its inputs.

    Args:
        layer: a module that maps shape (1, in) to shape (1, out).
        x: the input, of shape (1, in); left unchanged.

    Returns:
        The Jacobian, of shape (out, in).
    """
    ### BEGIN SOLUTION
    leaf = x.clone().requires_grad_()
    output = layer(leaf)
    rows = [torch.autograd.grad(one, leaf, retain_graph=True)[0] for one in output[0]]
    return torch.cat(rows)
    ### END SOLUTION

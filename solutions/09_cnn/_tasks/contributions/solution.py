import torch


def contributions(h: torch.Tensor, layer: torch.nn.Linear, c: int) -> torch.Tensor:
    """Compute what each input adds to one output of a Linear layer.

    Args:
        h: the inputs, of shape (batch, in); leave them unchanged.
        layer: a Linear layer, with or without a bias.
        c: the index of the output, from 0.

    Returns:
        Gradient times activation, of shape (batch, in).
    """
    ### BEGIN SOLUTION
    leaf = h.clone().requires_grad_()
    (gradient,) = torch.autograd.grad(layer(leaf)[:, c].sum(), leaf)
    return gradient * h
    ### END SOLUTION

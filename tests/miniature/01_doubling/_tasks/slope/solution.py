import torch


def slope(y: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    """The gradient of y with respect to x.

    Args:
        y: one element, computed from x.
        x: a leaf that requires a gradient.
    """
    ### BEGIN SOLUTION
    return torch.autograd.grad(y, x)[0]
    ### END SOLUTION

import torch


def stop_gradient(x: torch.Tensor) -> torch.Tensor:
    """Square x, with one of the two factors a constant in the backward pass.

    Args:
        x: a float tensor of any shape.

    Returns:
        A tensor like `x` that holds x**2; the gradient that it passes to x is x times the upstream gradient.
    """
    ### BEGIN SOLUTION
    return x.detach() * x
    ### END SOLUTION

import torch


def stop_gradient(x: torch.Tensor) -> torch.Tensor:
    """x squared, with one of the two factors a constant in the backward pass.

    Args:
        x: a float tensor of any shape.

    Returns:
        A tensor like `x`: its value is x**2, its gradient x times the upstream gradient.
    """
    ### BEGIN SOLUTION
    return x.detach() * x
    ### END SOLUTION

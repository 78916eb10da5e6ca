import torch


def damped_tanh(x: torch.Tensor) -> torch.Tensor:
    """Compute tanh, and a tenth of it where it is negative.

    Args:
        x: any shape; leave it unchanged.

    Returns:
        A tensor like `x`, connected to it.
    """
    # Delete the next line, and repair what stands below it: the program as given.
    ### BEGIN SOLUTION
    y = torch.tanh(x)
    return torch.where(y < 0, 0.1 * y, y)
    ### END SOLUTION
    y = torch.tanh(x)
    y.data[y.data < 0] *= 0.1
    return y

import torch


def after_relu(model: torch.nn.Sequential, x: torch.Tensor) -> torch.Tensor:
    """Compute the Jacobian of a Linear layer followed by a ReLU.

    Args:
        model: a Sequential of Linear and ReLU.
        x: the input, of shape (1, in); left unchanged.

    Returns:
        The Jacobian, of shape (out, in).
    """
    ### BEGIN SOLUTION
    linear = model[0]
    is_open = linear(x)[0] > 0
    return is_open.unsqueeze(1) * linear.weight
    ### END SOLUTION

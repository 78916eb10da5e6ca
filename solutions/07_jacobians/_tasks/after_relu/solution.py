import torch


def after_relu(model: torch.nn.Sequential, x: torch.Tensor) -> torch.Tensor:
    """The derivatives of a Linear layer's outputs behind a ReLU with respect to the inputs.

    Args:
        model: a Sequential of Linear and ReLU.
        x: the input, of shape (1, in); stays as it is.

    Returns:
        The Jacobian, of shape (out, in).
    """
    ### BEGIN SOLUTION
    linear = model[0]
    is_open = linear(x)[0] > 0
    return is_open.unsqueeze(1) * linear.weight
    ### END SOLUTION

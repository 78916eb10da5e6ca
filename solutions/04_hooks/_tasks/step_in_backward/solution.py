import torch


def step_in_backward(parameters, lr: float) -> list:
    """Take steps of gradient descent inside the backward pass.

    Args:
        parameters: leaves that require a gradient, with None in `.grad`.
        lr: the learning rate.

    Returns:
        A handle for each parameter.
    """

    ### BEGIN SOLUTION
    def step(parameter):
        with torch.no_grad():
            parameter -= lr * parameter.grad
        parameter.grad = None

    return [parameter.register_post_accumulate_grad_hook(step) for parameter in parameters]
    ### END SOLUTION

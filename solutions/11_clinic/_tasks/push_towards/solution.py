import torch
from torch.nn.functional import mse_loss


def push_towards(model: torch.nn.Module, x: torch.Tensor, goal: torch.Tensor, rate: float, steps: int) -> torch.Tensor:
    """Move an input so that the model's output comes closer to a goal.

    Args:
        model: any model; leave it unchanged.
        x: where to start; leave it unchanged.
        goal: what the output should be, of the shape of `model(x)`.
        rate: the factor of the gradient in each step.
        steps: how many steps, 0 or more.

    Returns:
        The moved input, like `x`.
    """
    # Delete the next line, and repair what stands below it: the program as given.
    ### BEGIN SOLUTION
    for _ in range(steps):
        leaf = x.detach().requires_grad_()
        (gradient,) = torch.autograd.grad(mse_loss(model(leaf), goal), leaf)
        x = x - rate * gradient
    return x
    ### END SOLUTION
    for _ in range(steps):
        leaf = x.detach().requires_grad_()
        (gradient,) = torch.autograd.grad(mse_loss(model(leaf), goal), leaf)
        x = x + rate * gradient
    return x

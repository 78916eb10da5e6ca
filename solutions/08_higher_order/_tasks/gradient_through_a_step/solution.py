from collections.abc import Callable

import torch


def gradient_through_a_step(
    w: torch.Tensor,
    lr: float,
    train: Callable[[torch.Tensor], torch.Tensor],
    val: Callable[[torch.Tensor], torch.Tensor],
) -> torch.Tensor:
    """Compute the gradient of val(w - lr * gradient of train at w) with respect to w.

    Args:
        w: the weights before the step, of any shape; left unchanged.
        lr: the rate of the step.
        train: the loss on which the step is made.
        val: the loss that judges the new weights.

    Returns:
        The gradient, of the shape of w.
    """
    ### BEGIN SOLUTION
    leaf = w.clone().requires_grad_()
    (gradient,) = torch.autograd.grad(train(leaf), leaf, create_graph=True)
    moved = leaf - lr * gradient
    return torch.autograd.grad(val(moved), leaf)[0]
    ### END SOLUTION

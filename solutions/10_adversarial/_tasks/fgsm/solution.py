import torch


def fgsm(model: torch.nn.Module, x: torch.Tensor, y: torch.Tensor, epsilon: float) -> torch.Tensor:
    """Attack images by one step of the fast gradient sign method.

    Args:
        model: from images to logits.
        x: images of shape (batch, C, H, W), pixels in [0, 1]; leave them unchanged.
        y: the labels to move away from, int64, of shape (batch,).
        epsilon: how far each pixel moves.

    Returns:
        Images of the shape of `x`, pixels in [0, 1], detached.
    """
    ### BEGIN SOLUTION
    leaf = x.clone().requires_grad_()
    loss = torch.nn.functional.cross_entropy(model(leaf), y)
    (gradient,) = torch.autograd.grad(loss, leaf)
    return (x + epsilon * gradient.sign()).clamp(0, 1)
    ### END SOLUTION

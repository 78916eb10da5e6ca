import torch


def adversarial_step(
    model: torch.nn.Module, optimizer: torch.optim.Optimizer, X: torch.Tensor, y: torch.Tensor, epsilon: float
) -> torch.Tensor:
    """Take one step of training on images attacked by the fast gradient sign method.

    Args:
        model: from images to logits; the step changes its parameters.
        optimizer: takes the step.
        X: images of shape (batch, C, H, W), pixels in [0, 1]; leave them unchanged.
        y: their labels, int64, of shape (batch,).
        epsilon: how far each pixel moves.

    Returns:
        The mean cross entropy of the attacked images before the step, detached.
    """
    ### BEGIN SOLUTION
    leaf = X.clone().requires_grad_()
    (gradient,) = torch.autograd.grad(torch.nn.functional.cross_entropy(model(leaf), y), leaf)
    attacked = (X + epsilon * gradient.sign()).clamp(0, 1)
    optimizer.zero_grad()
    loss = torch.nn.functional.cross_entropy(model(attacked), y)
    loss.backward()
    optimizer.step()
    return loss.detach()
    ### END SOLUTION

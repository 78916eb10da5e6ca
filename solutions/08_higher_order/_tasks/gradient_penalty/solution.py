import torch


def gradient_penalty(critic: torch.nn.Module, X: torch.Tensor) -> torch.Tensor:
    """Measure how far the critic's gradients at these samples are from length 1.

    Args:
        critic: a module that maps a batch to (batch,) or (batch, 1); its parameters' `.grad` is left unchanged.
        X: the samples, of shape (batch, ...); left unchanged.

    Returns:
        The mean over samples of (norm of the gradient - 1)**2, of shape (), with its graph.
    """
    ### BEGIN SOLUTION
    leaf = X.clone().requires_grad_()
    (gradients,) = torch.autograd.grad(critic(leaf).sum(), leaf, create_graph=True)
    norms = gradients.flatten(1).norm(dim=1)
    return (norms - 1).square().mean()
    ### END SOLUTION

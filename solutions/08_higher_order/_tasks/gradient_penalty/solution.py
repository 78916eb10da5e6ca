import torch


def gradient_penalty(critic: torch.nn.Module, X: torch.Tensor) -> torch.Tensor:
    """How far the critic's gradients are from length 1, at these samples.

    Args:
        critic: a module from a batch to (batch,) or (batch, 1); its parameters' `.grad` stays as it is.
        X: the samples, of shape (batch, ...); stays as it is.

    Returns:
        The mean over samples of (norm of the gradient - 1)**2, of shape (), with its graph.
    """
    ### BEGIN SOLUTION
    leaf = X.clone().requires_grad_()
    (gradients,) = torch.autograd.grad(critic(leaf).sum(), leaf, create_graph=True)
    norms = gradients.flatten(1).norm(dim=1)
    return (norms - 1).square().mean()
    ### END SOLUTION

import torch
from torch.nn.functional import cross_entropy


def sample_gradient_norms(model: torch.nn.Linear, X: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """Measure how hard each sample pulls at the weight of a linear classifier.

    Args:
        model: the classifier; leave it unchanged.
        X: the samples, of shape (batch, features).
        y: their classes, int64, of shape (batch,).

    Returns:
        For each sample the norm of the gradient of its cross entropy with respect to `model.weight`, of shape (batch,).
    """
    # Delete the next line, and repair what stands below it: the program as given.
    ### BEGIN SOLUTION
    losses = cross_entropy(model(X), y, reduction="none")
    gradients = [torch.autograd.grad(loss, model.weight, retain_graph=True)[0] for loss in losses]
    return torch.stack([gradient.norm() for gradient in gradients])
    ### END SOLUTION
    losses = cross_entropy(model(X), y, reduction="none")
    (gradients,) = torch.autograd.grad(losses, model.weight, grad_outputs=torch.ones_like(losses))
    return gradients.norm(dim=1)

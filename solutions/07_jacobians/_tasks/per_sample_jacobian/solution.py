import torch


def per_sample_jacobian(model: torch.nn.Module, X: torch.Tensor) -> torch.Tensor:
    """Compute the Jacobian of each sample's outputs with respect to its own inputs.

    Args:
        model: a module that maps shape (batch, in) to shape (batch, out).
        X: the samples, of shape (batch, in); left unchanged.

    Returns:
        A matrix for each sample, of shape (batch, out, in).

    Raises:
        ValueError: if a BatchNorm at any depth normalises with the batch.
    """
    ### BEGIN SOLUTION
    for module in model.modules():
        is_norm = isinstance(module, torch.nn.modules.batchnorm._BatchNorm)
        if is_norm and (module.training or module.running_mean is None):
            raise ValueError("a BatchNorm normalises with the batch, so its samples have no Jacobian of their own")

    def of_one(sample):
        return model(sample.unsqueeze(0)).squeeze(0)

    return torch.func.vmap(torch.func.jacrev(of_one))(X)
    ### END SOLUTION

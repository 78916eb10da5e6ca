import torch


def neuron_gradient(model: torch.nn.Module, X: torch.Tensor, k: int) -> torch.Tensor:
    """The gradient of one neuron with respect to the input, for each sample.

    Args:
        model: a module from shape (batch, in) to shape (batch, out) that does not mix samples.
        X: the samples, of shape (batch, in); stays as it is.
        k: the number of the neuron, from 0.

    Returns:
        A row for each sample, of shape (batch, in).
    """
    ### BEGIN SOLUTION
    leaf = X.clone().requires_grad_()
    return torch.autograd.grad(model(leaf)[:, k].sum(), leaf)[0]
    ### END SOLUTION

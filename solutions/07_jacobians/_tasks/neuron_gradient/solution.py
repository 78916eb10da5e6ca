import torch


def neuron_gradient(model: torch.nn.Module, X: torch.Tensor, k: int) -> torch.Tensor:
    """Compute the gradient of one neuron with respect to the input, for each sample.

    Args:
        model: a module that maps shape (batch, in) to shape (batch, out) and does not mix samples.
        X: the samples, of shape (batch, in); left unchanged.
        k: the index of the neuron, from 0.

    Returns:
        A tensor of shape (batch, in), with a row for each sample.
    """
    ### BEGIN SOLUTION
    leaf = X.clone().requires_grad_()
    return torch.autograd.grad(model(leaf)[:, k].sum(), leaf)[0]
    ### END SOLUTION

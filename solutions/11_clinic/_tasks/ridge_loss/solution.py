import torch


def ridge_loss(w: torch.Tensor, X: torch.Tensor, y: torch.Tensor, strength: float) -> torch.Tensor:
    """Compute the mean squared error of a linear model, plus a penalty on its weights.

    Args:
        w: the weights, of shape (n,).
        X: the inputs, of shape (m, n).
        y: the targets, of shape (m,).
        strength: the factor of the penalty.

    Returns:
        The loss, a tensor without axes, connected to `w`, `X` and `y`.
    """
    # Delete the next line, and repair what stands below it: the program as given.
    ### BEGIN SOLUTION
    return ((X @ w - y) ** 2).mean() + strength * (w**2).sum()
    ### END SOLUTION
    penalty = 0.0
    for weight in w:
        penalty = penalty + weight.item() ** 2
    return ((X @ w - y) ** 2).mean() + strength * penalty

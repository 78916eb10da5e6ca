import torch


def smallest_epsilon(w: torch.Tensor, b: float, x: torch.Tensor) -> torch.Tensor:
    """Compute how far each number must be allowed to move so that a linear score can become 0.

    Args:
        w: the weights, of shape (in,).
        b: the bias.
        x: rows of shape (batch, in); stay as they are.

    Returns:
        The least epsilon for each row, of shape (batch,).
    """
    ### BEGIN SOLUTION
    score = x @ w + b
    return score.abs() / w.abs().sum()
    ### END SOLUTION

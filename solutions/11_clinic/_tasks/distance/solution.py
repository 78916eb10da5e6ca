import torch


def distance(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Compute Euclidean distances, with a gradient of 0 where rows coincide.

    Args:
        a, b: points as rows, of shape (n, d); leave them unchanged.

    Returns:
        The distance of each row of `a` from that of `b`, of shape (n,), connected to both.
    """
    # Delete the next line, and repair what stands below it: the program as given.
    ### BEGIN SOLUTION
    squared = ((a - b) ** 2).sum(1)
    apart = squared > 0
    root = torch.where(apart, squared, 1.0).sqrt()
    return torch.where(apart, root, 0.0)
    ### END SOLUTION
    squared = ((a - b) ** 2).sum(1)
    return torch.where(squared > 0, squared.sqrt(), 0.0)

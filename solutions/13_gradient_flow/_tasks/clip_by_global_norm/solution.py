import math

import torch


def clip_by_global_norm(parameters: list[torch.Tensor], max_norm: float) -> float:
    """Scale all gradients in place by one number, so that their global norm is at most `max_norm`.

    Args:
        parameters: parameters of a model, whose `.grad` may be None.
        max_norm: a positive number.

    Returns:
        The norm of all gradients together, before they are scaled.

    Raises:
        ValueError: if the norm is not finite; the gradients are then left unchanged.
    """
    ### BEGIN SOLUTION
    gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
    if not gradients:
        return 0.0
    norms = [torch.linalg.vector_norm(gradient) for gradient in gradients]
    total = torch.linalg.vector_norm(torch.stack(norms)).item()  # the norm of the norms is the norm of all
    if not math.isfinite(total):
        raise ValueError("a gradient is infinite or nan")
    if total > max_norm:
        for gradient in gradients:
            gradient.mul_(max_norm / total)
    return total
    ### END SOLUTION

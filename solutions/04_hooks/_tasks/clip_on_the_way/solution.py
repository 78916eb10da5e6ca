import torch


def clip_on_the_way(t: torch.Tensor, max_norm: float):
    """Clip every gradient that passes through a tensor to a Euclidean norm of at most `max_norm`.

    Args:
        t: any tensor that requires a gradient.
        max_norm: the greatest Euclidean norm of the whole gradient, above 0.

    Returns:
        The handle that removes the hook.
    """

    ### BEGIN SOLUTION
    def clip(gradient):
        length = gradient.norm()
        return gradient * (max_norm / length) if length > max_norm else gradient

    return t.register_hook(clip)
    ### END SOLUTION

import torch


def grad_after(f, x: torch.Tensor, times: int) -> list[torch.Tensor]:
    """Return what a leaf's `.grad` holds after each of several backward passes.

    Args:
        f: a function from a tensor like `x` to a tensor with one element.
        x: a float tensor of any shape; it stays as it is.
        times: how many passes.

    Returns:
        `times` tensors like `x`, one for each pass.
    """
    ### BEGIN SOLUTION
    leaf = x.detach().clone().requires_grad_()
    log = []
    for _ in range(times):
        f(leaf).backward()
        log.append(leaf.grad.clone())  # later passes write into leaf.grad itself
    return log
    ### END SOLUTION

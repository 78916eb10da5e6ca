import torch


def pgd(
    model: torch.nn.Module, x: torch.Tensor, y: torch.Tensor, epsilon: float, step: float, iterations: int
) -> torch.Tensor:
    """Take projected gradient steps from images, against their labels.

    Args:
        model: from images to logits.
        x: images of shape (batch, C, H, W), pixels in [0, 1]; stay as they are.
        y: the labels to go against, int64, of shape (batch,).
        epsilon: how far a pixel may end up from where it was.
        step: how far a pixel moves in an iteration.
        iterations: how many steps, 0 or more.

    Returns:
        Images of the shape of `x`, pixels in [0, 1], detached.
    """
    ### BEGIN SOLUTION
    low, high = (x - epsilon).clamp(min=0), (x + epsilon).clamp(max=1)
    attacked = x.clone()
    for _ in range(iterations):
        leaf = attacked.clone().requires_grad_()
        loss = torch.nn.functional.cross_entropy(model(leaf), y)
        (gradient,) = torch.autograd.grad(loss, leaf)
        attacked = torch.clamp(attacked + step * gradient.sign(), low, high)
    return attacked
    ### END SOLUTION

import torch


def targeted_pgd(
    model: torch.nn.Module, x: torch.Tensor, target: torch.Tensor, epsilon: float, step: float, iterations: int
) -> tuple[torch.Tensor, torch.Tensor]:
    """Take projected gradient steps towards a class, and find out which images are then classified as it.

    Args:
        model: from images to logits.
        x: images of shape (batch, C, H, W), pixels in [0, 1]; stay as they are.
        target: the class that each image should be classified as, int64, of shape (batch,).
        epsilon: how far a pixel may end up from where it was.
        step: how far a pixel moves in an iteration.
        iterations: how many steps, 0 or more.

    Returns:
        Images of the shape of `x`, detached, and a bool for each of them, of shape (batch,).
    """
    ### BEGIN SOLUTION
    low, high = (x - epsilon).clamp(min=0), (x + epsilon).clamp(max=1)
    attacked = x.clone()
    for _ in range(iterations):
        leaf = attacked.clone().requires_grad_()
        loss = torch.nn.functional.cross_entropy(model(leaf), target)
        (gradient,) = torch.autograd.grad(loss, leaf)
        attacked = torch.clamp(attacked - step * gradient.sign(), low, high)
    return attacked, model(attacked).argmax(dim=1) == target
    ### END SOLUTION

import torch


def grad_cam(
    features: torch.nn.Module, head: torch.nn.Module, image: torch.Tensor, target: int | torch.Tensor
) -> torch.Tensor:
    """Find the evidence for a class in an image.

    Args:
        features: from images to maps of shape (batch, channels, h, w).
        head: from the maps to logits of shape (batch, classes).
        image: of shape (batch, C, H, W); stays as it is.
        target: a class for all images, or an int64 tensor with a class for each.

    Returns:
        One map for each image, of shape (batch, 1, h, w).
    """
    ### BEGIN SOLUTION
    maps = features(image).detach().requires_grad_()
    logits = head(maps)
    chosen = logits[torch.arange(len(logits)), target]  # one from each row
    (gradient,) = torch.autograd.grad(chosen.sum(), maps)
    weights = gradient.mean(dim=(2, 3), keepdim=True)
    return torch.relu((weights * maps).sum(dim=1, keepdim=True))
    ### END SOLUTION

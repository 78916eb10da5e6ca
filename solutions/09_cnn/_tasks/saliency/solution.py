import torch


def saliency(model: torch.nn.Module, image: torch.Tensor, target: int | torch.Tensor) -> torch.Tensor:
    """Compute how strongly each pixel moves the logit of a class.

    Args:
        model: from images to logits of shape (batch, classes).
        image: of shape (batch, C, H, W); stays as it is.
        target: a class for all images, or an int64 tensor with a class for each.

    Returns:
        The absolute gradient, in the shape of `image`.
    """
    ### BEGIN SOLUTION
    leaf = image.clone().requires_grad_()
    logits = model(leaf)
    chosen = logits[torch.arange(len(logits)), target]  # one from each row
    (gradient,) = torch.autograd.grad(chosen.sum(), leaf)
    return gradient.abs()
    ### END SOLUTION

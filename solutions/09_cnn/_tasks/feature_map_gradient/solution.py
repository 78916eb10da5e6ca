import torch


def feature_map_gradient(
    conv1: torch.nn.Module, conv2: torch.nn.Module, fc: torch.nn.Module, image: torch.Tensor, target: torch.Tensor
) -> torch.Tensor:
    """Compute the gradient of the cross entropy with respect to the maps after the second ReLU.

    Args:
        conv1: the first convolution.
        conv2: the second convolution.
        fc: a Linear layer from the flattened maps to the logits.
        image: of shape (batch, C, H, W); stays as it is.
        target: a class for each image, int64, of shape (batch,).

    Returns:
        A tensor of the shape of the maps, (batch, channels, h, w).
    """
    ### BEGIN SOLUTION
    h = torch.relu(conv2(torch.relu(conv1(image)))).detach().requires_grad_()
    loss = torch.nn.functional.cross_entropy(fc(h.flatten(1)), target)
    return torch.autograd.grad(loss, h)[0]
    ### END SOLUTION

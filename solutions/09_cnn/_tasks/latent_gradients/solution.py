import torch


def latent_gradients(
    encoder: torch.nn.Module, decoder: torch.nn.Module, image: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Compute the gradients of the sum of a decoder's output with respect to two tensors on the way to it.

    Args:
        encoder: a module from images to latents, of shape (batch, channels, h, w).
        decoder: a module that takes (batch, channels).
        image: of shape (batch, C, H, W); stays as it is.

    Returns:
        The gradients of modified, twice the latent's mean over height and width, and of the latent.
    """
    ### BEGIN SOLUTION
    latent = encoder(image).detach().requires_grad_()  # a leaf in any case: the encoder may be frozen
    modified = 2 * latent.mean(dim=(2, 3))
    loss = decoder(modified).sum()
    return torch.autograd.grad(loss, (modified, latent))
    ### END SOLUTION

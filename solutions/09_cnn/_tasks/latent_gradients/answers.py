"""latent_gradients: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

from collections.abc import Callable

import torch

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, mistake, right, wrong

from ..shared import NOTHING_TO_RETAIN
from .task import gradients_of_latents


def _after(change: Callable[[torch.Tensor, torch.Tensor], tuple]) -> Callable[..., tuple]:
    """What is made of the right pair (d_modified, d_latent)."""
    return lambda *given: change(*gradients_of_latents(*given))


known(
    Mistake(
        "no retain_grad",
        "Unless `retain_grad()` was called on it before the backward pass, the `.grad` of an inner tensor such as "
        "`modified` stays None. See lesson 03, “Retaining the gradient of an inner tensor”.",
        _after(lambda d_modified, d_latent: (None, d_latent)),
    )
)


@wrong("no retain_grad", predicts=True)
def nothing_retained():
    def latent_gradients(encoder, decoder, image):
        latent = encoder(image.clone().requires_grad_())
        modified = 2 * latent.mean(dim=(2, 3))
        decoder(modified).sum().backward()
        return modified.grad, latent.grad


@wrong("no retain_grad", predicts=True)
def only_modified_retained():
    def latent_gradients(encoder, decoder, image):
        latent = encoder(image.clone().requires_grad_())
        modified = 2 * latent.mean(dim=(2, 3))
        modified.retain_grad()
        decoder(modified).sum().backward()
        return modified.grad, latent.grad


@mistake("factor 2 missing", "These are the gradients for the mean alone. `modified` is twice the mean.")
def the_mean_alone():
    import torch

    def latent_gradients(encoder, decoder, image):
        latent = encoder(image).detach().requires_grad_()
        modified = latent.mean(dim=(2, 3))
        return torch.autograd.grad(decoder(modified).sum(), (modified, latent))


@mistake(
    "sum instead of mean",
    "These are the gradients for the sum over height and width. `modified` contains the mean, to which "
    "each position adds only a fraction.",
)
def summed_over_places():
    import torch

    def latent_gradients(encoder, decoder, image):
        latent = encoder(image).detach().requires_grad_()
        modified = 2 * latent.sum(dim=(2, 3))
        return torch.autograd.grad(decoder(modified).sum(), (modified, latent))


known(
    Mistake(
        "not divided by positions",
        "Nothing in `d_latent` was divided by the number of positions. The mean divides `d_modified` among all "
        "positions. How much does each get?",
        _after(lambda d_modified, d_latent: (d_modified, d_latent * d_latent[0, 0].numel() / 2)),
    ),
    Mistake(
        "height and width lost",
        "`d_latent` has one number per channel. The latent has height and width too, and so has its gradient.",
        _after(lambda d_modified, d_latent: (d_modified, d_latent.mean((2, 3)))),
    ),
)


@wrong("not divided by positions", predicts=True)
def spread_without_a_share():
    import torch

    def latent_gradients(encoder, decoder, image):
        latent = encoder(image).detach()
        modified = (2 * latent.mean(dim=(2, 3))).requires_grad_()
        d_modified = torch.autograd.grad(decoder(modified).sum(), modified)[0]
        return d_modified, 2 * d_modified[:, :, None, None].expand_as(latent)


@wrong("height and width lost", predicts=True)
def one_number_a_channel():
    import torch

    def latent_gradients(encoder, decoder, image):
        latent = encoder(image).detach().requires_grad_()
        modified = 2 * latent.mean(dim=(2, 3))
        d_modified, d_latent = torch.autograd.grad(decoder(modified).sum(), (modified, latent))
        return d_modified, d_latent.sum(dim=(2, 3))


@mistake("loss averaged", "These are the gradients of the mean of the decoder's output. The loss is its sum.")
def the_mean_as_loss():
    import torch

    def latent_gradients(encoder, decoder, image):
        latent = encoder(image).detach().requires_grad_()
        modified = 2 * latent.mean(dim=(2, 3))
        return torch.autograd.grad(decoder(modified).mean(), (modified, latent))


@mistake("decoder skipped", "These are the gradients of the sum of `modified`. The loss comes after the decoder.")
def no_decoder():
    import torch

    def latent_gradients(encoder, decoder, image):
        latent = encoder(image).detach().requires_grad_()
        modified = 2 * latent.mean(dim=(2, 3))
        decoder(modified)
        return torch.autograd.grad(modified.sum(), (modified, latent))


@mistake(
    "values instead of gradients",
    "You returned `modified` and `latent` themselves. Return the gradients with respect to them.",
)
def values_returned():
    def latent_gradients(encoder, decoder, image):
        latent = encoder(image)
        return (2 * latent.mean(dim=(2, 3))).detach(), latent.detach()


known(NOTHING_TO_RETAIN)


@wrong("requires_grad switched on", loses=("frozen parts, and all as it was",))
def image_marked():
    def latent_gradients(encoder, decoder, image):
        image.requires_grad_()
        latent = encoder(image)
        latent.retain_grad()
        modified = 2 * latent.mean(dim=(2, 3))
        modified.retain_grad()
        decoder(modified).sum().backward()
        return modified.grad, latent.grad


@wrong("parameters thawed", loses=("frozen parts, and all as it was",))
def the_encoder_thawed():
    def latent_gradients(encoder, decoder, image):
        for p in list(encoder.parameters()) + list(decoder.parameters()):
            p.requires_grad = True
        latent = encoder(image)
        latent.retain_grad()
        modified = 2 * latent.mean(dim=(2, 3))
        modified.retain_grad()
        decoder(modified).sum().backward()
        return modified.grad, latent.grad


@wrong("mode changed", loses=("frozen parts, and all as it was",))
def left_in_evaluation():
    import torch

    def latent_gradients(encoder, decoder, image):
        encoder.eval()
        decoder.eval()
        latent = encoder(image).detach().requires_grad_()
        modified = 2 * latent.mean(dim=(2, 3))
        return torch.autograd.grad(decoder(modified).sum(), (modified, latent))


@wrong("tensor requires no gradient", loses=("frozen parts, and all as it was",))
def retained_as_it_comes():
    def latent_gradients(encoder, decoder, image):
        latent = encoder(image)
        latent.retain_grad()
        modified = 2 * latent.mean(dim=(2, 3))
        modified.retain_grad()
        decoder(modified).sum().backward()
        return modified.grad, latent.grad


@mistake(
    "wrong axes averaged",
    "The decoder did not get the shape (batch, channels). Height and width are the axes 2 and 3.",
    raises="RuntimeError: (mat1 and mat2 shapes cannot be multiplied|size mismatch|input must be|"
    "Given normalized_shape|mat1 and mat2 must)",
)
def averaged_over_the_last_axis():
    import torch

    def latent_gradients(encoder, decoder, image):
        latent = encoder(image).detach().requires_grad_()
        modified = 2 * latent.mean(dim=-1)
        return torch.autograd.grad(decoder(modified).sum(), (modified, latent))


@mistake(
    "decoder's weight as gradient",
    "A decoder of several layers has no `weight` of its own. The weights are the gradient only if it is "
    "a single Linear layer.",
    raises="AttributeError: '\\w+' object has no attribute '(weight|bias|out_features|in_features)'",
)
def rows_of_the_decoder_added():
    def latent_gradients(encoder, decoder, image):
        latent = encoder(image)
        d_modified = decoder.weight.sum(0).expand(len(image), -1)
        places = latent.shape[2] * latent.shape[3]
        return d_modified, (2 / places * d_modified)[:, :, None, None].expand_as(latent)


@wrong("not attempted")
def latent_gradients_not_attempted():
    def latent_gradients(encoder, decoder, image):
        raise NotImplementedError  # your code here


@wrong("None used as a gradient")
def cloned_before_it_was_there():
    def latent_gradients(encoder, decoder, image):
        latent = encoder(image.clone().requires_grad_())
        modified = 2 * latent.mean(dim=(2, 3))
        decoder(modified).sum().backward()
        modified.retain_grad()
        return modified.grad.clone(), latent.grad.clone()


@wrong("under another name")
def the_other_order():
    import torch

    def latent_gradients(encoder, decoder, image):
        latent = encoder(image).detach().requires_grad_()
        modified = 2 * latent.mean(dim=(2, 3))
        return torch.autograd.grad(decoder(modified).sum(), (latent, modified))


@wrong("not part of the graph")
def the_encoder_run_again():
    import torch

    def latent_gradients(encoder, decoder, image):
        image = image.clone().requires_grad_()
        modified = 2 * encoder(image).mean(dim=(2, 3))
        return torch.autograd.grad(decoder(modified).sum(), (modified, encoder(image)))


@right
def retain_grad_and_backward():
    def latent_gradients(encoder, decoder, image):
        latent = encoder(image.clone().requires_grad_())
        latent.retain_grad()
        modified = latent.mean(dim=[2, 3]) * 2
        modified.retain_grad()
        decoder(modified).sum().backward()
        return modified.grad, latent.grad


@right
def the_latents_share_by_hand():
    import torch

    def latent_gradients(encoder, decoder, image):
        with torch.no_grad():
            latent = encoder(image)
        modified = (2 * latent.flatten(2).mean(2)).requires_grad_()
        (of_modified,) = torch.autograd.grad(decoder(modified).sum(), modified)
        share = 2 / (latent.shape[2] * latent.shape[3])
        return [of_modified, (share * of_modified)[:, :, None, None].expand_as(latent)]


@right
def hooks_on_both():
    def latent_gradients(encoder, decoder, image):
        kept = {}
        latent = encoder(image.detach().requires_grad_(True))
        latent.register_hook(lambda g: kept.update(latent=g.clone()))
        modified = 2 * latent.sum((2, 3)) / latent[0, 0].numel()
        modified.register_hook(lambda g: kept.update(modified=g.clone()))
        decoder(modified).sum().backward()
        return kept["modified"], kept["latent"]

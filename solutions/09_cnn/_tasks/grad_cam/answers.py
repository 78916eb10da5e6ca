"""grad_cam: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn

from autograder.diagnosis import Mistake
from autograder.references.leaves import leaf_of
from autograder.tasks.answers import known, mistake, right, wrong

from ..shared import NOTHING_TO_RETAIN, TARGET_ERRORS, Score, Target, wrong_scores
from .task import cam, maps_and_gradients


def _mean(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.mean((2, 3), keepdim=True)


def _added(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.sum(1, keepdim=True)


def _from(change: Callable[[torch.Tensor, torch.Tensor], torch.Tensor]) -> Callable[..., torch.Tensor]:
    """What is made of the maps and their gradient."""
    return lambda *given: change(*maps_and_gradients(*given))


def _after(change: Callable[[torch.Tensor], torch.Tensor]) -> Callable[..., torch.Tensor]:
    """What is made of the right answer."""
    return lambda *given: change(cam(*given))


def _of(score: Score) -> Callable[[nn.Module, nn.Module, torch.Tensor, Target], torch.Tensor]:
    """The right way from another score than the target's logit."""

    def implementation(features: nn.Module, head: nn.Module, image: torch.Tensor, target: Target) -> torch.Tensor:
        maps = leaf_of(features(image))
        (gradient,) = torch.autograd.grad(score(head(maps), target), maps)
        return _added(maps.detach() * _mean(gradient)).relu()

    return implementation


@mistake(
    "ReLU forgotten", "Some numbers are below 0, at positions that count against the target. The last step is a ReLU."
)
def no_relu():
    import torch

    def grad_cam(features, head, image, target):
        maps = features(image).detach().requires_grad_()
        out = head(maps)
        g = torch.autograd.grad(out[torch.arange(len(out)), target].sum(), maps)[0]
        return (g.mean((2, 3), keepdim=True) * maps.detach()).sum(1, keepdim=True)


@mistake(
    "absolute value instead of ReLU",
    "You took the absolute value where a ReLU belongs, so positions that count against the target look "
    "as if they counted for it.",
)
def sizes_of_the_sum():
    import torch

    def grad_cam(features, head, image, target):
        maps = features(image).detach().requires_grad_()
        out = head(maps)
        g = torch.autograd.grad(out[torch.arange(len(out)), target].sum(), maps)[0]
        return (g.mean((2, 3), keepdim=True) * maps.detach()).sum(1, keepdim=True).abs()


@mistake(
    "gradients summed",
    "You weighted each map by the sum of its gradient. The weight is the mean over height and width.",
)
def summed_weights():
    import torch

    def grad_cam(features, head, image, target):
        maps = features(image).detach().requires_grad_()
        out = head(maps)
        g = torch.autograd.grad(out[torch.arange(len(out)), target].sum(), maps)[0]
        return torch.relu((g.sum((2, 3), keepdim=True) * maps.detach()).sum(1, keepdim=True))


@mistake(
    "gradients not averaged",
    "You weighted each position by its own gradient. In Grad-CAM a map has one weight, the mean of its gradient.",
)
def place_by_place():
    import torch

    def grad_cam(features, head, image, target):
        maps = features(image).detach().requires_grad_()
        out = head(maps)
        g = torch.autograd.grad(out[torch.arange(len(out)), target].sum(), maps)[0]
        return torch.relu((g * maps.detach()).sum(1, keepdim=True))


@mistake(
    "maps and gradients swapped",
    "You averaged the maps and weighted the gradients with these means. Average the gradients, and weight the maps.",
)
def means_of_the_maps():
    import torch

    def grad_cam(features, head, image, target):
        maps = features(image).detach().requires_grad_()
        out = head(maps)
        g = torch.autograd.grad(out[torch.arange(len(out)), target].sum(), maps)[0]
        return torch.relu((maps.detach().mean((2, 3), keepdim=True) * g).sum(1, keepdim=True))


@mistake("maps averaged", "You averaged the weighted maps. Add them up.")
def mean_over_channels():
    import torch

    def grad_cam(features, head, image, target):
        maps = features(image).detach().requires_grad_()
        out = head(maps)
        g = torch.autograd.grad(out[torch.arange(len(out)), target].sum(), maps)[0]
        return torch.relu((g.mean((2, 3), keepdim=True) * maps.detach()).mean(1, keepdim=True))


known(
    Mistake(
        "ReLU before the sum",
        "You applied the ReLU before the sum over the maps, so nothing counts against the target. Apply it last.",
        _from(lambda maps, gradient: _added(maps * _mean(gradient.relu())).relu()),
    )
)


@wrong("ReLU before the sum", predicts=True)
def each_map_clamped():
    import torch

    def grad_cam(features, head, image, target):
        maps = features(image).detach().requires_grad_()
        out = head(maps)
        g = torch.autograd.grad(out[torch.arange(len(out)), target].sum(), maps)[0]
        return torch.relu(g.mean((2, 3), keepdim=True) * maps.detach()).sum(1, keepdim=True)


@wrong("ReLU before the sum", predicts=True)
def positive_weights_only():
    import torch

    def grad_cam(features, head, image, target):
        maps = features(image).detach().requires_grad_()
        out = head(maps)
        g = torch.autograd.grad(out[torch.arange(len(out)), target].sum(), maps)[0]
        weights = torch.relu(g.mean((2, 3), keepdim=True))
        return torch.relu((weights * maps.detach()).sum(1, keepdim=True))


@mistake(
    "one weight for the batch",
    "The weights of the maps are the same for all images, because the gradient was averaged over the batch too.",
)
def weights_of_the_batch():
    import torch

    def grad_cam(features, head, image, target):
        maps = features(image).detach().requires_grad_()
        out = head(maps)
        g = torch.autograd.grad(out[torch.arange(len(out)), target].sum(), maps)[0]
        return torch.relu((g.mean((0, 2, 3), keepdim=True) * maps.detach()).sum(1, keepdim=True))


@mistake("maps not weighted", "You added up the maps without weights. Each map has one, which comes from its gradient.")
def plain_sum():
    import torch

    def grad_cam(features, head, image, target):
        return torch.relu(features(image).sum(1, keepdim=True))


@mistake("channel axis lost", "The numbers are right. Return them in the shape (batch, 1, h, w), with one channel.")
def without_the_channel():
    import torch

    def grad_cam(features, head, image, target):
        maps = features(image).detach().requires_grad_()
        out = head(maps)
        g = torch.autograd.grad(out[torch.arange(len(out)), target].sum(), maps)[0]
        return torch.relu((g.mean((2, 3), keepdim=True) * maps.detach()).sum(1))


known(
    Mistake(
        "maps not summed",
        "You returned a result for each map. Add them up, so that one channel is left.",
        _from(lambda maps, gradient: maps * _mean(gradient)),
    ),
    Mistake(
        "scaled",
        "You scaled the numbers. Pictures are often shown like this, but here the sum keeps its own size.",
        _after(lambda right: right / right.max()),
        _after(lambda right: (right - right.min()) / (right.max() - right.min())),
    ),
)


@wrong("maps not summed", predicts=True)
def a_picture_for_each_map():
    import torch

    def grad_cam(features, head, image, target):
        maps = features(image).detach().requires_grad_()
        out = head(maps)
        g = torch.autograd.grad(out[torch.arange(len(out)), target].sum(), maps)[0]
        return torch.relu(g.mean((2, 3), keepdim=True) * maps.detach())


@wrong("scaled", predicts=True)
def scaled_for_a_picture():
    import torch

    def grad_cam(features, head, image, target):
        maps = features(image).detach().requires_grad_()
        out = head(maps)
        g = torch.autograd.grad(out[torch.arange(len(out)), target].sum(), maps)[0]
        cam = torch.relu((g.mean((2, 3), keepdim=True) * maps.detach()).sum(1, keepdim=True))
        return cam / cam.amax((1, 2, 3), keepdim=True)


@mistake("upsampled to the image", "You enlarged the result to the image's size. Return it in the size of the maps.")
def as_large_as_the_image():
    import torch
    import torch.nn.functional as F

    def grad_cam(features, head, image, target):
        maps = features(image).detach().requires_grad_()
        out = head(maps)
        g = torch.autograd.grad(out[torch.arange(len(out)), target].sum(), maps)[0]
        cam = torch.relu((g.mean((2, 3), keepdim=True) * maps.detach()).sum(1, keepdim=True))
        return F.interpolate(cam, size=image.shape[2:], mode="bilinear", align_corners=False)


known(wrong_scores(_of), NOTHING_TO_RETAIN, TARGET_ERRORS)


@wrong("of the loss")
def of_the_cross_entropy_as_in_training():
    import torch
    import torch.nn.functional as F

    def grad_cam(features, head, image, target):
        maps = features(image).detach().requires_grad_()
        index = torch.as_tensor(target).expand(len(image))
        g = torch.autograd.grad(F.cross_entropy(head(maps), index), maps)[0]
        return torch.relu((g.mean((2, 3), keepdim=True) * maps.detach()).sum(1, keepdim=True))


@wrong("of the probability", predicts=True)
def of_the_log_probability():
    import torch

    def grad_cam(features, head, image, target):
        maps = features(image).detach().requires_grad_()
        out = head(maps).log_softmax(1)
        g = torch.autograd.grad(out[torch.arange(len(out)), target].sum(), maps)[0]
        return torch.relu((g.mean((2, 3), keepdim=True) * maps.detach()).sum(1, keepdim=True))


@wrong("sum of all logits")
def target_unused():
    import torch

    def grad_cam(features, head, image, target):
        maps = features(image).detach().requires_grad_()
        g = torch.autograd.grad(head(maps).sum(), maps)[0]
        return torch.relu((g.mean((2, 3), keepdim=True) * maps.detach()).sum(1, keepdim=True))


@wrong("the predicted class")
def for_the_prediction():
    import torch

    def grad_cam(features, head, image, target):
        maps = features(image).detach().requires_grad_()
        g = torch.autograd.grad(head(maps).amax(1).sum(), maps)[0]
        return torch.relu((g.mean((2, 3), keepdim=True) * maps.detach()).sum(1, keepdim=True))


@wrong("every target for every image", loses=("a class for each image",))
def columns_of_logits():
    import torch

    def grad_cam(features, head, image, target):
        maps = features(image).detach().requires_grad_()
        g = torch.autograd.grad(head(maps)[:, target].sum(), maps)[0]
        return torch.relu((g.mean((2, 3), keepdim=True) * maps.detach()).sum(1, keepdim=True))


@wrong("first image only")
def logit_of_the_first_image():
    import torch

    def grad_cam(features, head, image, target):
        maps = features(image).detach().requires_grad_()
        c = target if isinstance(target, int) else target[0]
        g = torch.autograd.grad(head(maps)[0, c], maps)[0]
        return torch.relu((g.mean((2, 3), keepdim=True) * maps.detach()).sum(1, keepdim=True))


@wrong("requires_grad switched on", loses=("image and model as they were",))
def the_image_marked():
    import torch

    def grad_cam(features, head, image, target):
        image.requires_grad = True
        maps = features(image)
        out = head(maps)
        g = torch.autograd.grad(out[torch.arange(len(out)), target].sum(), maps)[0]
        return torch.relu((g.mean((2, 3), keepdim=True) * maps.detach()).sum(1, keepdim=True))


@wrong("tensor requires no gradient", loses=("image and model as they were",))
def maps_as_they_come():
    import torch

    def grad_cam(features, head, image, target):
        maps = features(image)
        out = head(maps)
        g = torch.autograd.grad(out[torch.arange(len(out)), target].sum(), maps)[0]
        return torch.relu((g.mean((2, 3), keepdim=True) * maps.detach()).sum(1, keepdim=True))


@wrong("sample indexed as class")
def row_of_logits():
    import torch

    def grad_cam(features, head, image, target):
        maps = features(image).detach().requires_grad_()
        g = torch.autograd.grad(head(maps)[target].sum(), maps)[0]
        return torch.relu((g.mean((2, 3), keepdim=True) * maps.detach()).sum(1, keepdim=True))


@mistake(
    "maps computed twice",
    "You differentiated with respect to maps that the logits were not computed from. Maps computed a "
    "second time are other tensors with the same numbers.",
    raises="RuntimeError: .* appears? to not have been used in the graph",
)
def features_run_again():
    import torch

    def grad_cam(features, head, image, target):
        x = image.clone().requires_grad_()
        maps = features(x)
        out = head(features(x))
        g = torch.autograd.grad(out[torch.arange(len(out)), target].sum(), maps)[0]
        return torch.relu((g.mean((2, 3), keepdim=True) * maps.detach()).sum(1, keepdim=True))


@wrong("not attempted")
def grad_cam_not_attempted():
    def grad_cam(features, head, image, target):
        raise NotImplementedError  # your code here


@right
def maps_retained():
    import torch

    def grad_cam(features, head, image, target):
        maps = features(image.clone().requires_grad_())
        maps.retain_grad()
        out = head(maps)
        rows = torch.arange(out.shape[0])
        out[rows, target].sum().backward()
        alpha = maps.grad.flatten(2).mean(-1)
        return torch.einsum("bc,bchw->bhw", alpha, maps.detach()).clamp(min=0).unsqueeze(1)


@right
def image_by_image():
    import torch
    import torch.nn.functional as F

    def grad_cam(features, head, image, target):
        cams = []
        for k in range(len(image)):
            c = target if isinstance(target, int) else int(target[k])
            with torch.no_grad():
                a = features(image[k : k + 1])
            g = torch.func.grad(lambda a: head(a)[0, c])(a)
            cams.append(F.relu(sum(g[0, m].mean() * a[0, m] for m in range(a.shape[1]))))
        return torch.stack(cams).unsqueeze(1)


@right
def a_one_by_one_convolution():
    import torch
    import torch.nn.functional as F

    def grad_cam(features, head, image, target):
        maps = features(image).detach().clone().requires_grad_()
        logits = head(maps)
        if not torch.is_tensor(target):
            target = torch.full((len(logits),), target)
        (g,) = torch.autograd.grad(logits.gather(1, target.unsqueeze(1)).sum(), maps)
        w = F.adaptive_avg_pool2d(g, 1)
        b, c, h, k = maps.shape
        grouped = F.conv2d(maps.reshape(1, b * c, h, k), w.reshape(b, c, 1, 1), groups=b)
        return F.relu(grouped.reshape(b, 1, h, k))

"""saliency: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn

from autograder.diagnosis import Mistake
from autograder.references.leaves import leaf_of
from autograder.tasks.answers import known, mistake, right, wrong

from ..shared import NOTHING_TO_RETAIN, TARGET_ERRORS, Score, Target, wrong_scores
from .task import saliency_map


def _of(score: Score) -> Callable[[nn.Module, torch.Tensor, Target], torch.Tensor]:
    def implementation(model: nn.Module, image: torch.Tensor, target: Target) -> torch.Tensor:
        leaf = leaf_of(image)
        return torch.autograd.grad(score(model(leaf), target), leaf)[0].abs()

    return implementation


def _after(change: Callable[[torch.Tensor], torch.Tensor]) -> Callable[..., torch.Tensor]:
    return lambda *given: change(saliency_map(*given))


@mistake(
    "sign kept",
    "Some numbers are negative. Saliency says how strongly a pixel moves the logit, not in which direction.",
)
def signed():
    import torch

    def saliency(model, image, target):
        leaf = image.clone().requires_grad_()
        logits = model(leaf)
        index = torch.as_tensor(target).expand(len(image)).reshape(-1, 1)
        return torch.autograd.grad(logits.gather(1, index).sum(), leaf)[0]


known(
    wrong_scores(_of),
    Mistake(
        "scaled",
        "You scaled the numbers by the largest or by the sum. Pictures are often shown like this, but here "
        "the gradient keeps its own size.",
        _after(lambda right: right / right.amax((1, 2, 3), keepdim=True)),
        _after(lambda right: (right - right.min()) / (right.max() - right.min())),
        _after(lambda right: right / right.sum()),
    ),
    Mistake(
        "channels merged",
        "You merged the channels into one number per pixel. Keep them apart: the result has the shape of `image`.",
        _after(lambda right: right.amax(1, keepdim=True)),
        _after(lambda right: right.sum(1)),
        _after(lambda right: right.mean(1)),
        _after(lambda right: right.amax(1, keepdim=True).expand_as(right)),
        _after(lambda right: right.mean(1, keepdim=True).expand_as(right)),
    ),
)


@wrong("of the loss")
def of_the_cross_entropy():
    import torch
    import torch.nn.functional as F

    def saliency(model, image, target):
        leaf = image.clone().requires_grad_()
        index = torch.as_tensor(target).expand(len(image))
        F.cross_entropy(model(leaf), index).backward()
        return leaf.grad.abs()


@wrong("of the probability")
def of_the_softmax():
    import torch

    def saliency(model, image, target):
        leaf = image.clone().requires_grad_()
        p = model(leaf).softmax(dim=1)
        index = torch.as_tensor(target).expand(len(image)).reshape(-1, 1)
        return torch.autograd.grad(p.gather(1, index).sum(), leaf)[0].abs()


@wrong("sum of all logits")
def of_all_logits():
    import torch

    def saliency(model, image, target):
        leaf = image.clone().requires_grad_()
        return torch.autograd.grad(model(leaf).sum(), leaf)[0].abs()


@wrong("the predicted class")
def of_the_largest_logit():
    import torch

    def saliency(model, image, target):
        leaf = image.clone().requires_grad_()
        return torch.autograd.grad(model(leaf).max(dim=1).values.sum(), leaf)[0].abs()


@wrong("every target for every image", loses=("a class for each image",))
def a_column_for_each_target():
    import torch

    def saliency(model, image, target):
        leaf = image.clone().requires_grad_()
        return torch.autograd.grad(model(leaf)[:, target].sum(), leaf)[0].abs()


@wrong("mean over the batch")
def mean_of_the_chosen():
    import torch

    def saliency(model, image, target):
        leaf = image.clone().requires_grad_()
        logits = model(leaf)
        return torch.autograd.grad(logits[torch.arange(len(logits)), target].mean(), leaf)[0].abs()


@wrong("first image only")
def row_zero():
    import torch

    def saliency(model, image, target):
        leaf = image.clone().requires_grad_()
        c = target if isinstance(target, int) else target[0]
        return torch.autograd.grad(model(leaf)[0, c], leaf)[0].abs()


@wrong("first image's target", loses=("a class for each image",))
def one_target_for_all():
    import torch

    def saliency(model, image, target):
        leaf = image.clone().requires_grad_()
        c = target if isinstance(target, int) else int(target[0])
        return torch.autograd.grad(model(leaf)[:, c].sum(), leaf)[0].abs()


@wrong("scaled", predicts=True)
def scaled_to_one():
    import torch

    def saliency(model, image, target):
        leaf = image.clone().requires_grad_()
        logits = model(leaf)
        g = torch.autograd.grad(logits[torch.arange(len(logits)), target].sum(), leaf)[0].abs()
        return g / g.max()


@wrong("channels merged", predicts=True)
def largest_over_channels():
    import torch

    def saliency(model, image, target):
        leaf = image.clone().requires_grad_()
        logits = model(leaf)
        g = torch.autograd.grad(logits[torch.arange(len(logits)), target].sum(), leaf)[0].abs()
        return g.max(dim=1).values


@mistake("squared", "You squared the gradient. Return its absolute value.")
def energy():
    import torch

    def saliency(model, image, target):
        leaf = image.clone().requires_grad_()
        logits = model(leaf)
        return torch.autograd.grad(logits[torch.arange(len(logits)), target].sum(), leaf)[0] ** 2


@mistake(
    "gradient times image",
    "You multiplied the gradient by the image, so a pixel without ink gets 0, however strongly it would "
    "move the logit.",
)
def times_the_image():
    import torch

    def saliency(model, image, target):
        leaf = image.clone().requires_grad_()
        logits = model(leaf)
        g = torch.autograd.grad(logits[torch.arange(len(logits)), target].sum(), leaf)[0]
        return (g * image).abs()


known(NOTHING_TO_RETAIN, TARGET_ERRORS)


@wrong("requires_grad switched on", loses=("image and model as they were",))
def image_marked_as_leaf():
    import torch

    def saliency(model, image, target):
        image.requires_grad_()
        logits = model(image)
        return torch.autograd.grad(logits[torch.arange(len(logits)), target].sum(), image)[0].abs()


@wrong("mode changed", loses=("image and model as they were",))
def to_evaluation_and_back():
    import torch

    def saliency(model, image, target):
        model.eval()
        leaf = image.clone().requires_grad_()
        logits = model(leaf)
        g = torch.autograd.grad(logits[torch.arange(len(logits)), target].sum(), leaf)[0].abs()
        model.train()
        return g


@wrong("tensor requires no gradient", loses=("image and model as they were",))
def no_leaf():
    import torch

    def saliency(model, image, target):
        image = image.clone().requires_grad_() if any(p.requires_grad for p in model.parameters()) else image
        logits = model(image)
        return torch.autograd.grad(logits[torch.arange(len(logits)), target].sum(), image)[0].abs()


@wrong("sample indexed as class")
def row_of_the_target():
    import torch

    def saliency(model, image, target):
        leaf = image.clone().requires_grad_()
        return torch.autograd.grad(model(leaf)[target].sum(), leaf)[0].abs()


@wrong("backward from a vector")
def a_column_as_it_is():
    import torch

    def saliency(model, image, target):
        leaf = image.clone().requires_grad_()
        return torch.autograd.grad(model(leaf)[:, target], leaf)[0].abs()


@wrong("target: int or tensor", loses=("one class for all images", "image and model as they were"))
def tensors_only():
    import torch

    def saliency(model, image, target):
        leaf = image.clone().requires_grad_()
        logits = model(leaf)
        return torch.autograd.grad(logits.gather(1, target.view(-1, 1)).sum(), leaf)[0].abs()


@wrong("not attempted")
def saliency_not_attempted():
    def saliency(model, image, target):
        raise NotImplementedError  # your code here


@right
def gathered_logits():
    import torch

    def saliency(model, image, target):
        leaf = image.detach().clone().requires_grad_()
        logits = model(leaf)
        index = torch.as_tensor(target).expand(len(image)).reshape(-1, 1)
        logits.gather(1, index).sum().backward()
        return leaf.grad.abs()


@right
def one_hot_upstream():
    import torch
    import torch.nn.functional as F

    def saliency(model, image, target):
        x = image.clone()
        x.requires_grad = True
        out = model(x)
        if isinstance(target, int):
            target = torch.tensor([target] * len(out))
        weights = F.one_hot(target, out.size(1)).to(out.dtype)
        return torch.autograd.grad(out, x, grad_outputs=weights)[0].abs()


@right
def image_by_image():
    import torch

    def saliency(model, image, target):
        targets = [target] * len(image) if isinstance(target, int) else target.tolist()
        maps = []
        for one, c in zip(image, targets):
            one = one.clone().unsqueeze(0).requires_grad_()
            maps.append(torch.autograd.grad(model(one)[0, c], one)[0].abs())
        return torch.cat(maps)

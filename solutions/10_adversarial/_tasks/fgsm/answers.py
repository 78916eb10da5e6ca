"""fgsm: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, right, slip, wrong

from ..attacks import stepped
from ..shared import WAYS, Way, remade, uphill


def _along(way: Way, times: float = 1.0) -> Callable[..., torch.Tensor]:
    """A step in this direction."""

    def implementation(model: nn.Module, x: torch.Tensor, y: torch.Tensor, epsilon: float) -> torch.Tensor:
        return (x + times * epsilon * way(model, x, y)).clamp(0, 1)

    return implementation


def _stretched(model: nn.Module, x: torch.Tensor, y: torch.Tensor, epsilon: float) -> torch.Tensor:
    """Each image scaled by itself."""
    new = x + epsilon * uphill(model, x, y)
    low, high = new.amin((1, 2, 3), keepdim=True), new.amax((1, 2, 3), keepdim=True)
    return (new - low) / (high - low)


def a_step():
    import torch
    import torch.nn.functional as F

    def fgsm(model, x, y, epsilon):
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
        return (x + epsilon * g.sign()).clamp(0, 1)


slip(
    "unchanged",
    within=a_step,
    was="return (x + epsilon * g.sign()).clamp(0, 1)",
    wrote="x + epsilon * g.sign()\n    return x.clamp(0, 1)",
    diagnosed="input unchanged",
    sentence="You returned `x` itself. Is the step part of the result?",
)
slip(
    "labels_from_the_model",
    within=a_step,
    was="(g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)",
    wrote="logits = model(leaf)\n    (g,) = torch.autograd.grad(F.cross_entropy(logits, logits.argmax(1)), leaf)",
    diagnosed="against the prediction",
    sentence="You raised the loss for the model's own predictions. Raise it for the labels, which may be others.",
)
known(remade(WAYS, _along))
slip("downhill", within=a_step, was="x + epsilon", wrote="x - epsilon", diagnosed="wrong direction")
slip("no_sign", within=a_step, was="g.sign()", wrote="g", diagnosed="gradient without its sign")
slip("scaled_gradient", within=a_step, was="g.sign()", wrote="g / g.abs().max()", diagnosed="gradient without its sign")
slip(
    "softmax_before_the_loss",
    within=a_step,
    was="(g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)",
    wrote="p = torch.softmax(model(leaf), dim=1)\n    (g,) = torch.autograd.grad(F.cross_entropy(p, y), leaf)",
    diagnosed="softmax twice",
)


@wrong("gradient of a logit")
def lower_the_logit():
    import torch

    def fgsm(model, x, y, epsilon):
        leaf = x.clone().requires_grad_()
        chosen = model(leaf).gather(1, y[:, None]).sum()
        (g,) = torch.autograd.grad(chosen, leaf)
        return (x - epsilon * g.sign()).clamp(0, 1)


slip(
    "up_a_mean_squared_error",
    within=a_step,
    was="(g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)",
    wrote="logits = model(leaf)\n"
    "    (g,) = torch.autograd.grad(F.mse_loss(logits, F.one_hot(y, logits.shape[1]).to(logits)), leaf)",
    diagnosed="squared error as loss",
)
slip(
    "one_gradient_for_all",
    within=a_step,
    was="g.sign()",
    wrote="g.mean(0).sign()",
    diagnosed="one direction for the batch",
)
slip(
    "no_clamp",
    within=a_step,
    was="return (x + epsilon * g.sign()).clamp(0, 1)",
    wrote="return x + epsilon * g.sign()",
    diagnosed="not clamped to [0, 1]",
    sentence="Some pixels are below 0 or above 1. Which pixel values may an image have?",
    loses=("the limits 0 and 1", "images and model as they were"),
)
known(
    Mistake(
        "change clamped",
        "You clamped the change to [0, 1] instead of the image, so the pixels that should fall stay.",
        lambda model, x, y, epsilon: (x + epsilon * uphill(model, x, y).clamp(0, 1)).clamp(0, 1),
    ),
    Mistake(
        "rescaled to [0, 1]",
        "You scaled the image so that its smallest pixel is 0 and its largest 1. Change only pixels beyond "
        "a limit, to that limit.",
        _stretched,
    ),
    Mistake(
        "step of wrong size",
        "The direction is right, and the step has the wrong size. Move each pixel by `epsilon`.",
        _along(uphill, 2.0),
        _along(uphill, 0.5),
    ),
    Mistake(
        "change instead of result",
        "You returned how far the pixels move. Return the image with that added.",
        lambda model, x, y, epsilon: stepped(model, x, y, epsilon) - x,
    ),
)
slip(
    "clamp_on_the_change",
    within=a_step,
    was="return (x + epsilon * g.sign())",
    wrote="return x + (epsilon * g.sign())",
    diagnosed="change clamped",
    predicts=True,
)
slip(
    "stretched",
    within=a_step,
    was="return (x + epsilon * g.sign()).clamp(0, 1)",
    wrote="adv = x + epsilon * g.sign()\n    return (adv - adv.min()) / (adv.max() - adv.min())",
    diagnosed="rescaled to [0, 1]",
    predicts=True,
)
slip("epsilon_left_out", within=a_step, was="epsilon * g", wrote="g", diagnosed="step of wrong size", predicts=True)
slip(
    "only_the_perturbation",
    within=a_step,
    was="return (x + epsilon * g.sign()).clamp(0, 1)",
    wrote="return epsilon * g.sign()",
    diagnosed="change instead of result",
    predicts=True,
)


@wrong("requires_grad switched on", loses=("images and model as they were",))
def image_marked():
    import torch
    import torch.nn.functional as F

    def fgsm(model, x, y, epsilon):
        x.requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(x), y), x)
        return (x + epsilon * g.sign()).clamp(0, 1).detach()


slip(
    "thawed_first",
    within=a_step,
    was="def fgsm(model, x, y, epsilon):",
    wrote="def fgsm(model, x, y, epsilon):\n    for p in model.parameters():\n        p.requires_grad_()",
    diagnosed="parameters thawed",
    loses=("images and model as they were",),
)
slip(
    "put_in_evaluation",
    within=a_step,
    was="def fgsm(model, x, y, epsilon):",
    wrote="def fgsm(model, x, y, epsilon):\n    model.eval()",
    diagnosed="mode changed",
    loses=("images and model as they were",),
)


@wrong(".grad changed", loses=("images and model as they were",))
def by_backward():
    import torch.nn.functional as F

    def fgsm(model, x, y, epsilon):
        leaf = x.clone().requires_grad_()
        F.cross_entropy(model(leaf), y).backward()
        return (x + epsilon * leaf.grad.sign()).clamp(0, 1)


@wrong(".grad changed", loses=("images and model as they were",))
def as_in_the_tutorial():
    import torch.nn.functional as F

    def fgsm(model, x, y, epsilon):
        leaf = x.clone().requires_grad_()
        loss = F.cross_entropy(model(leaf), y)
        model.zero_grad()
        loss.backward()
        return (x + epsilon * leaf.grad.sign()).clamp(0, 1)


@wrong(".grad cleared", loses=("images and model as they were",))
def cleared_afterwards():
    import torch.nn.functional as F

    def fgsm(model, x, y, epsilon):
        leaf = x.clone().requires_grad_()
        F.cross_entropy(model(leaf), y).backward()
        model.zero_grad()
        return (x + epsilon * leaf.grad.sign()).clamp(0, 1)


@wrong("not attempted")
def fgsm_not_attempted():
    def fgsm(model, x, y, epsilon):
        raise NotImplementedError  # your code here


slip(
    "attached",
    within=a_step,
    was="x + epsilon",
    wrote="leaf + epsilon",
    diagnosed="attached where data was wanted",
    loses=("images and model as they were",),
)
slip(
    "image_written_into",
    within=a_step,
    was="return (x + epsilon * g.sign()).clamp(0, 1)",
    wrote="x += epsilon * g.sign()\n    return x.clamp_(0, 1)",
    diagnosed="numbers changed",
    loses=("images and model as they were",),
)
slip(
    "in_no_grad",
    within=a_step,
    was="(g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)",
    wrote="with torch.no_grad():\n"
    "        loss = F.cross_entropy(model(leaf), y)\n"
    "    (g,) = torch.autograd.grad(loss, leaf)",
    diagnosed="no graph behind it",
)
slip(
    "losses_of_all_images",
    within=a_step,
    was="(g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)",
    wrote='losses = F.cross_entropy(model(leaf), y, reduction="none")\n    (g,) = torch.autograd.grad(losses, leaf)',
    diagnosed="gradient of a vector",
)


@right
def summed_loss():
    import torch
    import torch.nn.functional as F

    def fgsm(model, x, y, epsilon):
        adv = x.clone()
        adv.requires_grad_(True)
        loss = F.cross_entropy(model(adv), y, reduction="sum")
        loss.backward(inputs=[adv])
        return torch.clamp(x + epsilon * torch.sign(adv.grad), min=0.0, max=1.0)


@right
def image_by_image():
    import torch
    import torch.nn as nn

    def fgsm(model, x, y, epsilon):
        out = []
        for i in range(len(x)):
            one = x[i : i + 1].clone().requires_grad_()
            loss = nn.CrossEntropyLoss()(model(one), y[i : i + 1])
            (g,) = torch.autograd.grad(loss, one)
            moved = torch.where(g > 0, x[i : i + 1] + epsilon, x[i : i + 1] - epsilon)
            out.append(moved.clamp(0, 1))
        return torch.cat(out)


@right
def minus_the_log_probability():
    import torch

    def fgsm(model, x, y, epsilon):
        def score(images):
            return model(images).log_softmax(dim=1).gather(1, y.unsqueeze(1)).sum()

        slope = torch.func.grad(score)(x)
        return torch.minimum(
            torch.maximum(x - epsilon * slope.sign(), torch.zeros_like(x)), torch.ones_like(x)
        ).detach()


@right
def grads_put_back():
    import torch
    import torch.nn.functional as F

    def fgsm(model, x, y, epsilon):
        kept = [None if p.grad is None else p.grad.clone() for p in model.parameters()]
        adv = x.clone().requires_grad_()
        F.cross_entropy(model(adv), y).backward()
        for p, g in zip(model.parameters(), kept):
            p.grad = g
        return (x + epsilon * adv.grad.sign()).clamp(0, 1).detach()

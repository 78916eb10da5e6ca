"""Mistakes of adversarial_step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn
from torch.nn import functional as F  # noqa: N812  (its usual name)

from autograder.diagnosis.adversarial.shared import of_predictions, things_as_found, uphill
from autograder.diagnosis.cnn.shared import MODE_CHANGED
from autograder.diagnosis.jacobians.shared import mistakes_of
from autograder.references.adversarial.attacks import slope, stepped
from autograder.references.adversarial.training import hardened, trained_on

TASK = "adversarial_step"
Images = Callable[[nn.Module, torch.Tensor, torch.Tensor, float], torch.Tensor]
_mistake = mistakes_of(TASK)


def _on(images: Images, times: int = 1) -> Callable[..., float]:
    """The right step on other images."""

    def implementation(model: nn.Module, optimizer: Any, x: torch.Tensor, y: torch.Tensor, epsilon: float) -> float:
        chosen = images(model, x, y, epsilon)
        for _ in range(times):
            loss = trained_on(model, optimizer, chosen, y)
        return loss

    return implementation


def _by(
    loss_of: Callable[..., torch.Tensor], *, cleared: bool = True, attack_stays: bool = False
) -> Callable[..., float]:
    """The right images, and another loss (of logits, labels, the logits of the images as they came) or gradients."""

    def implementation(model: nn.Module, optimizer: Any, x: torch.Tensor, y: torch.Tensor, epsilon: float) -> float:
        attacked = stepped(model, x, y, epsilon)
        if cleared:
            optimizer.zero_grad()
        if attack_stays:
            F.cross_entropy(model(x), y).backward()
        loss = loss_of(model(attacked), y, model(x))
        loss.backward()
        optimizer.step()
        return loss.item()

    return implementation


def _plain(logits: torch.Tensor, y: torch.Tensor, of_clean: torch.Tensor) -> torch.Tensor:
    return F.cross_entropy(logits, y)


def _returning(loss: Callable[..., float], after: bool = False) -> Callable[..., float]:
    """The right step, and another number."""

    def implementation(model: nn.Module, optimizer: Any, x: torch.Tensor, y: torch.Tensor, epsilon: float) -> float:
        attacked = stepped(model, x, y, epsilon)
        with torch.no_grad():
            before = loss(model(x), model(attacked), y)
        hardened(model, optimizer, x, y, epsilon)
        with torch.no_grad():
            return loss(model(x), model(attacked), y) if after else before

    return implementation


def _without_a_step(model: nn.Module, optimizer: Any, x: torch.Tensor, y: torch.Tensor, epsilon: float) -> torch.Tensor:
    return F.cross_entropy(model(stepped(model, x, y, epsilon)), y).detach()


def _by_hand(model: nn.Module, optimizer: Any, x: torch.Tensor, y: torch.Tensor, epsilon: float) -> float:
    open_ones = [p for p in model.parameters() if p.requires_grad]
    loss = F.cross_entropy(model(stepped(model, x, y, epsilon)), y)
    with torch.no_grad():
        for parameter, gradient in zip(open_ones, torch.autograd.grad(loss, open_ones), strict=True):
            parameter -= optimizer.param_groups[0]["lr"] * gradient
    return loss.item()


def _modes_between(model: nn.Module, optimizer: Any, x: torch.Tensor, y: torch.Tensor, epsilon: float) -> float:
    attacked = stepped(model.eval(), x, y, epsilon)
    return trained_on(model.train(), optimizer, attacked, y)


def _in_place(marked: bool) -> Callable[..., float]:
    """The caller's images are moved."""

    def implementation(model: nn.Module, optimizer: Any, x: torch.Tensor, y: torch.Tensor, epsilon: float) -> float:
        x.detach().copy_(stepped(model, x, y, epsilon))
        return trained_on(model, optimizer, x.requires_grad_(marked), y)

    return implementation


def _with_the_attacks_step(model: nn.Module, optimizer: Any, x: torch.Tensor, y: torch.Tensor, epsilon: float) -> float:
    attacked = stepped(model, x, y, epsilon)
    trained_on(model, optimizer, x, y)
    return trained_on(model, optimizer, attacked, y)


def _after_a_clean_step(model: nn.Module, optimizer: Any, x: torch.Tensor, y: torch.Tensor, epsilon: float) -> float:
    trained_on(model, optimizer, x, y)
    return hardened(model, optimizer, x, y, epsilon)


ADVERSARIAL_STEP = (
    *_mistake(
        "trained on the images as they came",
        "The step was made on `X` itself. It is made on the attacked images.",
        _on(lambda model, x, y, epsilon: x),
    ),
    *_mistake(
        "gradients left over",
        "What was in `.grad` before took part in the step. When must old gradients go: before which line?",
        _by(_plain, cleared=False),
    ),
    *_mistake(
        "the attack's gradients took part",
        "The backward pass that made the images also filled the parameters' `.grad`, and the step used that too. Ask "
        "for the images' gradient alone, or clear afterwards.",
        _by(_plain, attack_stays=True),
        _by(_plain, cleared=False, attack_stays=True),
    ),
    *_mistake(
        "images attacked the wrong way",
        "The images were made easier for the model. In which direction does the loss rise?",
        _on(lambda model, x, y, epsilon: (x - epsilon * uphill(model, x, y)).clamp(0, 1)),
    ),
    *_mistake(
        "against the prediction",
        "The images go against what the model reads. A label is given, and need not be the same.",
        _on(lambda model, x, y, epsilon: (x + epsilon * of_predictions(model, x, y)).clamp(0, 1)),
    ),
    *_mistake(
        "gradient without its sign",
        "The images were moved by the gradient itself. Every pixel is to move by `epsilon`.",
        _on(lambda model, x, y, epsilon: (x + epsilon * slope(model, x, y)).clamp(0, 1)),
    ),
    *_mistake(
        "limits forgotten",
        "The images have pixels below 0 or above 1. Clamp them, as `fgsm` does.",
        _on(lambda model, x, y, epsilon: x + epsilon * uphill(model, x, y)),
    ),
    *_mistake(
        "both kinds of images",
        "The step was made on attacked images and those that came, together. Only the attacked ones are asked for.",
        _by(lambda logits, y, of_clean: (F.cross_entropy(logits, y) + F.cross_entropy(of_clean, y)) / 2),
        _by(lambda logits, y, of_clean: F.cross_entropy(logits, y) + F.cross_entropy(of_clean, y)),
    ),
    *_mistake(
        "sum over the batch",
        "The loss is a sum over the images. Asked for is their mean.",
        _by(lambda logits, y, of_clean: F.cross_entropy(logits, y, reduction="sum")),
    ),
    *_mistake(
        "no step",
        "The parameters have not moved. Who moves them, and what must be in `.grad` by then?",
        _without_a_step,
    ),
    *_mistake(
        "a step by hand",
        "The parameters moved by rate times gradient, whichever optimizer came. It has a method that makes its step.",
        _by_hand,
    ),
    *_mistake(
        "more than one step",
        "The optimizer made more than one step. The gradient that makes the images is not one to train with.",
        _on(stepped, times=2),
        _with_the_attacks_step,
        _after_a_clean_step,
    ),
    *_mistake(
        "uphill",
        "The parameters went up the loss. The images are to become harder, and the model better at them.",
        _by(lambda logits, y, of_clean: -F.cross_entropy(logits, y)),
    ),
    *_mistake(
        "loss of the images as they came",
        "The parameters are right. The loss that came back is that of `X`; asked for is that of the attacked images.",
        _returning(lambda clean, attacked, y: F.cross_entropy(clean, y).item()),
    ),
    *_mistake(
        "loss after the step",
        "The parameters are right. The loss that came back is that after the step; asked for is the one before.",
        _returning(lambda clean, attacked, y: F.cross_entropy(attacked, y).item(), after=True),
    ),
    *_mistake(
        "loss added up",
        "The parameters are right. The loss that came back is a sum over the images; asked for is their mean.",
        _returning(lambda clean, attacked, y: F.cross_entropy(attacked, y, reduction="sum").item()),
    ),
    *_mistake(*MODE_CHANGED, _modes_between),
    *_mistake(
        "the caller's images moved",
        "The caller's `X` has moved with each step. Attacked images are new ones; `X` stays as it is.",
        _in_place(False),
        _in_place(True),
    ),
    *things_as_found(TASK, hardened, 2, "X"),
)

"""adversarial_step: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.nn import functional

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, mistake, right, slip, wrong

from ..attacks import stepped
from .task import trained_on


def _on_both(model: nn.Module, optimizer: Any, x: torch.Tensor, y: torch.Tensor, epsilon: float) -> float:
    attacked = stepped(model, x, y, epsilon)
    optimizer.zero_grad()
    loss = functional.cross_entropy(model(attacked), y) + functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.item()


def _two_steps(model: nn.Module, optimizer: Any, x: torch.Tensor, y: torch.Tensor, epsilon: float) -> float:
    attacked = stepped(model, x, y, epsilon)
    trained_on(model, optimizer, attacked, y)
    return trained_on(model, optimizer, attacked, y)


def _moved_in_place(model: nn.Module, optimizer: Any, x: torch.Tensor, y: torch.Tensor, epsilon: float) -> float:
    x.detach().copy_(stepped(model, x, y, epsilon))
    return trained_on(model, optimizer, x, y)


@mistake("trained on clean images", "The step was made on `X` itself. Make it on the attacked images.")
def clean_training():
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(X), y)
        loss.backward()
        optimizer.step()
        return loss.detach()


def a_step():
    import torch
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        leaf = X.clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
        adv = (X + epsilon * g.sign()).clamp(0, 1)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(adv), y)
        loss.backward()
        optimizer.step()
        return loss.detach()


slip(
    "attacked_and_unused",
    within=a_step,
    was="model(adv)",
    wrote="model(X)",
    diagnosed="trained on clean images",
)
slip(
    "never_cleared",
    within=a_step,
    was="adv = (X + epsilon * g.sign()).clamp(0, 1)\n    optimizer.zero_grad()",
    wrote="adv = (X + epsilon * g.sign()).clamp(0, 1)",
    diagnosed="old gradients not cleared",
    sentence="Old numbers in `.grad` took part in the step. Before which line must they be cleared?",
)


@mistake(
    "attack's gradients in .grad",
    "The backward pass that made the images also filled the parameters' `.grad`, and the step used that "
    "too. Take only the images' gradient, or clear `.grad` between the two passes.",
)
def two_backwards():
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        optimizer.zero_grad()
        leaf = X.clone().requires_grad_()
        F.cross_entropy(model(leaf), y).backward()
        adv = (X + epsilon * leaf.grad.sign()).clamp(0, 1)
        loss = F.cross_entropy(model(adv), y)
        loss.backward()
        optimizer.step()
        return loss.detach()


@wrong("attack's gradients in .grad", predicts=True)
def two_backwards_never_cleared():
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        leaf = X.clone().requires_grad_()
        F.cross_entropy(model(leaf), y).backward()
        adv = (X + epsilon * leaf.grad.sign()).clamp(0, 1)
        loss = F.cross_entropy(model(adv), y)
        loss.backward()
        optimizer.step()
        return loss.detach()


slip(
    "made_easier",
    within=a_step,
    was="X + epsilon",
    wrote="X - epsilon",
    diagnosed="attack in the wrong direction",
    sentence="You made the images easier for the model. In which direction does the loss rise?",
)
slip(
    "against_what_is_read",
    within=a_step,
    was="model(leaf), y",
    wrote="model(leaf), model(X).argmax(1)",
    diagnosed="against the prediction",
    sentence="You raised the loss for the model's own predictions. Raise it for the labels, which may be others.",
)
slip(
    "no_sign",
    within=a_step,
    was="g.sign()",
    wrote="g",
    diagnosed="gradient without its sign",
    sentence="You moved the images by the gradient itself. Move every pixel by `epsilon`.",
)
slip(
    "no_clamp",
    within=a_step,
    was="adv = (X + epsilon * g.sign()).clamp(0, 1)",
    wrote="adv = X + epsilon * g.sign()",
    diagnosed="not clamped to [0, 1]",
    sentence="The attacked images have pixels below 0 or above 1. Clamp them, as `fgsm` does.",
)
known(
    Mistake(
        "clean and attacked images",
        "The step used the attacked and the clean images together. Use only the attacked images.",
        _on_both,
    )
)
slip(
    "half_and_half",
    within=a_step,
    was="F.cross_entropy(model(adv), y)",
    wrote="(F.cross_entropy(model(X), y) + F.cross_entropy(model(adv), y)) / 2",
    diagnosed="clean and attacked images",
    predicts=True,
)
slip(
    "one_batch_of_both",
    within=a_step,
    was="model(adv), y",
    wrote="model(torch.cat([X, adv])), torch.cat([y, y])",
    diagnosed="clean and attacked images",
)
slip(
    "summed_loss",
    within=a_step,
    was="model(adv), y",
    wrote='model(adv), y, reduction="sum"',
    diagnosed="sum over the batch",
    sentence="The step goes down a sum over the images. The loss is their mean.",
)
slip(
    "no_optimizer",
    within=a_step,
    was="loss.backward()\n    optimizer.step()",
    wrote="loss.backward()",
    diagnosed="no step",
    sentence="The parameters have not moved. Which call moves them, and what must be in `.grad` by then?",
)
slip(
    "cleared_too_late",
    within=a_step,
    was="optimizer.zero_grad()\n    loss = F.cross_entropy(model(adv), y)\n    loss.backward()",
    wrote="loss = F.cross_entropy(model(adv), y)\n    loss.backward()\n    optimizer.zero_grad()",
    diagnosed="no step",
)


@mistake(
    "optimizer not used",
    "The parameters moved by rate times gradient, whichever optimizer was given. The optimizer has a "
    "method that takes its step.",
)
def rate_times_gradient():
    import torch
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        leaf = X.clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
        loss = F.cross_entropy(model((X + epsilon * g.sign()).clamp(0, 1)), y)
        parameters = [p for p in model.parameters() if p.requires_grad]
        with torch.no_grad():
            for parameter, gradient in zip(parameters, torch.autograd.grad(loss, parameters)):
                parameter -= optimizer.param_groups[0]["lr"] * gradient
        return loss.detach()


known(
    Mistake(
        "more than one step",
        "The optimizer made more than one step. Do not train with the gradient that makes the images.",
        _two_steps,
    )
)


@wrong("more than one step", predicts=True)
def step_for_the_attack_too():
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        optimizer.zero_grad()
        leaf = X.clone().requires_grad_()
        F.cross_entropy(model(leaf), y).backward()
        adv = (X + epsilon * leaf.grad.sign()).clamp(0, 1)
        optimizer.step()
        optimizer.zero_grad()
        loss = F.cross_entropy(model(adv), y)
        loss.backward()
        optimizer.step()
        return loss.detach()


@wrong("more than one step", predicts=True)
def clean_step_first():
    import torch
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        optimizer.zero_grad()
        F.cross_entropy(model(X), y).backward()
        optimizer.step()
        leaf = X.clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
        adv = (X + epsilon * g.sign()).clamp(0, 1)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(adv), y)
        loss.backward()
        optimizer.step()
        return loss.detach()


slip(
    "uphill",
    within=a_step,
    was="loss = F",
    wrote="loss = -F",
    diagnosed="climbs the loss",
    sentence="The parameters went up the loss. The images should become harder, and the model better at them.",
)


@mistake(
    "loss of the clean images",
    "The parameters are right. You returned the loss of `X`. Return the loss of the attacked images.",
    loses=("the loss",),
)
def clean_loss_returned():
    import torch
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        leaf = X.clone().requires_grad_()
        clean = F.cross_entropy(model(leaf), y)
        (g,) = torch.autograd.grad(clean, leaf)
        adv = (X + epsilon * g.sign()).clamp(0, 1)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(adv), y)
        loss.backward()
        optimizer.step()
        return clean.detach()


slip(
    "loss_looked_at_afterwards",
    within=a_step,
    was="return loss.detach()",
    wrote="with torch.no_grad():\n        return F.cross_entropy(model(adv), y)",
    diagnosed="loss after the step",
    sentence="The parameters are right. You returned the loss after the step, so return the loss from before it.",
    loses=("the loss",),
)
slip(
    "loss_times_batch",
    within=a_step,
    was="return loss.detach()",
    wrote="return loss.detach() * len(X)",
    diagnosed="loss summed",
    sentence="The parameters are right. You returned a sum over the images, so return their mean.",
    loses=("the loss",),
)
known(
    Mistake(
        "caller's images modified",
        "The caller's `X` moves with each step. Make new images for the attack, and leave `X` unchanged.",
        _moved_in_place,
    ),
)
slip(
    "in_evaluation",
    within=a_step,
    was="def adversarial_step(model, optimizer, X, y, epsilon):",
    wrote="def adversarial_step(model, optimizer, X, y, epsilon):\n    model.eval()",
    diagnosed="mode changed",
    loses=("the parameters", "frozen layers, and all as it was"),
)
slip(
    "trained_with_dropout",
    within=a_step,
    was="def adversarial_step(model, optimizer, X, y, epsilon):",
    wrote="def adversarial_step(model, optimizer, X, y, epsilon):\n    model.train()",
    diagnosed="mode changed",
    loses=("the parameters", "the loss", "frozen layers, and all as it was"),
)


@wrong("mode changed", loses=("the parameters", "the loss", "frozen layers, and all as it was"))
def attack_in_evaluation_and_training_in_training():
    import torch
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        model.eval()
        leaf = X.clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
        adv = (X + epsilon * g.sign()).clamp(0, 1)
        model.train()
        optimizer.zero_grad()
        loss = F.cross_entropy(model(adv), y)
        loss.backward()
        optimizer.step()
        return loss.detach()


@wrong("caller's images modified", predicts=True)
def images_moved_in_place():
    import torch
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        X.requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(X), y), X)
        with torch.no_grad():
            X += epsilon * g.sign()
            X.clamp_(0, 1)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(X), y)
        loss.backward()
        optimizer.step()
        return loss.detach()


slip(
    "images_marked",
    within=a_step,
    was="leaf = X.clone().requires_grad_()\n"
    "    (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)\n"
    "    adv = (X + epsilon * g.sign()).clamp(0, 1)",
    wrote="X.requires_grad_()\n"
    "    (g,) = torch.autograd.grad(F.cross_entropy(model(X), y), X)\n"
    "    adv = (X + epsilon * g.sign()).clamp(0, 1).detach()",
    diagnosed="requires_grad switched on",
    loses=("frozen layers, and all as it was",),
)
slip(
    "thawed",
    within=a_step,
    was="def adversarial_step(model, optimizer, X, y, epsilon):",
    wrote="def adversarial_step(model, optimizer, X, y, epsilon):\n"
    "    for p in model.parameters():\n"
    "        p.requires_grad_()",
    diagnosed="parameters thawed",
    loses=("frozen layers, and all as it was",),
)


@wrong("not attempted")
def adversarial_not_attempted():
    def adversarial_step(model, optimizer, X, y, epsilon):
        raise NotImplementedError  # your code here


slip(
    "loss_attached",
    within=a_step,
    was="return loss.detach()",
    wrote="return loss",
    diagnosed="attached where data was wanted",
    loses=("frozen layers, and all as it was",),
)
slip("nothing_returned", within=a_step, was="return loss.detach()", wrote="return None", diagnosed="None returned")


@wrong("graph already freed")
def second_pass_through_the_first_graph():
    import torch
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        leaf = X.clone().requires_grad_()
        loss = F.cross_entropy(model(leaf), y)
        (g,) = torch.autograd.grad(loss, leaf)
        adv = (X + epsilon * g.sign()).clamp(0, 1)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss.detach()


@right
def cleared_in_between():
    import torch
    import torch.nn as nn

    def adversarial_step(model, optimizer, X, y, epsilon):
        criterion = nn.CrossEntropyLoss()
        adv = X.clone().detach().requires_grad_(True)
        criterion(model(adv), y).backward()
        adv = torch.clamp(X + epsilon * adv.grad.sign(), 0, 1).detach()
        optimizer.zero_grad(set_to_none=False)
        loss = criterion(model(adv), y)
        loss.backward()
        optimizer.step()
        return loss.item()


@right
def gradients_by_grad():
    import torch
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        slope = torch.func.grad(lambda images: F.cross_entropy(model(images), y, reduction="sum"))(X)
        attacked = torch.where(slope >= 0, X + epsilon, X - epsilon).clamp(0, 1).detach()
        parameters = [p for p in model.parameters() if p.requires_grad]
        loss = F.cross_entropy(model(attacked), y)
        for p, g in zip(parameters, torch.autograd.grad(loss, parameters)):
            p.grad = g
        optimizer.step()
        return loss.detach()


@right
def cleared_before_and_after():
    import torch
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        for p in model.parameters():
            p.grad = None
        adv = X.clone().requires_grad_()
        F.cross_entropy(model(adv), y).backward(inputs=[adv])
        adv = (adv + epsilon * adv.grad.sign()).clamp(0, 1).detach()
        loss = -model(adv).log_softmax(1)[torch.arange(len(y)), y].mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        return float(loss)


@right
def a_closure_for_the_optimizer():
    import torch
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        leaf = X.clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
        attacked = (X + epsilon * g.sign()).clamp(0, 1)

        def closure():
            optimizer.zero_grad()
            loss = F.cross_entropy(model(attacked), y)
            loss.backward()
            return loss

        return optimizer.step(closure).detach()

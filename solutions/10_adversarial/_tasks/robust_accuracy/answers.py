"""robust_accuracy: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

import torch
from torch import nn

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, mistake, right, wrong

from ..shared import read
from .task import Attack, accuracy_under


def _only_right_ones_attacked(model: nn.Module, x: torch.Tensor, y: torch.Tensor, attack: Attack) -> float:
    before = read(model, x) == y
    right = read(model, attack(model, x[before], y[before])) == y[before]
    return right.double().mean().item() * before.double().mean().item()


@mistake("before the attack", "This is the accuracy on the clean images. Which images does the attack return?")
def never_attacked():
    def robust_accuracy(model, X, y, attack):
        return (model(X).argmax(1) == y).double().mean().item()


@wrong("before the attack", predicts=True)
def attacked_and_forgotten():
    def robust_accuracy(model, X, y, attack):
        attacked = attack(model, X, y)
        return (model(X).argmax(1) == y).double().mean().item()


@mistake(
    "fraction misclassified",
    "This is the fraction of images that are misclassified after the attack. Return the fraction still "
    "classified correctly.",
)
def success_of_the_attack():
    def robust_accuracy(model, X, y, attack):
        return (model(attack(model, X, y)).argmax(1) != y).double().mean().item()


known(
    Mistake(
        "only originally correct images",
        "You counted or attacked only images that were classified correctly before. All images count.",
        _only_right_ones_attacked,
    )
)


@wrong("only originally correct images", predicts=True)
def among_the_right_ones():
    def robust_accuracy(model, X, y, attack):
        attacked = attack(model, X, y)
        before = model(X).argmax(1) == y
        after = model(attacked).argmax(1) == y
        return (before & after).sum().item() / before.sum().item()


@wrong("only originally correct images", predicts=True)
def divided_by_the_right_ones():
    def robust_accuracy(model, X, y, attack):
        before = model(X).argmax(1) == y
        after = model(attack(model, X, y)).argmax(1) == y
        return after.sum().item() / before.sum().item()


@mistake(
    "compared with old predictions",
    "You counted images whose class is the same as before the attack. Count those whose class is the label.",
)
def against_the_reading():
    def robust_accuracy(model, X, y, attack):
        return (model(attack(model, X, y)).argmax(1) == model(X).argmax(1)).double().mean().item()


@mistake(
    "attack against the predictions",
    "You gave the attack the model's predictions. Give it the labels `y`.",
)
def attack_on_the_reading():
    def robust_accuracy(model, X, y, attack):
        attacked = attack(model, X, model(X).argmax(1))
        return (model(attacked).argmax(1) == y).double().mean().item()


@mistake(
    "count instead of fraction",
    "You returned the number of correctly classified images, or a percentage. Return a fraction from 0 to 1.",
)
def counted():
    def robust_accuracy(model, X, y, attack):
        return float((model(attack(model, X, y)).argmax(1) == y).sum())


@wrong("count instead of fraction", predicts=True)
def per_cent():
    def robust_accuracy(model, X, y, attack):
        return 100 * (model(attack(model, X, y)).argmax(1) == y).double().mean().item()


@mistake("attacked one by one", "You called the attack for each image. Call it once, with all of them.")
def a_call_for_each():
    def robust_accuracy(model, X, y, attack):
        right = 0
        for i in range(len(X)):
            one = attack(model, X[i : i + 1], y[i : i + 1])
            right += int(model(one).argmax(1).item() == y[i].item())
        return right / len(X)


known(
    Mistake(
        "attacked twice",
        "You called the attack twice. Keep what it returned.",
        lambda model, x, y, attack: accuracy_under(model, attack(model, x, y), y, attack),
    )
)


@wrong("attacked twice", predicts=True, loses=("one call, with all images",))
def called_for_its_length():
    def robust_accuracy(model, X, y, attack):
        right = (model(attack(model, X, y)).argmax(1) == y).sum().item()
        return right / len(attack(model, X, y))


@mistake(
    "largest of the batch",
    "You took the largest logit along the batch, or of the whole batch. Each image has its own.",
    raises="RuntimeError: The size of tensor a \\(\\d+\\) must match the size of tensor b",
    predicts=True,
)
def largest_logit_of_all_images():
    def robust_accuracy(model, X, y, attack):
        return (model(attack(model, X, y)).argmax() == y).float().mean().item()


@wrong("largest of the batch")
def along_the_batch():
    def robust_accuracy(model, X, y, attack):
        return (model(attack(model, X, y)).argmax(0) == y).double().mean().item()


@wrong("requires_grad switched on", loses=("images and model as they were",))
def marked_for_the_attack():
    def robust_accuracy(model, X, y, attack):
        X.requires_grad_()
        return (model(attack(model, X, y)).argmax(1) == y).double().mean().item()


@wrong("mode changed", loses=("images and model as they were",))
def evaluation_first():
    def robust_accuracy(model, X, y, attack):
        model.eval()
        return (model(attack(model, X, y)).argmax(1) == y).double().mean().item()


@wrong(".grad cleared", loses=("images and model as they were",))
def zeroed_before():
    def robust_accuracy(model, X, y, attack):
        model.zero_grad()
        return (model(attack(model, X, y)).argmax(1) == y).double().mean().item()


# What this loses depends on the attacks that are drawn: some need no gradient.
@mistake(
    "attack inside no_grad",
    "The attack ran with gradients switched off, and could not compute one. It may need them, and only "
    "the classification afterwards does not.",
    raises="RuntimeError: (element \\d+ of tensors does not require grad|One of the differentiated|"
    "Inference tensors|Setting requires_grad=True on inference tensor)",
)
def all_in_no_grad():
    import torch

    def robust_accuracy(model, X, y, attack):
        with torch.no_grad():
            attacked = attack(model, X, y)
            return (model(attacked).argmax(1) == y).double().mean().item()


@wrong("attack inside no_grad")
def in_inference_mode():
    import torch

    def robust_accuracy(model, X, y, attack):
        with torch.inference_mode():
            attacked = attack(model, X, y)
            return (model(attacked).argmax(1) == y).double().mean().item()


@wrong("not attempted")
def robust_not_attempted():
    def robust_accuracy(model, X, y, attack):
        raise NotImplementedError  # your code here


@right
def counted_in_python():
    def robust_accuracy(model, X, y, attack):
        logits = model(attack(model, X, y))
        right = sum(int(row.argmax()) == int(label) for row, label in zip(logits, y))
        return right / len(y)


@right
def as_a_tensor():
    import torch

    def robust_accuracy(model, X, y, attack):
        adv = attack(model, X, y).detach()
        return torch.sum(model(adv).softmax(dim=-1).max(dim=-1).indices == y) / y.numel()


@right
def one_minus_the_errors():
    def robust_accuracy(model, X, y, attack):
        read = model(attack(model, X, y)).topk(1).indices.squeeze(1)
        return 1 - (read != y).float().mean().item()

"""pgd: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

import torch
from torch import nn

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, right, slip, wrong

from ..shared import read, uphill
from ..walks import UNBOUND, WALKS, both


def _still_where_misread(
    model: nn.Module, x: torch.Tensor, y: torch.Tensor, epsilon: float, step: float, iterations: int
) -> torch.Tensor:
    now = x.clone()
    for _ in range(iterations):
        new = both(now + step * uphill(model, now, y), now, x, epsilon)
        now = torch.where((read(model, now) == y)[:, None, None, None], new, now)
    return now


known(WALKS)


def a_walk():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
            adv = adv + step * g.sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        return adv


slip("start_returned", within=a_walk, was="return adv", wrote="return x", diagnosed="input unchanged")
slip(
    "no_projection",
    within=a_walk,
    was="torch.clamp(adv, x - epsilon, x + epsilon)",
    wrote="adv",
    diagnosed="projection forgotten",
)
slip(
    "around_the_last_point",
    within=a_walk,
    was="adv = adv + step * g.sign()\n        adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)",
    wrote="new = adv + step * g.sign()\n        adv = torch.clamp(new, adv - epsilon, adv + epsilon).clamp(0, 1)",
    diagnosed="projection forgotten",
)


@wrong("projection forgotten")
def start_written_into():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        adv = x
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
            adv += step * g.sign()
            adv.copy_(torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1))
        return adv


slip(
    "around_zero",
    within=a_walk,
    was="torch.clamp(adv, x - epsilon, x + epsilon)",
    wrote="adv.clamp(-epsilon, epsilon)",
    diagnosed="projection around another point",
)


@wrong("projected by length")
def projected_on_a_ball():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        now = x
        for _ in range(iterations):
            leaf = now.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
            change = now + step * g.sign() - x
            length = change.flatten(1).norm(dim=1).view(-1, 1, 1, 1)
            now = (x + change * (epsilon / length).clamp(max=1)).clamp(0, 1)
        return now


@wrong("clamp limits swapped")
def clamped_from_plus_to_minus():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        now = x
        for _ in range(iterations):
            leaf = now.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
            now = (x + (now + step * g.sign() - x).clamp(epsilon, -epsilon)).clamp(0, 1)
        return now


slip(
    "at_the_end",
    within=a_walk,
    was="    adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)\n    return adv",
    wrote="return torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)",
    diagnosed="projected only at the end",
)


@wrong("projected only at the end", loses=("the limits 0 and 1",))
def pixels_clamped_only_at_the_end():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        delta = torch.zeros_like(x)
        for _ in range(iterations):
            leaf = (x + delta).requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
            delta = (delta + step * g.sign()).clamp(-epsilon, epsilon)
        return (x + delta).clamp(0, 1)


slip(
    "no_limits",
    within=a_walk,
    was="clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)",
    wrote="clamp(adv, x - epsilon, x + epsilon)",
    diagnosed="not clamped to [0, 1]",
    loses=("the limits 0 and 1", "images and model as they were"),
)
slip("one_gradient", within=a_walk, was="adv.clone", wrote="x.clone", diagnosed="gradient of the start reused")


@wrong("gradient of the start reused")
def gradient_before_the_loop():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
        adv = x
        for _ in range(iterations):
            adv = (adv + step * g.sign()).clamp(0, 1)
            adv = torch.clamp(adv, x - epsilon, x + epsilon)
        return adv


@wrong("gradients accumulated")
def delta_whose_gradients_pile_up():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        delta = torch.zeros_like(x, requires_grad=True)
        for _ in range(iterations):
            F.cross_entropy(model(x + delta), y).backward()
            with torch.no_grad():
                delta += step * delta.grad.sign()
                delta.clamp_(-epsilon, epsilon)
                delta.copy_((x + delta).clamp(0, 1) - x)
        return (x + delta).detach()


slip(
    "always_from_x",
    within=a_walk,
    was="adv = adv + step * g.sign()",
    wrote="adv = x + step * g.sign()",
    diagnosed="each step from the start",
)
slip(
    "step_is_epsilon",
    within=a_walk,
    was="adv = adv + step * g.sign()",
    wrote="adv = adv + epsilon * g.sign()",
    diagnosed="wrong step size",
)


@wrong("wrong step size")
def epsilon_shared_out():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        if iterations == 0:
            return x
        alpha = epsilon / iterations
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
            adv = adv + alpha * g.sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        return adv


@wrong("wrong step size")
def step_shared_out():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        now = x
        for _ in range(iterations):
            leaf = now.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
            now = (x + (now + step / iterations * g.sign() - x).clamp(-epsilon, epsilon)).clamp(0, 1)
        return now


slip(
    "a_single_step",
    within=a_walk,
    was="for _ in range(iterations):",
    wrote="for _ in range(1):",
    diagnosed="wrong number of steps",
)
slip(
    "one_too_many",
    within=a_walk,
    was="for _ in range(iterations):",
    wrote="for _ in range(iterations + 1):",
    diagnosed="wrong number of steps",
)
slip(
    "first_step_lost",
    within=a_walk,
    was="for _ in range(iterations):",
    wrote="for _ in range(1, iterations):",
    diagnosed="wrong number of steps",
)
slip(
    "at_least_once",
    within=a_walk,
    was="for _ in range(iterations):",
    wrote="for _ in range(max(iterations, 1)):",
    diagnosed="wrong number of steps",
    loses=("no iterations",),
)
slip(
    "at_random_first",
    within=a_walk,
    was="adv = x.clone()",
    wrote="adv = x + torch.empty_like(x).uniform_(-epsilon, epsilon)\n    adv = adv.clamp(0, 1)",
    diagnosed="random start",
)
slip("change_returned", within=a_walk, was="return adv", wrote="return adv - x", diagnosed="change instead of result")
slip(
    "downhill_all_the_way",
    within=a_walk,
    was="adv = adv + step * g.sign()",
    wrote="adv = adv - step * g.sign()",
    diagnosed="wrong direction",
)
slip(
    "without_signs",
    within=a_walk,
    was="adv = adv + step * g.sign()",
    wrote="adv = adv + step * g",
    diagnosed="gradient without its sign",
)
slip("softmax_in_front", within=a_walk, was="model(leaf)", wrote="model(leaf).softmax(1)", diagnosed="softmax twice")


@wrong("gradient of a logit")
def a_logit_lowered():
    import torch

    def pgd(model, x, y, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(-model(leaf).gather(1, y[:, None]).sum(), leaf)
            adv = adv + step * g.sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        return adv


slip(
    "direction_of_the_batch",
    within=a_walk,
    was="adv = adv + step * g.sign()",
    wrote="adv = adv + step * g.sum(0, keepdim=True).sign()",
    diagnosed="one direction for the batch",
)
slip(
    "against_what_is_read_now",
    within=a_walk,
    was="model(leaf), y",
    wrote="model(leaf), model(leaf).argmax(1)",
    diagnosed="against the prediction",
    sentence="You raised the loss of the classes that the model predicts, at the start or at each step. Raise the "
    "loss of the labels, which may be other classes.",
)
slip(
    "against_what_is_read",
    within=a_walk,
    was="def pgd(model, x, y, epsilon, step, iterations):",
    wrote="def pgd(model, x, y, epsilon, step, iterations):\n    y = model(x).argmax(1)",
    diagnosed="against the prediction",
    predicts=True,
)
known(
    Mistake(
        "stopped early",
        "Images stop moving once they are misclassified. Run all iterations for all images.",
        _still_where_misread,
    ),
    UNBOUND,
)


@wrong("stopped early", predicts=True)
def until_all_are_misread():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        now = x
        for _ in range(iterations):
            leaf = now.clone().requires_grad_()
            logits = model(leaf)
            if (logits.argmax(1) != y).all():
                break
            (g,) = torch.autograd.grad(F.cross_entropy(logits, y), leaf)
            now = (x + (now + step * g.sign() - x).clamp(-epsilon, epsilon)).clamp(0, 1)
        return now


@wrong("requires_grad switched on", loses=("images and model as they were",))
def start_marked():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        x.requires_grad_()
        adv = x
        for _ in range(iterations):
            (g,) = torch.autograd.grad(F.cross_entropy(model(adv), y), adv)
            adv = torch.clamp(adv + step * g.sign(), x - epsilon, x + epsilon).clamp(0, 1)
        return adv.detach()


@wrong("mode changed", loses=("images and model as they were",))
def evaluation_and_training():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        model.eval()
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
            adv = adv + step * g.sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        model.train()
        return adv


@wrong(".grad changed", loses=("images and model as they were",))
def backward_each_time():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            adv.requires_grad_()
            F.cross_entropy(model(adv), y).backward()
            g = adv.grad
            adv = torch.clamp(adv.detach() + step * g.sign(), x - epsilon, x + epsilon).clamp(0, 1)
        return adv


@wrong(".grad cleared", loses=("images and model as they were",))
def backward_and_zero_grad():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            adv.requires_grad_()
            model.zero_grad()
            F.cross_entropy(model(adv), y).backward(inputs=[adv])
            g = adv.grad
            adv = torch.clamp(adv.detach() + step * g.sign(), x - epsilon, x + epsilon).clamp(0, 1)
        return adv


@wrong("no iterations", loses=("no iterations",))
def name_made_in_the_loop():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        current = x
        for _ in range(iterations):
            leaf = current.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
            current = attacked = torch.clamp(current + step * g.sign(), x - epsilon, x + epsilon).clamp(0, 1)
        return attacked


@wrong("not attempted")
def pgd_not_attempted():
    def pgd(model, x, y, epsilon, step, iterations):
        raise NotImplementedError  # your code here


@wrong("attached where data was wanted", loses=("no iterations", "images and model as they were"))
def grows_a_graph():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        adv = x.clone().requires_grad_()
        for _ in range(iterations):
            (g,) = torch.autograd.grad(F.cross_entropy(model(adv), y), adv)
            adv = torch.clamp(adv + step * g.sign(), x - epsilon, x + epsilon).clamp(0, 1)
        return adv


@right
def change_kept_apart():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        delta = torch.zeros_like(x)
        for _ in range(iterations):
            delta.requires_grad_()
            loss = F.cross_entropy(model(x + delta), y)
            (g,) = torch.autograd.grad(loss, delta)
            delta = (delta.detach() + step * g.sign()).clamp(-epsilon, epsilon)
            delta = (x + delta).clamp(0, 1) - x
        return x + delta


@right
def by_recursion():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        if iterations == 0:
            return x
        now = pgd(model, x, y, epsilon, step, iterations - 1).clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(now), y, reduction="sum"), now)
        new = now.detach() + step * g.sign()
        return torch.max(torch.min(new, x + epsilon), x - epsilon).clamp(0.0, 1.0)


@right
def with_torch_func():
    import torch

    def pgd(model, x, y, epsilon, step, iterations):
        slope = torch.func.grad(lambda images: torch.nn.functional.cross_entropy(model(images), y))
        adv = x.clone()
        k = 0
        while k < iterations:
            adv = adv + step * torch.sign(slope(adv))
            adv = x + (adv - x).clamp(-epsilon, epsilon)
            adv = adv.clamp(0, 1)
            k += 1
        return adv.detach()


@right
def limits_known_before_the_loop():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        lowest, highest = (x - epsilon).clamp(min=0), (x + epsilon).clamp(max=1)
        now = x.clone()
        for _ in range(iterations):
            leaf = now.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
            now = torch.clamp(now + step * g.sign(), lowest, highest)
        return now

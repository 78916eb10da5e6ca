"""targeted_pgd: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, mistake, right, slip, wrong

from ..attacks import walked
from ..shared import read, remade, uphill
from ..walks import UNBOUND, WALKS, Walk
from .task import walked_to


def _of_predictions(model: nn.Module, x: torch.Tensor, classes: torch.Tensor) -> torch.Tensor:
    """Against what the model reads."""
    return uphill(model, x, read(model, x))


def _by(walk: Callable[..., torch.Tensor], times: int = -1) -> Callable[..., tuple[torch.Tensor, torch.Tensor]]:
    """Images of a wrong walk, and a right look at them."""

    def implementation(model: nn.Module, x: torch.Tensor, target: torch.Tensor, *sizes: float) -> tuple:
        epsilon, step, iterations = sizes
        found = walk(model, x, target, epsilon, times * step, iterations)
        return found, read(model, found) == target

    return implementation


def _seen(reached: Callable[..., torch.Tensor]) -> Callable[..., tuple[torch.Tensor, torch.Tensor]]:
    """The right images, and a wrong answer to who has arrived."""

    def implementation(model: nn.Module, x: torch.Tensor, target: torch.Tensor, *sizes: float) -> tuple:
        found, _ = walked_to(model, x, target, *sizes)
        return found, reached(model, x, target, found)

    return implementation


known(
    remade(WALKS, _by),
    Mistake(
        "target ignored",
        "The steps go towards the model's predictions, or away from them. Where does `target` enter?",
        _by(Walk(way=_of_predictions), 1),
        lambda model, x, target, *sizes: _by(walked, 1)(model, x, read(model, x), *sizes),
    ),
)


def a_walk():
    import torch
    import torch.nn.functional as F

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), target), leaf)
            adv = adv - step * g.sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        return adv, model(adv).argmax(1) == target


slip(
    "no_projection",
    within=a_walk,
    was="torch.clamp(adv, x - epsilon, x + epsilon)",
    wrote="adv",
    diagnosed="projection forgotten",
)
slip(
    "around_zero",
    within=a_walk,
    was="torch.clamp(adv, x - epsilon, x + epsilon)",
    wrote="adv.clamp(-epsilon, epsilon)",
    diagnosed="projection around another point",
)
slip(
    "at_the_end",
    within=a_walk,
    was="    adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)",
    wrote="adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)",
    diagnosed="projected only at the end",
)
slip(
    "no_limits",
    within=a_walk,
    was="clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)",
    wrote="clamp(adv, x - epsilon, x + epsilon)",
    diagnosed="not clamped to [0, 1]",
)
slip("one_gradient", within=a_walk, was="adv.clone", wrote="x.clone", diagnosed="gradient of the start reused")
slip(
    "always_from_x",
    within=a_walk,
    was="adv = adv - step * g.sign()",
    wrote="adv = x - step * g.sign()",
    diagnosed="each step from the start",
)
slip(
    "step_is_epsilon",
    within=a_walk,
    was="adv = adv - step * g.sign()",
    wrote="adv = adv - epsilon * g.sign()",
    diagnosed="wrong step size",
)
slip(
    "one_too_many",
    within=a_walk,
    was="for _ in range(iterations):",
    wrote="for _ in range(iterations + 1):",
    diagnosed="wrong number of steps",
)
slip(
    "at_random_first",
    within=a_walk,
    was="adv = x.clone()",
    wrote="adv = x + torch.empty_like(x).uniform_(-epsilon, epsilon)\n    adv = adv.clamp(0, 1)",
    diagnosed="random start",
)
slip(
    "away_from_the_target",
    within=a_walk,
    was="adv = adv - step * g.sign()",
    wrote="adv = adv + step * g.sign()",
    diagnosed="wrong direction",
)
slip(
    "without_signs",
    within=a_walk,
    was="adv = adv - step * g.sign()",
    wrote="adv = adv - step * g",
    diagnosed="gradient without its sign",
)
slip("softmax_in_front", within=a_walk, was="model(leaf)", wrote="model(leaf).softmax(1)", diagnosed="softmax twice")


@wrong("gradient of a logit")
def raise_the_logit():
    import torch

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(-model(leaf).gather(1, target[:, None]).sum(), leaf)
            adv = adv - step * g.sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        return adv, model(adv).argmax(1) == target


slip(
    "to_what_is_read",
    within=a_walk,
    was="model(leaf), target",
    wrote="model(leaf), model(leaf).argmax(1)",
    diagnosed="target ignored",
    predicts=True,
)


@wrong("target ignored")
def away_from_what_is_read():
    import torch
    import torch.nn.functional as F

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        y = model(x).argmax(1)
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
            adv = adv + step * g.sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        return adv, model(adv).argmax(1) == target


@mistake(
    "stopped early",
    "Images stop moving once they are classified as their target. Run all iterations for all images.",
)
def each_until_it_is_there():
    import torch
    import torch.nn.functional as F

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            logits = model(leaf)
            (g,) = torch.autograd.grad(F.cross_entropy(logits, target), leaf)
            moving = (logits.argmax(1) != target)[:, None, None, None]
            adv = torch.clamp(adv - step * g.sign() * moving, x - epsilon, x + epsilon).clamp(0, 1)
        return adv, model(adv).argmax(1) == target


@wrong("stopped early", predicts=True)
def until_all_are_there():
    import torch
    import torch.nn.functional as F

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            logits = model(leaf)
            if (logits.argmax(1) == target).all():
                break
            (g,) = torch.autograd.grad(F.cross_entropy(logits, target), leaf)
            adv = torch.clamp(adv - step * g.sign(), x - epsilon, x + epsilon).clamp(0, 1)
        return adv, model(adv).argmax(1) == target


slip(
    "asked_at_the_start",
    within=a_walk,
    was="model(adv)",
    wrote="model(x)",
    diagnosed="reached asked at the start",
    sentence="The images are right. You computed `reached` for `x`, so compute it for the images that you return.",
)


@mistake(
    "reached before the last step",
    "The images are right. You computed `reached` before the last step, so compute it for the images that you return.",
    loses=("who has arrived",),
)
def looked_at_inside_the_loop():
    import torch
    import torch.nn.functional as F

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        now, reached = x, model(x).argmax(1) == target
        for _ in range(iterations):
            leaf = now.clone().requires_grad_()
            logits = model(leaf)
            reached = logits.argmax(1) == target
            (g,) = torch.autograd.grad(F.cross_entropy(logits, target), leaf)
            now = (x + (now - step * g.sign() - x).clamp(-epsilon, epsilon)).clamp(0, 1)
        return now, reached


@mistake(
    "largest of the batch",
    "The images are right. For `reached` you took the largest logit of all images, and each image has its own.",
    loses=("who has arrived",),
)
def largest_of_all_logits():
    import torch
    import torch.nn.functional as F

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        now = x
        for _ in range(iterations):
            leaf = now.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), target), leaf)
            now = (x + (now - step * g.sign() - x).clamp(-epsilon, epsilon)).clamp(0, 1)
        return now, model(now).argmax() == target


@mistake(
    "reached on the way",
    "The images are right. `reached` says which of them were ever classified as their target, and it "
    "should be about the images that you return.",
    loses=("who has arrived",),
)
def ever_there():
    import torch
    import torch.nn.functional as F

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        adv = x.clone()
        reached = torch.zeros(len(x), dtype=torch.bool)
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), target), leaf)
            adv = torch.clamp(adv - step * g.sign(), x - epsilon, x + epsilon).clamp(0, 1)
            reached |= model(adv).argmax(1) == target
        return adv, reached


slip(
    "anything_else",
    within=a_walk,
    was="argmax(1) == target",
    wrote="argmax(1) != model(x).argmax(1)",
    diagnosed="any misclassification counted",
    sentence="The images are right. `reached` is true wherever the class has changed. The class must be the target.",
)
slip(
    "not_equal",
    within=a_walk,
    was="argmax(1) == target",
    wrote="argmax(1) != target",
    diagnosed="reached inverted",
    sentence="The images are right. `reached` is false where an image has arrived, and true where it has not.",
)
known(
    Mistake(
        "one bool for the batch",
        "The images are right. `reached` has one answer for all of them together, and each has its own.",
        _seen(lambda model, x, target, found: (read(model, found) == target).all()),
        _seen(lambda model, x, target, found: (read(model, found) == target).any()),
        _seen(lambda model, x, target, found: (read(model, found) == target).double().mean()),
    )
)
slip(
    "all_of_them",
    within=a_walk,
    was="model(adv).argmax(1) == target",
    wrote="bool((model(adv).argmax(1) == target).all())",
    diagnosed="one bool for the batch",
    predicts=True,
)
slip(
    "what_is_read",
    within=a_walk,
    was="argmax(1) == target",
    wrote="argmax(1)",
    diagnosed="classes instead of bools",
    sentence="The images are right. `reached` holds the predicted classes, and not whether each is the target.",
)
known(
    Mistake(
        "numbers instead of bools",
        "The images are right. `reached` holds numbers, and a comparison makes a bool tensor.",
        _seen(lambda model, x, target, found: (read(model, found) == target).long()),
        _seen(lambda model, x, target, found: (read(model, found) == target).double()),
    )
)
slip(
    "ones_and_zeros",
    within=a_walk,
    was="model(adv).argmax(1) == target",
    wrote="(model(adv).argmax(1) == target).float()",
    diagnosed="numbers instead of bools",
    predicts=True,
)
slip(
    "sure_of_it",
    within=a_walk,
    was="return adv, model(adv).argmax(1) == target",
    wrote="p = model(adv).softmax(1)\n    return adv, p[torch.arange(len(p)), target] > 0.5",
    diagnosed="probability above one half",
    sentence="The images are right. `reached` requires a probability above one half. The largest of several may "
    "be smaller.",
)
known(UNBOUND)


@wrong(".grad changed", loses=("images and model as they were",))
def backward_each_time():
    import torch
    import torch.nn.functional as F

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            adv.requires_grad_()
            F.cross_entropy(model(adv), target).backward()
            g = adv.grad
            adv = torch.clamp(adv.detach() - step * g.sign(), x - epsilon, x + epsilon).clamp(0, 1)
        return adv, model(adv).argmax(1) == target


@wrong("no iterations")
def name_made_in_the_loop():
    import torch
    import torch.nn.functional as F

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        current = x
        for _ in range(iterations):
            leaf = current.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), target), leaf)
            current = attacked = torch.clamp(current - step * g.sign(), x - epsilon, x + epsilon).clamp(0, 1)
        return attacked, model(attacked).argmax(1) == target


@mistake(
    "reached missing",
    "You returned the images without `reached`. Return both.",
    raises="ValueError: (too many|not enough) values to unpack|IndexError: index 1 is out of bounds",
)
def returned_alone():
    import torch
    import torch.nn.functional as F

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), target), leaf)
            adv = adv - step * g.sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        return adv


@wrong("not attempted")
def targeted_not_attempted():
    def targeted_pgd(model, x, target, epsilon, step, iterations):
        raise NotImplementedError  # your code here


@wrong("attached where data was wanted", loses=("images and model as they were",))
def grows_a_graph():
    import torch
    import torch.nn.functional as F

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        adv = x.clone().requires_grad_()
        for _ in range(iterations):
            (g,) = torch.autograd.grad(F.cross_entropy(model(adv), target), adv)
            adv = torch.clamp(adv - step * g.sign(), x - epsilon, x + epsilon).clamp(0, 1)
        return adv, model(adv).argmax(1) == target


@right
def minus_the_loss():
    import torch
    import torch.nn.functional as F

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            adv.requires_grad_()
            gain = -F.cross_entropy(model(adv), target)
            (g,) = torch.autograd.grad(gain, adv)
            with torch.no_grad():
                adv = adv + step * g.sign()
                adv = torch.min(torch.max(adv, x - epsilon), x + epsilon).clamp(0, 1)
        with torch.no_grad():
            return adv, model(adv).max(dim=1).indices.eq(target)


@right
def image_by_image_for_targets():
    import torch
    import torch.nn.functional as F

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        images, there = [], []
        for one, t in zip(x, target):
            start = one.unsqueeze(0)
            now = start
            for _ in range(iterations):
                leaf = now.clone().requires_grad_()
                F.cross_entropy(model(leaf), t.unsqueeze(0)).backward(inputs=[leaf])
                now = start + (now - step * leaf.grad.sign() - start).clamp(-epsilon, epsilon)
                now = now.clamp(0, 1)
            images.append(now)
            logits = model(now)[0]
            there.append(bool((logits[t] >= logits).all()))
        return [torch.cat(images), torch.tensor(there)]

"""The attacks agree with the Adversarial Robustness Toolbox, pixel for pixel: the reference and the solution."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn

from autograder import digits
from autograder.references.replay import before_first_use
from autograder.tasks.modules import module
from tests.depth import proof
from tests.submissions import COURSE, solution_sources

pytestmark = proof

IMAGES = 40
DRAWS = 20
FLOAT32 = 1e-6
"""The toolbox computes in float32."""
TASKS = COURSE / "solutions" / "10_adversarial" / "_tasks"
attacks = module(TASKS / "attacks.py")
fgsm, pgd, targeted_pgd = (module(TASKS / name / "task.py") for name in ("fgsm", "pgd", "targeted_pgd"))


def toolbox(net: nn.Module, x: torch.Tensor) -> Any:
    """The network as the toolbox takes it, with pixels in [0, 1]."""
    from art.estimators.classification import PyTorchClassifier  # here, because it takes long to load

    classes = net(x[:1]).shape[1]
    return PyTorchClassifier(
        net, nn.CrossEntropyLoss(), tuple(x.shape[1:]), classes, clip_values=(0.0, 1.0), device_type="cpu"
    )


def their_step(net: nn.Module, x: torch.Tensor, y: torch.Tensor, epsilon: float) -> torch.Tensor:
    from art.attacks.evasion import FastGradientMethod

    attack = FastGradientMethod(toolbox(net, x), eps=epsilon, batch_size=len(x))
    return torch.from_numpy(attack.generate(x.numpy(), y.numpy()))


def their_walk(
    net: nn.Module, x: torch.Tensor, y: torch.Tensor, epsilon: float, step: float, iterations: int, *, targeted: bool
) -> torch.Tensor:
    from art.attacks.evasion import ProjectedGradientDescent

    attack = ProjectedGradientDescent(
        toolbox(net, x),
        eps=epsilon,
        eps_step=step,
        max_iter=iterations,
        targeted=targeted,
        num_random_init=0,
        batch_size=len(x),
        verbose=False,
    )
    return torch.from_numpy(attack.generate(x.numpy(), y.numpy()))


def published(task: str) -> Callable:
    """The function in the solution's notebook."""
    names: dict = {}
    exec(solution_sources("10_adversarial")[task], names)
    return names[task]


@pytest.fixture(scope="module")
def net() -> digits.DigitNet:
    return digits.trained(device="cpu")[0]


@pytest.fixture(scope="module")
def images() -> torch.Tensor:
    return digits.load("cpu").test_images[:IMAGES]


@pytest.fixture(scope="module")
def labels() -> torch.Tensor:
    """Every third one wrong."""
    labels = digits.load("cpu").test_labels[:IMAGES].clone()
    labels[::3] = (labels[::3] + 1) % 10
    return labels


@pytest.mark.parametrize("epsilon", [0.02, 0.1, 0.3])
@pytest.mark.parametrize("ours", [attacks.stepped, published("fgsm")], ids=["reference", "solution"])
def test_fgsm_on_the_trained_network(
    net: nn.Module, images: torch.Tensor, labels: torch.Tensor, ours: Callable, epsilon: float
) -> None:
    found = ours(net, images, labels, epsilon)
    assert (found - images).abs().max() > epsilon / 2
    torch.testing.assert_close(found, their_step(net, images, labels, epsilon), rtol=0, atol=FLOAT32)


@pytest.mark.parametrize(("epsilon", "step", "iterations"), [(0.1, 0.03, 8), (0.2, 0.3, 4)])
@pytest.mark.parametrize("ours", [attacks.walked, published("pgd")], ids=["reference", "solution"])
def test_pgd_on_the_trained_network(
    net: nn.Module,
    images: torch.Tensor,
    labels: torch.Tensor,
    ours: Callable,
    epsilon: float,
    step: float,
    iterations: int,
) -> None:
    found = ours(net, images, labels, epsilon, step, iterations)
    assert not torch.allclose(found, attacks.stepped(net, images, labels, epsilon))
    theirs = their_walk(net, images, labels, epsilon, step, iterations, targeted=False)
    torch.testing.assert_close(found, theirs, rtol=0, atol=FLOAT32)


@pytest.mark.parametrize("ours", [targeted_pgd.walked_to, published("targeted_pgd")], ids=["reference", "solution"])
def test_targeted_pgd_on_the_trained_network(
    net: nn.Module, images: torch.Tensor, labels: torch.Tensor, ours: Callable
) -> None:
    target = (labels + 4) % 10
    found, reached = ours(net, images, target, 0.3, 0.05, 10)
    assert 0 < reached.sum() < IMAGES
    theirs = their_walk(net, images, target, 0.3, 0.05, 10, targeted=True)
    torch.testing.assert_close(found, theirs, rtol=0, atol=FLOAT32)
    assert torch.equal(reached, net(theirs).argmax(1) == target)


def drawn(task: str, draw: Callable, seed: int) -> dict:
    """What a drawn program has named, in float32."""
    (program,) = draw(random.Random(seed))
    names = before_first_use(program, task)
    return names | {"model": names["model"].float(), "x": names["x"].float()}


@pytest.mark.parametrize("seed", range(DRAWS))
def test_fgsm_on_drawn_networks(seed: int) -> None:
    names = drawn("fgsm", fgsm.fgsm("result", edges=seed % 2 == 0), seed)
    given = (names["model"], names["x"], names["y"], 0.15)
    theirs = their_step(*given)
    for ours in (attacks.stepped, published("fgsm")):
        torch.testing.assert_close(ours(*given), theirs, rtol=0, atol=FLOAT32)


@pytest.mark.parametrize("seed", range(DRAWS))
def test_pgd_on_drawn_networks(seed: int) -> None:
    names = drawn("pgd", pgd.pgd("result", edges=seed % 2 == 0), seed)
    given = [names[key] for key in ("model", "x", "y", "epsilon", "step", "iterations")]
    theirs = their_walk(*given, targeted=False)
    for ours in (attacks.walked, published("pgd")):
        torch.testing.assert_close(ours(*given), theirs, rtol=0, atol=FLOAT32)


@pytest.mark.parametrize("seed", range(DRAWS))
def test_targeted_pgd_on_drawn_networks(seed: int) -> None:
    names = drawn("targeted_pgd", targeted_pgd.targeted_pgd("result"), seed)
    given = [names[key] for key in ("model", "x", "target", "epsilon", "step", "iterations")]
    theirs = their_walk(*given, targeted=True)
    for ours in (targeted_pgd.walked_to, published("targeted_pgd")):
        torch.testing.assert_close(ours(*given)[0], theirs, rtol=0, atol=FLOAT32)

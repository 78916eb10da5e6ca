"""feature_map_gradient: what is right, from two sources, and what is asked."""

from __future__ import annotations

from random import Random

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import with_ends
from autograder.checks.draws.models import randn, seed_line
from autograder.checks.draws.torch_modules import Draw
from autograder.checks.task import Allowed, Task
from autograder.probes.programs import Program
from autograder.references.leaves import leaf_of
from autograder.references.replay import Replay, program_reference

from ..shared import FROZEN


def maps_behind(conv1: nn.Module, conv2: nn.Module, image: torch.Tensor) -> torch.Tensor:
    """The feature maps after the second ReLU."""
    return functional.relu(conv2(functional.relu(conv1(image))))


def gradient_of_maps(
    conv1: nn.Module, conv2: nn.Module, fc: nn.Linear, image: torch.Tensor, target: torch.Tensor
) -> torch.Tensor:
    maps = leaf_of(maps_behind(conv1, conv2, image))
    return torch.autograd.grad(functional.cross_entropy(fc(maps.flatten(1)), target), maps)[0]


def _softmax_minus_one_hot(
    replay: Replay, conv1: nn.Module, conv2: nn.Module, fc: nn.Linear, image: torch.Tensor, target: torch.Tensor
) -> torch.Tensor:
    """The mean of softmax minus one-hot, times the weight."""
    with torch.no_grad():
        maps = maps_behind(conv1, conv2, image)
        logits = fc(maps.flatten(1)).double().numpy()
    odds = np.exp(logits - logits.max(1, keepdims=True))
    of_logits = odds / odds.sum(1, keepdims=True)
    of_logits[np.arange(len(target)), target.numpy()] -= 1
    found = of_logits / len(target) @ fc.weight.detach().double().numpy()
    return torch.from_numpy(found).reshape(maps.shape).to(image.dtype)


REFERENCE = program_reference(
    "feature_map_gradient",
    gradient_of_maps,
    "autograd in float64 from a leaf in the maps' place",
    _softmax_minus_one_hot,
    "closed form in numpy: softmax minus one-hot, times the weight",
)

TASK = Task(
    __file__,
    minutes=5,
    concepts=("leaves",),
    section="Feature maps before and after the ReLU",
    reference=REFERENCE,
    may_change=(Allowed.PARAMETER_GRADS,),
)


def networks(*shown: str, frozen: bool = False) -> Draw:
    """Two convolutions of several kinds; about half of the second one's units are shut."""

    def draw(source: Random) -> tuple[Program]:
        b, c, k, m, o = (source.randint(1 if i < 2 else 2, 3) for i in range(5))
        high, wide = source.sample((4, 5, 6), 2)
        padding, stride = source.choice(((0, 1), (1, 1), (1, 2)))
        rows, columns = ((size - 1 + 2 * padding - 2) // stride + 1 for size in (high, wide))
        target = [source.randrange(o) for _ in range(b)]
        end = FROZEN if frozen else ""
        text = f"""{seed_line(source)}conv1 = nn.Conv2d({c}, {k}, 2).double(){end}
conv2 = nn.Conv2d({k}, {m}, 2, stride={stride}, padding={padding}).double(){end}
fc = nn.Linear({m * rows * columns}, {o}).double(){end}
image = {randn(b, c, high, wide)}
target = torch.tensor({target})
result = feature_map_gradient(conv1, conv2, fc, image, target)
"""
        return (Program(text, shown),)

    return draw


@TASK.check("after the ReLU", points=3, cases="after", draw=with_ends(networks("result")))
def test_feature_map_gradient(answers: Answers) -> None:
    """Open and shut units; one image and several."""
    answers.agree()


@TASK.check(
    "frozen layers, and all as it was",
    points=1,
    cases="as found",
    draw=networks("result", frozen=True),
    damage=True,
)
def test_feature_map_gradient_leaves_things_as_found(answers: Answers) -> None:
    """Neither image nor parameters require a gradient, and they don't afterwards."""
    answers.agree()

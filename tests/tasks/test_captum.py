"""Saliency and Grad-CAM agree with captum on the trained network: the reference and the published solution."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

from autograder import digits
from autograder.checks.catalogue import tasks_of
from autograder.tasks.modules import module
from tests.depth import proof
from tests.submissions import solution_sources

pytestmark = proof

IMAGES = 40


@pytest.fixture(scope="module")
def net() -> digits.DigitNet:
    return digits.trained(device="cpu")[0].double()


@pytest.fixture(scope="module")
def images() -> torch.Tensor:
    return digits.load("cpu").test_images[:IMAGES].double()


def targets() -> list[int | torch.Tensor]:
    """One class for all images; for each what it is; for each the next class."""
    labels = digits.load("cpu").test_labels[:IMAGES]
    return [3, labels, (labels + 1) % 10]


def both(task: str, reference: str) -> list[Callable]:
    """The task's function as the reference has it, by its name there, and as the solution's notebook has it."""
    names: dict = {}
    exec(solution_sources("09_cnn")[task], names)
    return [getattr(module(tasks_of("09_cnn")[task].folder / "task.py"), reference), names[task]]


@pytest.mark.parametrize("target", targets(), ids=["one class", "labels", "other classes"])
@pytest.mark.parametrize("ours", both("saliency", "saliency_map"), ids=["reference", "solution"])
def test_saliency_is_captums(
    net: digits.DigitNet, images: torch.Tensor, ours: Callable, target: int | torch.Tensor
) -> None:
    from captum.attr import Saliency  # here, because it takes long to load

    theirs = Saliency(net).attribute(images.clone().requires_grad_(), target=target)
    torch.testing.assert_close(ours(net, images, target), theirs, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("target", targets(), ids=["one class", "labels", "other classes"])
@pytest.mark.parametrize("ours", both("grad_cam", "cam"), ids=["reference", "solution"])
def test_grad_cam_is_captums_above_zero(
    net: digits.DigitNet, images: torch.Tensor, ours: Callable, target: int | torch.Tensor
) -> None:
    from captum.attr import LayerGradCam

    theirs = LayerGradCam(net, net.features).attribute(images, target=target).clamp(min=0)
    found = ours(net.features, net.head, images, target)
    assert found.shape == (IMAGES, 1, 8, 8)
    assert (found > 0).any()
    torch.testing.assert_close(found, theirs, rtol=1e-9, atol=1e-12)

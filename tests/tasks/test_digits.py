"""The digits and their network: the same every time, the same as in lesson 09, and good enough to learn from."""

from __future__ import annotations

import nbformat
import pytest
import torch

from autograder import digits
from tests.submissions import COURSE


@pytest.fixture(scope="module")
def trained() -> tuple[digits.DigitNet, digits.Digits]:
    return digits.trained(device="cpu")


def test_every_image_is_in_one_part() -> None:
    data = digits.load("cpu")
    assert data.train_images.shape == (1347, 1, 8, 8)
    assert data.test_images.shape == (450, 1, 8, 8)
    assert data.train_labels.shape == (1347,)
    assert data.test_labels.bincount().min() > 30
    everything = torch.cat([data.train_images, data.test_images])
    assert everything.flatten(1).unique(dim=0).shape[0] == 1797
    assert everything.min() == 0
    assert everything.max() == 1


def test_the_split_repeats() -> None:
    torch.manual_seed(1)
    first = digits.load("cpu")
    torch.manual_seed(2)
    assert torch.equal(first.test_images, digits.load("cpu").test_images)


def test_training_repeats_and_leaves_the_random_state_alone(trained: tuple) -> None:
    state = torch.get_rng_state()
    again, _ = digits.trained(device="cpu")
    assert torch.equal(torch.get_rng_state(), state)
    assert same_weights(again, trained[0])
    assert not same_weights(digits.trained(1, device="cpu")[0], trained[0])


def same_weights(one: torch.nn.Module, other: torch.nn.Module) -> bool:
    """Whether all parameters are equal to the bit."""
    return all(torch.equal(a, b) for a, b in zip(one.parameters(), other.parameters(), strict=True))


def test_the_network_reads_nearly_all_held_out_digits(trained: tuple) -> None:
    net, data = trained
    assert not net.training
    assert digits.accuracy(net, data.test_images, data.test_labels) > 0.95
    assert digits.accuracy(net, data.train_images, data.train_labels) > 0.98
    wrong = (data.test_labels + 1) % 10
    assert digits.accuracy(net, data.test_images, wrong) < 0.05


def test_lesson_09_trains_this_network(trained: tuple) -> None:
    """Lessons 10 and 11 say that they take lesson 09's network."""
    notebook = nbformat.read(COURSE / "lessons" / "09_cnn.ipynb", as_version=4)
    sources = {cell["id"]: cell.source for cell in notebook.cells if cell.cell_type == "code"}
    names = {"__name__": "lesson", "data": digits.load("cpu")}
    for cell in ("imports", "network", "training-run"):
        exec(sources[cell], names)
    assert same_weights(names["net"], trained[0])

"""Handwritten digits and the small network that the course trains to classify them.

The digits come with scikit-learn: 1,797 images of 8 by 8 pixels, no download. `trained()` returns the same
network every time on the same kind of machine; training takes about a second.
"""

from __future__ import annotations

import dataclasses

from autograder.surroundings import loading

with loading():
    import torch
    from sklearn.datasets import load_digits
    from torch import nn
    from torch.nn import functional

from autograder.probes import devices

HELD_OUT = 450
"""The number of test images."""


@dataclasses.dataclass(frozen=True)
class Digits:
    """The training set and the test set.

    Attributes:
        train_images, test_images: float32 in [0, 1], of shape (n, 1, 8, 8).
        train_labels, test_labels: int64 from 0 to 9, of shape (n,).
    """

    train_images: torch.Tensor
    train_labels: torch.Tensor
    test_images: torch.Tensor
    test_labels: torch.Tensor


class DigitNet(nn.Module):  # type: ignore[misc]  # torch is Any
    """Two convolutions with feature maps as large as the image, then a head from the 16 maps to ten logits."""

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 8, kernel_size=3, padding=1),
            nn.ReLU(),
            nn.Conv2d(8, 16, kernel_size=3, padding=1),
            nn.ReLU(),
        )
        self.head = nn.Sequential(
            nn.Conv2d(16, 16, kernel_size=3, stride=2, padding=1),
            nn.ReLU(),
            nn.Flatten(),
            nn.Linear(16 * 4 * 4, 10),
        )

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Return logits of shape (batch, 10) for images of shape (batch, 1, 8, 8)."""
        return self.head(self.features(images))


def default_device() -> str:
    """Return the notebook's default device if it set one, else a GPU if there is one, else the CPU."""
    chosen = torch.get_default_device().type
    return devices.resolve("auto") if chosen == devices.CPU else chosen


def load(device: str | None = None) -> Digits:
    """Load the digits, always with the same split.

    Args:
        device: the device of the tensors; `default_device()` by default.
    """
    data = load_digits()
    images = torch.tensor(data.images, dtype=torch.float32).unsqueeze(1) / 16
    labels = torch.tensor(data.target)
    order = torch.randperm(len(images), generator=torch.Generator().manual_seed(0))
    test, train = order[:HELD_OUT], order[HELD_OUT:]
    parts = (images[train], labels[train], images[test], labels[test])
    return Digits(*(part.to(device or default_device()) for part in parts))


def train(net: nn.Module, images: torch.Tensor, labels: torch.Tensor, *, epochs: int = 15, lr: float = 5e-3) -> None:
    """Train a network in place with Adam, in batches of 64.

    Args:
        net: the network, on the images' device.
        images: of shape (n, 1, 8, 8).
        labels: of shape (n,).
        epochs: passes through all images.
        lr: Adam's learning rate.
    """
    optimizer = torch.optim.Adam(net.parameters(), lr=lr)
    for _ in range(epochs):
        for batch in torch.randperm(len(images)).split(64):
            optimizer.zero_grad()
            functional.cross_entropy(net(images[batch]), labels[batch]).backward()
            optimizer.step()


def trained(seed: int = 0, device: str | None = None) -> tuple[DigitNet, Digits]:
    """Train a network and return it in evaluation mode with the data; leave the caller's random state unchanged.

    Args:
        seed: seeds the initial weights and the order of the batches; the lessons use 0.
        device: the device of network and data; `default_device()` by default.
    """
    digits = load(device)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        net = DigitNet().to(digits.train_images.device)
        train(net, digits.train_images, digits.train_labels)
    return net.eval(), digits


def accuracy(net: nn.Module, images: torch.Tensor, labels: torch.Tensor) -> float:
    """Return the fraction of images that a network classifies correctly, from 0 to 1."""
    with torch.no_grad():
        return float((net(images).argmax(1) == labels).double().mean())

"""The counter of saved tensors; students find it among the `counters`."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator

import torch


class SavedTensors:
    """The number of tensors saved for backward passes.

    Attributes:
        now: the number at this moment.
        most: the largest number so far.
    """

    def __init__(self) -> None:
        self.now = self.most = 0


@contextlib.contextmanager
def tensors_kept() -> Iterator[SavedTensors]:
    """Count the tensors that graphs made inside the block save for their backward pass.

    A tensor that two nodes save counts twice. It stays saved until its node has run without `retain_graph`, or until
    nothing refers to the node any more. Inside the block autograd does not notice if a saved tensor is modified in
    place.

    Yields:
        The count, which continues to change after the block.
    """
    count = SavedTensors()
    with torch.autograd.graph.saved_tensors_hooks(functools.partial(_Saved, count), _Saved.unpacked):
        yield count


class _Saved:
    """One saved tensor, counted until its node drops it."""

    def __init__(self, count: SavedTensors, tensor: torch.Tensor) -> None:
        # Detached, because a node that saves its own output would form a reference cycle with it.
        self.tensor, self.count = tensor.detach(), count
        count.now += 1
        count.most = max(count.most, count.now)

    def __del__(self) -> None:
        self.count.now -= 1

    def unpacked(self) -> torch.Tensor:
        """Return the tensor to the node in its backward pass."""
        return self.tensor

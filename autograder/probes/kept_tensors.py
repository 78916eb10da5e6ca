"""The counter of tensors that graphs keep; students find it among the `counters`."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator

import torch


class KeptTensors:
    """How many tensors some graphs keep.

    Attributes:
        now: at this moment.
        most: at once, so far.
    """

    def __init__(self) -> None:
        self.now = self.most = 0


@contextlib.contextmanager
def tensors_kept() -> Iterator[KeptTensors]:
    """Count the tensors that graphs made inside the block keep for their backward pass.

    A tensor that two nodes keep counts twice. It is kept until its node has run without `retain_graph`, or until
    nothing leads to its node any more. Inside the block autograd does not notice that one was written into.

    Yields:
        The count, which goes on after the block.
    """
    count = KeptTensors()
    with torch.autograd.graph.saved_tensors_hooks(functools.partial(_Kept, count), _Kept.unpacked):
        yield count


class _Kept:
    """One tensor in a graph's keeping."""

    def __init__(self, count: KeptTensors, tensor: torch.Tensor) -> None:
        # A node's own output would lead back to the node, and neither would ever go.
        self.tensor, self.count = tensor.detach(), count
        count.now += 1
        count.most = max(count.most, count.now)

    def __del__(self) -> None:
        self.count.now -= 1

    def unpacked(self) -> torch.Tensor:
        """What the node gets in its backward pass."""
        return self.tensor

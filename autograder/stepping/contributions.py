"""Which node's gradient flowed into which, read from the writes of an engine's own backward pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autograder.stepping.right_sweep import Right
from autograder.stepping.writes import Write


@dataclass(frozen=True)
class Contribution:
    """A write to a node's gradient while a user's gradient was at hand.

    Attributes:
        time: the write's index.
        node: the node that received something.
        source: the user whose gradient was read for it; None if none was.
        upstream: that gradient as it was read.
        old: what the node held.
        new: what it holds now.
    """

    time: int
    node: int
    source: int | None
    upstream: float | None
    old: float
    new: float


@dataclass
class Flow:
    """The contributions of a pass.

    Attributes:
        all: by node, in order.
        used: by node, the time at which its gradient was first passed on, and the gradient then.
        last: by node, the time of its last write.
        given: by node, the time at which its gradient was last passed on.
    """

    all: dict[int, list[Contribution]]
    used: dict[int, tuple[int, float | None]]
    last: dict[int, int]
    given: dict[int, int]

    def to(self, node: int, before: int | None = None) -> list[Contribution]:
        """Return what a node received, before a time or at all."""
        return [one for one in self.all.get(node, ()) if before is None or one.time < before]


def flow(writes: Sequence[Write], right: Right) -> Flow:
    """Tell from the reads before each write whose gradient was passed on.

    A pass reads a user's gradient, then writes its inputs': the last gradient read that belongs to a user of the
    written node is the one. If it was kept in a variable, it is that of the write before.
    """
    users = {(user, node) for user, local in enumerate(right.locals) for node in local.slopes}
    found = Flow({}, {}, {}, {})
    before: tuple[int, float | None] | None = None
    for time, write in enumerate(writes):
        if write.new is None:
            continue
        sources = [(at, number) for at, number in write.read if (at, write.node) in users]
        source = sources[-1] if sources else before if before and (before[0], write.node) in users else None
        found.last[write.node] = time
        if not write.new and not write.old and source is None:
            continue  # set to zero before the pass
        user, upstream = source or (None, None)
        one = Contribution(time, write.node, user, upstream, write.old or 0.0, write.new)
        found.all.setdefault(write.node, []).append(one)
        for at, number in sources or ([source] if source else []):
            found.used.setdefault(at, (time, number))
            found.given[at] = time
        before = source or before
    return found

"""What happens to the gradients of a scalar engine's nodes, in order: who is read, who is written."""

from __future__ import annotations

from dataclasses import dataclass, field

from autograder.pictures.engines import MISSING, member

MOST = 200_000
"""Writes that are logged; a longer pass is not stepped through."""


@dataclass(frozen=True)
class Write:
    """A number written to a node's gradient.

    Attributes:
        node: the node's index.
        old: what it held before; None if that was no number.
        new: what it holds now.
        read: gradients that were read since the write before, (node, number) each, in order.
    """

    node: int
    old: float | None
    new: float | None
    read: tuple[tuple[int, float | None], ...]


@dataclass
class Log:
    """What happened to the gradients.

    Attributes:
        held: the last known gradient of each node.
        writes: in order.
    """

    index_of: dict[int, int]
    held: list[float | None]
    writes: list[Write] = field(default_factory=list)
    _read: list[tuple[int, float | None]] = field(default_factory=list)
    _converting: bool = False

    def reads(self, node: object, value: object) -> None:
        """Note that a node's gradient was read."""
        at = self.index_of.get(id(node))
        if at is not None and not self._converting:
            self._read.append((at, self._number(value)))

    def wrote(self, node: object, value: object) -> None:
        """Note that a node's gradient was written."""
        at = self.index_of.get(id(node))
        if at is None or self._converting or len(self.writes) >= MOST:
            return
        new = self._number(value)
        self.writes.append(Write(at, self.held[at], new, tuple(self._read)))
        self.held[at] = new
        self._read.clear()

    def _number(self, value: object) -> float | None:
        self._converting = True  # the conversion may be the student's code, and read gradients itself
        try:
            return number_in(value)
        finally:
            self._converting = False


def number_in(value: object) -> float | None:
    """Return a number, or the number that a node or a tensor with one entry holds; None for anything else."""
    if type(value) in (int, float, bool):
        return float(value)  # type: ignore[arg-type]
    if type(value) is str or value is None:
        return None
    inner = member(value, "data") if type(value).__module__ not in ("numpy", "torch") else MISSING
    if inner is not MISSING and inner is not value and type(inner) in (int, float):
        return float(inner)  # type: ignore[arg-type]
    try:
        return float(value)  # type: ignore[arg-type]
    except Exception:  # it may be any object, whose conversion runs the student's code
        return None
